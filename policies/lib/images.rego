# Container images, as rules of tasks and of jobs both ask about them.
package policies.lib.images

import rego.v1

# The registry is neither of the own account, nor the provider's, nor among those that start with a word of `trusted`.
strange(image, trusted) if {
	image.source in {"foreign", "public"}
	known := {start | some start in trusted; startswith(image.image, start)}
	count(known) == 0
}

# Registries of clouds, which know nodes and pods by the kubelet's credential provider.
keyless(registry) if regex.match(`^\d{12}\.dkr[.-]ecr(-fips)?\.[a-z0-9-]+\.(amazonaws\.com(\.cn)?|on\.aws)$`, registry)

keyless(registry) if regex.match(`^([a-z0-9-]+-docker\.pkg\.dev|([a-z]+\.)?gcr\.io|[a-z0-9-]+\.azurecr\.(io|us|cn))$`, registry)

# Registries that ask nobody for a key.
anonymous(registry) if registry in {"registry.k8s.io", "k8s.gcr.io", "public.ecr.aws", "mcr.microsoft.com"}

# The image is of a registry, of one below a name (`*.ecr.example`), or of a part of one (`registry.example/team`): whole names only.
within(image, allowed) if image.registry == allowed

within(image, allowed) if {
	startswith(allowed, "*.")
	endswith(image.registry, substring(allowed, 1, -1))
}

within(image, allowed) if {
	contains(allowed, "/")
	whole := sprintf("%s/%s/", [image.registry, image.repository])
	startswith(whole, sprintf("%s/", [trim_suffix(allowed, "/")]))
}
