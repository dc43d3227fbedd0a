package policies.encryption.k8s_storage_class_test

import data.policies.encryption.k8s_storage_class
import rego.v1

data_store := {"id": "s", "store_type": "volume_class", "provisioner": "ebs.csi.aws.com", "encrypted": true, "key_id": "arn:aws:kms:eu-west-1:111122223333:key/k"}

world(changes) := {"params": {"encryption.k8s_storage_class": {"provisioners": ["ebs.csi.aws.com", "kubernetes.io/aws-ebs", "fsx.csi.aws.com", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", "filestore.csi.storage.gke.io", "disk.csi.azure.com", "kubernetes.io/azure-disk"]}}, "resources": {"data_store": [object.union(data_store, changes)]}}

test_plain_fails if {
	k8s_storage_class.fail == {
		{"id": "s", "fact": "encrypted", "expected": true, "message": "its volumes are not encrypted by the class"},
	} with input as world({"encrypted": false})
}

test_no_key_fails if {
	k8s_storage_class.fail == {
		{"id": "s", "fact": "key_id", "expected": "a customer key", "message": "it names no customer key"},
	} with input as world({"key_id": ""})
}

test_key_of_the_provider_fails if {
	k8s_storage_class.fail == {
		{"id": "s", "fact": "key_id", "expected": "a customer key", "message": "it names no customer key"},
	} with input as world({"key_id": "alias/aws/ebs"})
	count(k8s_storage_class.fail) == 1 with input as world({"provisioner": "fsx.csi.aws.com", "key_id": "arn:aws:kms:eu-west-1:111122223333:alias/aws/fsx"})
}

test_sound_passes if {
	k8s_storage_class.fail == set() with input as world({})
	k8s_storage_class.scope == {"s"} with input as world({})
}

test_out_of_scope if {
	every change in [{"provisioner": "kubernetes.io/no-provisioner", "encrypted": false}, {"store_type": "volume", "encrypted": false}] {
		k8s_storage_class.scope == set() with input as world(change)
		k8s_storage_class.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"params": {"encryption.k8s_storage_class": {"provisioners": ["ebs.csi.aws.com", "kubernetes.io/aws-ebs", "fsx.csi.aws.com", "pd.csi.storage.gke.io", "kubernetes.io/gce-pd", "filestore.csi.storage.gke.io", "disk.csi.azure.com", "kubernetes.io/azure-disk"]}}, "resources": {"data_store": [object.remove(data_store, ["encrypted", "key_id"])]}}
	k8s_storage_class.fail == set() with input as blind
}
