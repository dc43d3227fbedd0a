package policies.credentials.k8s_cloud_key_secrets_test

import data.policies.credentials.k8s_cloud_key_secrets
import rego.v1

workload := {"id": "w", "cloud_key_refs": [], "secret_keys_settled": true, "cloud_uses": [{"cloud": "aws"}], "identity_seen": true}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_a_key_fails if {
	k8s_cloud_key_secrets.fail == {{"id": "w", "fact": "cloud_key_refs", "expected": "none", "actual": {"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}, "message": "takes a static cloud key: AWS_SECRET_ACCESS_KEY (key secret of the Secret s3)"}} with input as world({"cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}], "identity_seen": false})
	k8s_cloud_key_secrets.scope == {"w"} with input as world({"cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}], "identity_seen": false})
}

test_a_file_fails if {
	k8s_cloud_key_secrets.fail == {{"id": "w", "fact": "cloud_key_refs", "expected": "none", "actual": {"container": "main", "secret": "sa", "key": "", "variable": "GOOGLE_APPLICATION_CREDENTIALS", "how": "file"}, "message": "takes a static cloud key: GOOGLE_APPLICATION_CREDENTIALS (a file of the Secret sa)"}} with input as world({"cloud_key_refs": [{"container": "main", "secret": "sa", "key": "", "variable": "GOOGLE_APPLICATION_CREDENTIALS", "how": "file"}], "identity_seen": false})
	k8s_cloud_key_secrets.scope == {"w"} with input as world({"cloud_key_refs": [{"container": "main", "secret": "sa", "key": "", "variable": "GOOGLE_APPLICATION_CREDENTIALS", "how": "file"}], "identity_seen": false})
}

test_azure_files_fail if {
	k8s_cloud_key_secrets.fail == {{"id": "w", "fact": "cloud_key_refs", "expected": "none", "actual": {"container": "", "secret": "share", "key": "azurestorageaccountkey", "variable": "", "how": "azure-file"}, "message": "takes a static cloud key: key azurestorageaccountkey of the Secret share"}} with input as world({"cloud_key_refs": [{"container": "", "secret": "share", "key": "azurestorageaccountkey", "variable": "", "how": "azure-file"}], "identity_seen": false})
	k8s_cloud_key_secrets.scope == {"w"} with input as world({"cloud_key_refs": [{"container": "", "secret": "share", "key": "azurestorageaccountkey", "variable": "", "how": "azure-file"}], "identity_seen": false})
}

test_an_identity_and_no_key_passes if {
	k8s_cloud_key_secrets.fail == set() with input as world({})
	k8s_cloud_key_secrets.scope == {"w"} with input as world({})
}

test_a_key_beside_an_identity_is_not_judged if {
	k8s_cloud_key_secrets.fail == set() with input as world({"cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}]})
	k8s_cloud_key_secrets.scope == {"w"} with input as world({"cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}]})
}

test_no_cloud_is_out_of_scope if {
	k8s_cloud_key_secrets.fail == set() with input as world({"identity_seen": false, "cloud_uses": []})
	k8s_cloud_key_secrets.scope == set() with input as world({"identity_seen": false, "cloud_uses": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_cloud_key_secrets.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_cloud_key_secrets.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	k8s_cloud_key_secrets.fail == set() with input as {"resources": {"workload": [{"id": "w", "secret_keys_settled": true, "cloud_uses": [{"cloud": "aws"}], "identity_seen": false}]}}
	k8s_cloud_key_secrets.fail == set() with input as {"resources": {"workload": [{"id": "w", "cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "AWS_SECRET_ACCESS_KEY", "how": "variable"}], "secret_keys_settled": true, "cloud_uses": [{"cloud": "aws"}]}]}}
}

test_why_it_is_not_judged if {
	key := {"cloud_key_refs": [{"container": "main", "secret": "s3", "key": "secret", "variable": "A", "how": "variable"}]}
	k8s_cloud_key_secrets.exempt == {{"id": "w", "reason": "its service account has a workload identity: what the key is for is not seen"}} with input as world(key)
	k8s_cloud_key_secrets.exempt == set() with input as world({})
}
