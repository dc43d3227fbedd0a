package policies.lib.names_test

import data.policies.lib.names
import rego.v1

test_whole if {
	names.matches("admin", "admin", "arn:aws:iam::1:role/admin")
	not names.matches("admin", "admins", "arn:aws:iam::1:role/admins")
}

test_start if {
	names.matches("admin-*", "admin-eu", "arn:aws:iam::1:role/admin-eu")
	not names.matches("admin-*", "my-admin-eu", "arn:aws:iam::1:role/my-admin-eu")
}

test_path if {
	names.matches("/admins/", "eu", "arn:aws:iam::1:role/admins/eu")
	not names.matches("/admins/", "admins", "arn:aws:iam::1:role/admins")
}
