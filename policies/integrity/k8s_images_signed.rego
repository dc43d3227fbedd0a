# METADATA
# title: Images are admitted only with a known signature
# description: >-
#   A digest says that an image is the same, not where it is from: only a policy for signatures says who built it. Enough
#   is a ClusterImagePolicy of Sigstore (mode enforce, no authority that passes everything, and a namespace with the label
#   that the webhook asks for), or a rule of Kyverno that verifies images with named signers and enforces it. Which images
#   and namespaces a policy covers beyond that is not judged. Where a cloud (Binary Authorization of GKE, Image Integrity
#   of AKS), OpenShift's nodes or an engine whose policies are not read may do it, the verdict is unknown.
# related_resources:
#   - https://docs.sigstore.dev/policy-controller/overview/
#   - https://kyverno.io/docs/policy-types/cluster-policy/verify-images/overview/
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: []
#   fail_on: [signatures_enforced]
#   controls:
#     cis_k8s_1.12: ["5.5.1"]
#     cis_gke_1.9: ["5.1.4"]
#     nist_800_53_r5: [CM-14, SI-7]
#     mitre_attack_containers: [T1525]
#     pci_dss_4: ["6.3.2"]
#     soc2: [CC8.1]
#   tags: [kubernetes, admission]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-IMG-003]
#       fix:
#         manifest: "A ClusterImagePolicy with your signers, and policy.sigstore.dev/include on the namespaces of tenants."
package policies.integrity.k8s_images_signed

import rego.v1

scope contains c.id if {
	some c in input.resources.cluster
	c.native_type == "kubernetes/v1/Cluster"
}

fail contains {"id": c.id, "fact": "signatures_enforced", "expected": true, "message": "nothing asks who built an image"} if {
	some c in input.resources.cluster
	c.id in scope
	c.signatures_enforced == false
}
