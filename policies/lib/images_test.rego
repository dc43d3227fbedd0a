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
