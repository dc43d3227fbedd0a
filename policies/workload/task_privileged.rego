# METADATA
# title: Tasks with accelerators stay apart from the machine they run on
# description: >-
#   A privileged task on a GPU node owns its kernel, all of its devices, and with them every tenant; the host's processes
#   and network are doors as well. The NVIDIA runtime needs none of it: put the families of the few that do (profilers,
#   fabric set-up) in `families`, and set `host_network` where NCCL runs over the host's fabric adapters. Tasks that ask
#   for no GPU, Neuron or fabric device are not judged. Judged is the latest active revision of each family.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonECS/latest/developerguide/security-tasks-containers.html
# custom:
#   severity: high
#   kind: workload
#   scope_on: [accelerator]
#   fail_on: [containers, host_pid, host_network]
#   params:
#     families: []
#     host_network: false
#   controls:
#     nist_800_53_r5: [AC-2(1), AC-3, AC-3(7), AC-3(15), AC-5, AC-6, CA-9(1), CM-2]
#     iso_27001_2022: [A.8.22]
#     soc2: [CC6.1]
#     pci_dss_4: [1.4.5, 7.2.1, 7.2.2, 7.2.3]
#     mitre_atlas: [AML.T0105]
#   covers:
#     AWS::ECS::TaskDefinition:
#       catalog: [AWS-ISO-002]
#       controls:
#         aws_fsbp: [ECS.1, ECS.3, ECS.4]
#       fix:
#         cli: aws ecs register-task-definition … with privileged=false, networkMode=awsvpc and no pidMode
#         terraform: privileged = false in the containers, network_mode = "awsvpc", and no pid_mode
package policies.workload.task_privileged

import rego.v1

params := input.params["workload.task_privileged"]

exempt contains {"id": w.id, "reason": "its family is among the parameter families"} if {
	some w in input.resources.workload
	w.name in params.families
}

scope contains w.id if {
	some w in input.resources.workload
	w.accelerator == true
}

fail contains {
	"id": w.id, "fact": "containers", "expected": false,
	"actual": [{"name": c.name, "privileged": c.privileged}], "tag": c.name,
	"message": sprintf("container %s is privileged", [c.name]),
} if {
	some w in input.resources.workload
	w.id in scope
	some c in w.containers
	c.privileged == true
}

fail contains {
	"id": w.id, "fact": "host_pid", "expected": false, "tag": "host_pid",
	"message": "it sees the processes of its host",
} if {
	some w in input.resources.workload
	w.id in scope
	w.host_pid == true
}

fail contains {
	"id": w.id, "fact": "host_network", "expected": false, "tag": "host_network",
	"message": "it shares the network of its host",
} if {
	params.host_network == false
	some w in input.resources.workload
	w.id in scope
	w.host_network == true
}
