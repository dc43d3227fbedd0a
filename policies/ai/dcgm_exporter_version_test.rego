package policies.ai.dcgm_exporter_version_test

import data.policies.ai.dcgm_exporter_version
import rego.v1

workload := {"id": "w", "servers": [{"container": "main", "product": "dcgm-exporter", "version": "", "auth": "none", "listens": "all", "ports": [8000]}], "server_doors": [], "server_doors_settled": true, "servers_settled": true, "mesh_guarded": true, "advisories": [], "advisories_settled": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

bad := {"advisories": [{"container": "main", "product": "dcgm-exporter", "version": "1.0", "told_by": "image", "fixed": "2.0", "ids": ["CVE-1", "CVE-2"], "source": "s"}]}

test_old_fails if {
	dcgm_exporter_version.fail == {{
		"id": "w", "fact": "advisories", "expected": "2.0 or later", "actual": "1.0",
		"message": "dcgm-exporter 1.0 in main has CVE-1, CVE-2",
	}} with input as world(bad)
}

test_advisories_of_others_are_not_its if {
	dcgm_exporter_version.fail == set() with input as world({"advisories": [object.union(bad.advisories[0], {"product": "other"})]})
}

test_sound_passes if {
	dcgm_exporter_version.fail == set() with input as world({})
	dcgm_exporter_version.scope == {"w"} with input as world({})
}

test_other_servers_are_out_of_scope if {
	other := object.union(bad, {"servers": [{"container": "main", "product": "grafana", "version": "", "auth": "none", "listens": "all", "ports": [8000]}]})
	dcgm_exporter_version.scope == set() with input as world(other)
	dcgm_exporter_version.fail == set() with input as world(other)
}

test_blind_proves_nothing if {
	every fact in ["servers", "advisories"] {
		blind := {"resources": {"workload": [object.remove(object.union(workload, bad), [fact])]}}
		dcgm_exporter_version.fail == set() with input as blind
	}
}
