package policies.lib.control_plane_test

import data.policies.lib.control_plane
import rego.v1

test_reasons if {
	control_plane.exemption({"id": "c"}, "pods") == {"id": "c", "reason": "judged on the pods of its control plane"}
}

test_nothing_is_said_of_what_is_judged_here if {
	count([e | e := control_plane.exemption({"id": "c"}, "here")]) == 0
}

test_no_suite_without_forward_secrecy_is_strong if {
	every suite in control_plane.strong {
		regex.match(`^TLS_(ECDHE_|AES_|CHACHA20_)`, suite)
	}
}
