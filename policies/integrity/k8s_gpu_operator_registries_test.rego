package policies.integrity.k8s_gpu_operator_registries_test

import data.policies.integrity.k8s_gpu_operator_registries
import rego.v1

component := {"name": "driver", "repository": "nvcr.io/nvidia", "image": "driver", "version": "1", "host_network": false, "host_pid": false}

operator := {"id": "o", "components": [component]}

from(repository) := {"components": [object.union(component, {"repository": repository})]}

world(changes) := {
	"resources": {"operator": [object.union(operator, changes)]},
	"params": {"integrity.k8s_gpu_operator_registries": {"registries": ["nvcr.io/nvidia", "mirror.example"]}},
}

test_other_registries_fail if {
	every repository in ["nvcr.io/nvstaging/mellanox", "docker.io/someone", "nvcr.io/nvidia-lookalike"] {
		k8s_gpu_operator_registries.fail == {{
			"id": "o", "fact": "components", "expected": "a registry that is listed", "tag": "driver",
			"actual": {"name": "driver", "repository": repository},
			"message": sprintf("driver comes from %s", [repository]),
		}} with input as world(from(repository))
	}
}

test_sound_passes if {
	every repository in ["nvcr.io/nvidia", "nvcr.io/nvidia/mellanox", "mirror.example/nvidia", ""] {
		k8s_gpu_operator_registries.fail == set() with input as world(from(repository))
		k8s_gpu_operator_registries.scope == {"o"} with input as world(from(repository))
	}
}

test_other_kinds_are_out_of_scope if {
	k8s_gpu_operator_registries.scope == set() with input as {"resources": {"other": [operator]}}
	k8s_gpu_operator_registries.fail == set() with input as {"resources": {"other": [operator]}}
}

test_blind_proves_nothing if {
	blind := object.union(world({}), {"resources": {"operator": [object.remove(operator, ["components"])]}})
	k8s_gpu_operator_registries.fail == set() with input as blind
}
