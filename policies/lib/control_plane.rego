# The control plane of a cluster, as the kind `cluster` describes its parts.
package policies.lib.control_plane

import data.policies.lib.moment
import rego.v1

reasons := {
	"pods": "judged on the pods of its control plane",
	"provider": "its provider runs the control plane: the rules about the provider's cluster judge it",
	"external": "etcd runs on other machines: judge it there",
}

# Why a part of the control plane is not judged on this cluster.
exemption(c, where) := {"id": c.id, "reason": reasons[where]}

# With forward secrecy and authenticated encryption.
strong := {
	"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
	"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
	"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
	"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
	"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
}

# Admission plugins that are on by default:
# https://github.com/kubernetes/kubernetes/blob/master/pkg/kubeapiserver/options/plugins.go
guards := {
	"CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction", "ClusterTrustBundleAttest",
	"DefaultIngressClass", "DefaultStorageClass", "DefaultTolerationSeconds", "LimitRanger", "MutatingAdmissionPolicy",
	"MutatingAdmissionWebhook", "NamespaceLifecycle", "PersistentVolumeClaimResize", "PodSecurity", "Priority",
	"ResourceQuota", "RuntimeClass", "ServiceAccount", "StorageObjectInUseProtection", "TaintNodesByCondition",
	"ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook",
}

# Of which day shipped data is, and whether that is long ago.
data_of(day) := sprintf("data of %s", [day]) if moment.days_since(sprintf("%sT00:00:00Z", [day])) <= 183

data_of(day) := sprintf("data of %s, which is more than half a year old", [day]) if {
	moment.days_since(sprintf("%sT00:00:00Z", [day])) > 183
}
