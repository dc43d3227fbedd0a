"""Images, models, and the entries of ConfigMaps."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.kubernetes import images, references, supplies
from collectors.table import Const, Fact, Field, ObjectTable

POD_FACTS: Mapping[str, Fact] = {
    "image_refs": Field("template", images.image_refs, source=images.PULL_DOCS),
    "images_settled": Field("template", images.images_settled),
    "secret_keys": Field("template", references.secret_keys),
    "cloud_key_refs": Field("template", references.cloud_key_refs),
    "secret_keys_settled": Field("template", references.secret_keys_settled),
    "literals_settled": Field("template", references.literals_settled),
    "projected_tokens": Field("template", references.projected_tokens, source=references.TOKEN_DOCS),
    "cloud_uses": Field("template", references.cloud_uses),
    "injected_identity": Field("template", references.injected_identity),
    "installs": Field("template", supplies.installs),
    "installs_settled": Field("template", supplies.installs_settled),
    "model_servers": Field("template", supplies.model_servers),
    "models": Field("template", supplies.loaded_models),
    "models_settled": Field("template", supplies.models_settled),
    "remote_code": Field("template", supplies.remote_code),
    "remote_code_settled": Field("template", supplies.remote_code_settled),
    "unsafe_formats": Field("template", supplies.unsafe_formats),
    "formats_settled": Field("template", supplies.formats_settled),
}
"""More facts of everything that makes pods."""
ACCOUNT_FACTS: Mapping[str, Fact] = {
    "pull_secrets": Field("item", references.account_pull_secrets),
    "cloud_identity_form": Field("item", references.identity_form),
}
"""More facts of service accounts."""
SERVED_FACTS: Mapping[str, Fact] = {
    "model_servers": Field("item", supplies.kserve_servers),
    "models": Field("item", supplies.kserve_models),
    "models_settled": Field("item", supplies.kserve_models_settled),
    "remote_code": Field("item", supplies.kserve_remote_code),
    "remote_code_settled": Field("item", supplies.kserve_remote_code_settled),
    "unsafe_formats": Field("item", supplies.kserve_formats),
    "formats_settled": Field("item", supplies.kserve_formats_settled),
}
"""What an inference service of KServe says of its model, apart from its pods: a serving runtime may still change those."""
TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "model_service",
        "apps.nvidia.com/v1alpha1/NIMCache",
        "nimcaches",
        {
            "service_type": Const("model_cache"),
            "namespace": Field("context.namespace"),
            "model_servers": Const([]),
            "models": Field("item", supplies.cached_models),
            "models_settled": Field("item", supplies.cached_models_settled),
        },
    ),
)
