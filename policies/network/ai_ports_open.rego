# METADATA
# title: Security groups keep the ports of AI services closed to the internet
# description: >-
#   Ray, Jupyter, Triton, vLLM, Ollama, MLflow and the Slurm daemons ask callers for nothing by default: who reaches the
#   port runs code or reads the model. `ports` maps port to service; a rule for all protocols or all ports reaches every
#   one of them. A public block wider than /`widest_v4` (IPv6: /`widest_v6`) counts as the internet, so two halves do
#   not slip through. A prefix list is read block by block; a group that admits one that was not seen is unknown
#   unless something else fails. Lists of AWS's own services (CloudFront, S3) count as narrow. Groups are judged whether
#   or not anything is attached to them.
# related_resources:
#   - https://docs.ray.io/en/latest/ray-security/index.html
#   - https://docs.aws.amazon.com/vpc/latest/userguide/security-group-rules.html
# custom:
#   severity: critical
#   kind: firewall
#   scope_on: [firewall_type]
#   fail_on: [ingress, listed_ingress, ingress_resolved, ordered_ingress]
#   params:
#     ports:
#       "988": Lustre
#       "1018": Lustre
#       "1019": Lustre
#       "1020": Lustre
#       "1021": Lustre
#       "1022": Lustre
#       "1023": Lustre
#       "2049": NFS
#       "2379": etcd
#       "2380": etcd
#       "3000": Grafana
#       "5000": MLflow
#       "6006": TensorBoard
#       "6333": Qdrant
#       "6334": Qdrant
#       "6379": Ray or Redis
#       "6443": Kubernetes API
#       "6817": Slurm
#       "6818": Slurm
#       "6819": Slurm
#       "6820": Slurm REST
#       "8000": "Triton, vLLM or Ray Serve"
#       "8001": Triton
#       "8002": Triton metrics
#       "8080": "vLLM, TGI or Weaviate"
#       "8265": Ray dashboard
#       "8786": Dask scheduler
#       "8787": Dask dashboard
#       "8888": Jupyter
#       "9090": Prometheus
#       "9400": DCGM exporter
#       "10001": Ray client
#       "10250": kubelet
#       "11434": Ollama
#       "19530": Milvus
#       "29400": torchrun
#       "29500": torchrun
#       "30000": SGLang
#     widest_v4: 16
#     widest_v6: 32
#   controls:
#     nist_800_53_r5: [AC-4, AC-4(21), CA-9(1), CM-2, CM-2(2), CM-7, SC-7, SC-7(4), SC-7(5), SC-7(11), SC-7(16), SC-7(21)]
#     iso_27001_2022: [A.8.20, A.8.21, A.8.22]
#     soc2: [CC6.6]
#     pci_dss_4: [1.4.2]
#     mitre_atlas: [AML.T0049, AML.T0006]
#   covers:
#     AWS::EC2::SecurityGroup:
#       catalog: [AWS-NET-004]
#       controls:
#         aws_fsbp: [EC2.18, EC2.19]
#       fix:
#         cli: aws ec2 revoke-security-group-ingress --group-id GROUP --security-group-rule-ids RULE
#         terraform: remove the rule, or name a security group in referenced_security_group_id in place of the CIDR
package policies.network.ai_ports_open

import data.policies.lib.filter
import rego.v1

ports := input.params["network.ai_ports_open"].ports

numbers := [to_number(port) | some port, _ in ports]

# Names of services in one message.
most_said := 6

limits := {
	"widest_v4": input.params["network.ai_ports_open"].widest_v4,
	"widest_v6": input.params["network.ai_ports_open"].widest_v6,
}

scope contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.firewall_type == "security_group"
}

fail contains {
	"id": firewall.id, "fact": "ingress", "expected": "no port of an AI service open to the internet",
	"actual": filter.named(entry),
	"message": sprintf("admits %s, which reaches %s", [filter.named(entry), said(sort(open))]),
} if {
	some firewall in input.resources.firewall
	firewall.id in scope
	some entry in array.concat([e | some e in firewall.ingress], [e | some e in firewall.listed_ingress])
	open := {sprintf("%s (%d)", [ports[sprintf("%d", [port])], port]) | some port in filter.reached(entry, numbers)}
	count(open) > 0
	filter.from_internet(entry, limits)
}

# Proves nothing: where a prefix list was not seen this fact is unknown, and so is a verdict that does not fail.
resolved contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.ingress_resolved == true
}

# All entries were seen, and none that matters has a source that was not read.
safe contains firewall.id if {
	some firewall in input.resources.firewall
	firewall.id in scope
	entries := firewall.ordered_ingress
	count([entry | some entry in entries; count(filter.reached(entry, numbers)) > 0; wide(entry)]) == 0
}

wide(entry) if filter.from_internet(entry, limits)

wide(entry) if entry.source_type == "prefix_list"

said(names) := concat(", ", names) if count(names) <= most_said

said(names) := sprintf("%s and %d more", [concat(", ", array.slice(names, 0, most_said)), count(names) - most_said]) if count(names) > most_said
