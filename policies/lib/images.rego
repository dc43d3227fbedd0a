# Container images, as rules of tasks and of jobs both ask about them.
package policies.lib.images

import rego.v1

# The registry is neither of the own account, nor the provider's, nor among those that start with a word of `trusted`.
strange(image, trusted) if {
	image.source in {"foreign", "public"}
	known := {start | some start in trusted; startswith(image.image, start)}
	count(known) == 0
}
