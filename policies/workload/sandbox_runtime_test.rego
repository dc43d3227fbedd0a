package policies.workload.sandbox_runtime_test

import data.policies.workload.sandbox_runtime
import rego.v1

workload := {"id": "w", "native_type": "kubeflow.org/v1/Notebook", "pod_labels": {}, "runtime_class": "kata", "runtime_handler": "kata-qemu"}

world(changes) := {
	"resources": {"workload": [object.union(workload, changes)]},
	"params": {"workload.sandbox_runtime": {"handlers": ["runsc", "kata*"], "labels": ["trust=untrusted"]}},
}

found(actual, message) := {{"id": "w", "fact": "runtime_handler", "expected": "a sandbox", "actual": actual, "message": message}}

test_ordinary_runtime_fails if {
	what := found("", "runs untrusted code in the ordinary runtime")
	sandbox_runtime.fail == what with input as world({"runtime_class": "", "runtime_handler": ""})
}

test_missing_class_fails if {
	what := found("", "names the runtime class kata, which does not exist")
	sandbox_runtime.fail == what with input as world({"runtime_handler": ""})
}

# a name is no sandbox: https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/cdi.html
test_other_handlers_fail if {
	what := found("nvidia", "runs untrusted code by the handler nvidia of the runtime class gvisor, which is no sandbox")
	sandbox_runtime.fail == what with input as world({"runtime_class": "gvisor", "runtime_handler": "nvidia"})
}

test_sandboxes_pass if {
	every handler in ["runsc", "kata", "kata-qemu-nvidia-gpu-snp"] {
		sandbox_runtime.fail == set() with input as world({"runtime_handler": handler})
		sandbox_runtime.scope == {"w"} with input as world({"runtime_handler": handler})
	}
}

test_labels_choose if {
	sandbox_runtime.scope == {"w"} with input as world({"native_type": "v1/Pod", "pod_labels": {"trust": "untrusted"}})
	sandbox_runtime.scope == {"w"} with input as world({"native_type": "agents.x-k8s.io/v1alpha1/Sandbox"})
}

test_out_of_scope if {
	every labels in [{}, {"trust": "full"}] {
		sandbox_runtime.scope == set() with input as world({"native_type": "v1/Pod", "pod_labels": labels, "runtime_handler": ""})
		sandbox_runtime.fail == set() with input as world({"native_type": "v1/Pod", "pod_labels": labels, "runtime_handler": ""})
	}
}

test_blind_proves_nothing if {
	every fact in ["runtime_handler", "runtime_class"] {
		blind := object.union(world({}), {"resources": {"workload": [object.remove(object.union(workload, {"runtime_handler": "runc"}), [fact])]}})
		sandbox_runtime.fail == set() with input as blind
	}
}
