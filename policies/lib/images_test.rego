package policies.lib.images_test

import data.policies.lib.images
import rego.v1

test_strange if {
	images.strange({"image": "quay.io/x", "source": "public"}, [])
	images.strange({"image": "quay.io/x", "source": "foreign"}, ["nvcr.io/nvidia/"])
}

known := [
	{"image": {"image": "quay.io/x", "source": "public"}, "trusted": ["quay.io/"]},
	{"image": {"image": "a/x", "source": "own"}, "trusted": []},
	{"image": {"image": "a/x"}, "trusted": []},
]

test_not_strange if {
	every k in known {
		count([1 | images.strange(k.image, k.trusted)]) == 0
	}
}

test_keyless if {
	every registry in ["123456789012.dkr.ecr.eu-central-1.amazonaws.com", "123456789012.dkr-ecr.us-east-1.on.aws", "gcr.io", "eu.gcr.io", "us-docker.pkg.dev", "lab.azurecr.io"] {
		images.keyless(registry)
	}
}

test_not_keyless if {
	{r | some r in ["nvcr.io", "docker.io", "gcr.io.evil.example", "notgcr.io", "lab.azurecr.io.example"]; images.keyless(r)} == set()
}

test_within if {
	images.within({"registry": "nvcr.io", "repository": "nvidia/a"}, "nvcr.io")
	images.within({"registry": "nvcr.io", "repository": "nvidia/a"}, "nvcr.io/nvidia/")
	images.within({"registry": "1.ecr.example", "repository": "a"}, "*.ecr.example")
}

test_not_within if {
	{a | some a in ["nvcr.i", "nvcr.io/nvid", "*.nvcr.io", "vcr.io"]; images.within({"registry": "nvcr.io", "repository": "nvidia/a"}, a)} == set()
}
