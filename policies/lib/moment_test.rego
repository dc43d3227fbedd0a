package policies.lib.moment_test

import data.policies.lib.moment
import rego.v1

test_days_since if {
	moment.days_since("2026-01-01T00:00:00Z") == 90 with input.now as "2026-04-01T00:00:00Z"
	moment.days_since("2026-01-01T12:00:00+00:00") == 89 with input.now as "2026-04-01T00:00:00Z"
	moment.days_since("2016-01-01T00:00:00.123456Z") == 3742 with input.now as "2026-04-01T00:00:00Z"
	moment.days_since("2026-04-11T00:00:00Z") == -10 with input.now as "2026-04-01T00:00:00Z"
}

test_no_moment if {
	{t | some t in ["never", "", "2026-13-01T00:00:00Z", "2026-01-01"]; moment.days_since(t)} == set() with input.now as "2026-04-01T00:00:00Z"
}
