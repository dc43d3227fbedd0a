# Moments in RFC 3339, measured against `input.now`, the time of the look. Both engines stop at a text that is no moment.
package policies.lib.moment

import rego.v1

nanoseconds_a_day := 86400000000000

form := `^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`

# Whole days from a moment until the look; negative for one that is still to come.
days_since(text) := floor((time.parse_rfc3339_ns(input.now) - time.parse_rfc3339_ns(text)) / nanoseconds_a_day) if {
	regex.match(form, text)
	regex.match(form, input.now)
}
