package policies.lib.workload_test

import data.policies.lib.workload
import rego.v1

test_title if {
	workload.title({"type": "container", "name": "main"}) == "container main"
	workload.title({"type": "init", "name": "setup"}) == "init container setup"
	workload.title({"type": "ephemeral", "name": "debug"}) == "ephemeral container debug"
	{t | some c in [{"name": "main"}, {"type": "container"}, {"type": "other", "name": "x"}]; t := workload.title(c)} == set()
}

test_found if {
	workload.found({"type": "init", "name": "setup"}, "read_only_root", false) == {"container": "setup", "read_only_root": false}
}

test_exemption if {
	workload.exemption({"id": "w", "operator": "GPU Operator"}) == {"id": "w", "reason": "GPU Operator owns it and needs it"}
	{e | some w in [{"id": "w", "operator": ""}, {"id": "w"}]; e := workload.exemption(w)} == set()
}
