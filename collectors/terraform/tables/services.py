"""Listeners, clusters, links, trails and machine learning services."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import cloudtrail, directconnect, eks, elb, sagemaker
from collectors.aws.tls import DEFAULT, versions, weak_ciphers
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables import fronts
from collectors.terraform.tables.shared import (
    CREATED,
    PLACE,
    TAGS,
    docs,
    flat,
    key,
    key_id,
    many,
    names,
    one,
    only_new,
)

LISTENER = docs("aws_lb_listener")
CLUSTER = docs("aws_eks_cluster")
CONNECTION = docs("aws_dx_connection")
LAG = docs("aws_dx_lag")
NOTEBOOK = docs("aws_sagemaker_notebook_instance")
CONFIG = docs("aws_sagemaker_endpoint_configuration")
TRAIL = docs("aws_cloudtrail")
TLS_DEFAULT = "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/describe-ssl-policies.html"
GENEVE = "GENEVE"


# listeners


def protocol(value: str | None, kind: str | None) -> str:
    """The protocol; listeners of gateway load balancers have no other than GENEVE."""
    return str(value or (GENEVE if kind == "gateway" else _missing("protocol"))).lower()


def _missing(what: str) -> str:
    msg = f"a listener without {what}"
    raise ValueError(msg)


def tls_policy(value: str | None, policy: str | None) -> str:
    """Name of the policy; the service's default where none is named."""
    return (policy or DEFAULT) if value and elb.speaks_tls(value) else ""


def tls_versions(value: str | None, policy: str | None) -> Any:
    """TLS versions accepted."""
    if value == "QUIC":
        return ["1.3"]
    return versions(policy or DEFAULT) if value and elb.speaks_tls(value) else []


def tls_weak(value: str | None, policy: str | None) -> Any:
    """Accepted ciphers without forward secrecy or authenticated encryption."""
    return weak_ciphers(policy or DEFAULT) if value and value != "QUIC" and elb.speaks_tls(value) else []


def redirects(value: str | None, default: Any, rules: Any) -> bool:
    """Every action redirects to HTTPS or refuses, and one at least redirects."""
    actions = [_action(a) for a in flat(default, rules)]
    if value != "HTTP":
        return False
    return elb.redirects(value, [{"Actions": actions}] if actions else None)


def _action(action: Mapping[str, Any]) -> dict[str, Any]:
    """A default action or rule action in the words of the API."""
    redirect: Mapping[str, Any] = next(iter(action.get("redirect") or []), {})
    fixed: Mapping[str, Any] = next(iter(action.get("fixed_response") or []), {})
    return {
        "Type": action["type"],
        "RedirectConfig": {"Protocol": redirect.get("protocol")},
        "FixedResponseConfig": {"StatusCode": fixed.get("status_code") or "0"},
    }


def listener_name(port: int | None, balancer: str | None) -> Any:
    """`balancer:port`."""
    return f"{balancer}:{port}" if balancer and port else MISSING


_ACTION = ("type", "redirect", "fixed_response")


def _listener(kind: str, balancer: str, rule: str) -> PlanTable:
    return PlanTable(
        "endpoint",
        "AWS::ElasticLoadBalancingV2::Listener",
        kind,
        {
            "endpoint_type": Const("listener"),
            "protocol": Field(("item.protocol", "maybe_balancer.load_balancer_type"), protocol, absent="", source=LISTENER),
            "port": Field("item.port"),
            "internet_facing": Field(
                ("balancer.internal", "balancer.load_balancer_type"), fronts.internet_facing, absent=True, source=fronts.BALANCER
            ),
            "tls": Field("item.protocol", elb.speaks_tls, absent=False, source=LISTENER),
            "tls_versions": Field(("item.protocol", "item.ssl_policy"), tls_versions, absent=[], source=TLS_DEFAULT),
            "tls_policy": Field(("item.protocol", "item.ssl_policy"), tls_policy, absent="", source=TLS_DEFAULT),
            "tls_weak_ciphers": Field(("item.protocol", "item.ssl_policy"), tls_weak, absent=[], source=TLS_DEFAULT),
            "redirects_to_tls": Field(
                ("item.protocol", pick("item.default_action[]", *_ACTION), pick("rules[].action[]", *_ACTION)),
                redirects,
                absent=False,
                source=LISTENER,
            ),
            "firewall_ids": Field(
                (*PLACE, "balancer.security_groups", "balancer.load_balancer_type"),
                fronts.groups,
                absent=[],
                source=fronts.BALANCER,
            ),
            **fronts.asks(kind),
        },
        {
            "balancer": Join(balancer, on="arn", to="load_balancer_arn"),
            "maybe_balancer": Join(balancer, on="arn", to="load_balancer_arn"),
            "rules": Join(rule, on="listener_arn", many=True),
        },
        name=Field(("item.port", "maybe_balancer.name"), listener_name),
        tags=TAGS,
    )


# clusters


def secrets_key(partition: str, region: str | None, account: str | None, configs: Any) -> str:
    """The key that envelope-encrypts secrets; empty where the provider's own does."""
    keys = [p["key_arn"] for c in configs or [] if "secrets" in (c.get("resources") or []) for p in c.get("provider") or []]
    return key_id(partition, region, account, keys)


CLUSTERS = PlanTable(
    "cluster",
    "AWS::EKS::Cluster",
    "aws_eks_cluster",
    {
        "version": Field("item.version"),
        # the disks of etcd always are: eks.ENCRYPTION
        "encrypted": Const(value=True),
        "key_id": Field((*PLACE, pick("item.encryption_config[]", "resources", "provider")), secrets_key, absent="", source=eks.ENCRYPTION),
        "aws.outpost": Field("item.outpost_config[].control_plane_instance_type", bool, absent=False, source=CLUSTER),
        "authentication_mode": Field(
            "item.access_config[0].authentication_mode", eks.AUTHENTICATION, absent="config_map", source=eks.ACCESS_DEFAULT
        ),
        "node_identity": Field("item.compute_config[0].node_role_arn", absent="", source=CLUSTER),
        "api_public": Field("item.vpc_config[0].endpoint_public_access", absent=True, source=CLUSTER),
        "api_cidrs": Field(
            ("item.vpc_config[0].endpoint_public_access", "item.vpc_config[0].public_access_cidrs"), eks.api_cidrs,
            absent=eks.ANYWHERE, source=CLUSTER,
        ),
        "audit_logs": Field("item.enabled_cluster_log_types", sorted, absent=[], source=CLUSTER),
    },
    tags=TAGS,
)  # fmt: skip


# links


def link_state(created: bool, seen: str | None) -> Any:  # noqa: FBT001 - a value of the row
    """A planned link counts as the one in use that it is made to be; it would start as `requested`, of which rules do not speak."""
    return seen or only_new(created, "available")


def capable(created: bool, seen: bool | None, asked: bool | None) -> Any:  # noqa: FBT001 - values of the row
    """The port can encrypt: as it says, or as asked for."""
    if seen is not None:
        return seen
    return bool(asked) if created else MISSING


def bundle_capable(seen: bool | None, asked: bool | None) -> Any:  # noqa: FBT001 - values of the row
    """The bundle can encrypt: as it says, or as asked for (by versions of the provider that can)."""
    return seen if seen is not None else asked or MISSING


def bundle_mode(seen: bool | None, value: str | None) -> Any:  # noqa: FBT001 - values of the row
    """What happens without MACsec, where the bundle says it."""
    return MISSING if value is None and seen is None else directconnect.encryption_mode(seen, value)


def mode(seen: bool | None, asked: bool | None, value: str | None) -> Any:  # noqa: FBT001 - values of the row
    """What happens without MACsec."""
    if value is None and seen is None:
        return MISSING if asked else "no_encrypt"
    return directconnect.encryption_mode(seen, value)


def encryption_up(created: bool, seen: bool | None, asked: bool | None, status: str | None) -> Any:  # noqa: FBT001 - values of the row
    """MACsec is up on the port."""
    if created:
        return MISSING if asked else False
    return directconnect.connection_up(seen, status)


def live_keys(created: bool, states: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Keys that will be associated."""
    found = [s for s in states or [] if s.get("state") in (None, "associated", "associating")]
    return len(found) or only_new(created, 0)


_KEYS = Join("aws_dx_macsec_key_association", on="connection_id", many=True)

CONNECTIONS = PlanTable(
    "link",
    "AWS::DirectConnect::Connection",
    "aws_dx_connection",
    {
        "link_type": Const("circuit"),
        "state": Field((CREATED, "item.state"), link_state, absent="available", source=CONNECTION),
        "macsec_capable": Field((CREATED, "item.macsec_capable", "item.request_macsec"), capable, absent=False, source=CONNECTION),
        "encryption_mode": Field(
            ("item.macsec_capable", "item.request_macsec", "item.encryption_mode"),
            mode,
            absent="no_encrypt",
            source=directconnect.MACSEC,
        ),
        "encryption_up": Field(
            (CREATED, "item.macsec_capable", "item.request_macsec", "item.port_encryption_status"),
            encryption_up,
            absent=False,
            source=CONNECTION,
        ),
        "macsec_keys": Field((CREATED, pick("keys[]", "state")), live_keys, absent=0, source=directconnect.MACSEC),
        "bundle_id": one(
            "dxlag", "bundles[].lag_id", service="directconnect", absent="", source=docs("aws_dx_connection_association")
        ),
        "bandwidth": Field("item.bandwidth"),
    },
    {"keys": _KEYS, "bundles": Join("aws_dx_connection_association", on="connection_id", many=True)},
    tags=TAGS,
)

BUNDLES = PlanTable(
    "link",
    "AWS::DirectConnect::Lag",
    "aws_dx_lag",
    {
        "link_type": Const("bundle"),
        "state": Field((CREATED, "item.state"), link_state, absent="available", source=LAG),
        # NOTE: no defaults: the resource has no way to ask for MACsec, so its author could do nothing about a failure
        # https://github.com/hashicorp/terraform-provider-aws/issues/47663
        "macsec_capable": Field(("item.macsec_capable", "item.request_macsec"), bundle_capable),
        "encryption_mode": Field(("item.macsec_capable", "item.encryption_mode"), bundle_mode),
        "macsec_keys": Field((CREATED, pick("keys[]", "state")), live_keys, absent=0, source=directconnect.MACSEC),
        "bundle_id": Const(""),
        "bandwidth": Field("item.connections_bandwidth"),
    },
    {"keys": _KEYS},
    tags=TAGS,
)


# trails


def _basic(selectors: Any) -> list[Mapping[str, Any]]:
    return [
        {
            "IncludeManagementEvents": s.get("include_management_events", True) is not False,
            "ReadWriteType": s.get("read_write_type") or "All",
            "ExcludeManagementEventSources": s.get("exclude_management_event_sources") or [],
            "DataResources": [{"Type": r["type"], "Values": r.get("values") or []} for r in s.get("data_resource") or []],
        }
        for s in selectors or []
    ]


_CONDITIONS = {
    "equals": "Equals",
    "not_equals": "NotEquals",
    "starts_with": "StartsWith",
    "not_starts_with": "NotStartsWith",
    "ends_with": "EndsWith",
    "not_ends_with": "NotEndsWith",
}


def _advanced(selectors: Any) -> list[Mapping[str, Any]]:
    return [
        {
            "FieldSelectors": [
                {"Field": f["field"], **{api: f[n] for n, api in _CONDITIONS.items() if f.get(n)}} for f in s["field_selector"]
            ]
        }
        for s in selectors or []
    ]


def management_events(basic: Any, advanced: Any) -> str:
    """Management events recorded."""
    return cloudtrail.management_events(_basic(basic), _advanced(advanced))


def excluded_sources(basic: Any, advanced: Any) -> list[str]:
    """Event sources left out."""
    return cloudtrail.excluded_sources(_basic(basic), _advanced(advanced))


def object_selectors(basic: Any, advanced: Any) -> list[dict[str, Any]]:
    """What is recorded of S3 objects."""
    return cloudtrail.object_selectors(_basic(basic), _advanced(advanced))


def bucket(partition: str, name: str) -> str:
    """The bucket that a trail writes to."""
    return name if name.startswith(("plan/", "arn:")) or not name else f"arn:{partition}:s3:::{name}"


_SELECTORS = ("item.event_selector", "item.advanced_event_selector")
# NOTE: which objects a basic selector names may be known after apply; its management events are known before
_MANAGEMENT = (
    pick("item.event_selector[]", "include_management_events", "read_write_type", "exclude_management_event_sources"),
    "item.advanced_event_selector",
)
STORE = docs("aws_cloudtrail_event_data_store")

TRAILS = PlanTable(
    "audit_log",
    "AWS::CloudTrail::Trail",
    "aws_cloudtrail",
    {
        "multi_region": Field("item.is_multi_region_trail", absent=False, source=TRAIL),
        "logging": Field("item.enable_logging", absent=True, source=TRAIL),
        "validation": Field("item.enable_log_file_validation", absent=False, source=TRAIL),
        "management_events": Field(_MANAGEMENT, management_events, absent="all", source=cloudtrail.MANAGEMENT),
        "excluded_sources": Field(_MANAGEMENT, excluded_sources, absent=[], source=cloudtrail.MANAGEMENT),
        "object_selectors": Field(_SELECTORS, object_selectors, absent=[], source=cloudtrail.DATA),
        "organization": Field("item.is_organization_trail", absent=False, source=TRAIL),
        "bucket": Field(("context.partition", "item.s3_bucket_name"), bucket),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_id", source=cloudtrail.ENCRYPTION),
    },
    tags=TAGS,
)

STORES = PlanTable(
    "audit_log",
    "AWS::CloudTrail::EventDataStore",
    "aws_cloudtrail_event_data_store",
    {
        "multi_region": Field("item.multi_region_enabled", absent=True, source=STORE),
        "organization": Field("item.organization_enabled", absent=False, source=STORE),
        "logging": Field("item.suspend", lambda off: not off, absent=True, source=STORE),
        "object_selectors": Field(
            "item.advanced_event_selector", lambda advanced: object_selectors(None, advanced), absent=[], source=STORE
        ),
    },
    tags=TAGS,
)


# machine learning


def _variants(found: Any) -> list[Mapping[str, Any]]:
    return [{"ServerlessConfig": v.get("serverless_config"), "InstanceType": v["instance_type"]} for v in found or []]


def sizes(own: Any, shadows: Any) -> list[str]:
    """Sizes of all variants."""
    return sagemaker.instance_types(_variants(own), _variants(shadows))


def nvme_only(own: Any, shadows: Any) -> bool:
    """No variant has a volume that could take a key."""
    return sagemaker.local_nvme_only(_variants(own), _variants(shadows))


def shell(own: Any, shadows: Any) -> bool:
    """Some variant lets people into its containers."""
    return any(value is True for value in flat(own, shadows))


_VARIANT = ("instance_type", "serverless_config")
_VARIANTS = (pick("item.production_variants[]", *_VARIANT), pick("item.shadow_production_variants[]", *_VARIANT))

NOTEBOOKS = PlanTable(
    "model_service",
    "AWS::SageMaker::NotebookInstance",
    "aws_sagemaker_notebook_instance",
    {
        "service_type": Const("notebook"),
        "identity": Field("item.role_arn"),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_id", source=sagemaker.AT_REST),
        "direct_internet": Field(
            ("item.direct_internet_access", "item.subnet_id"), sagemaker.direct_internet, absent=True, source=NOTEBOOK
        ),
        "root_access": Field("item.root_access", {"Enabled": True, "Disabled": False}, absent=True, source=NOTEBOOK),
        "subnet_id": one("subnet", "item.subnet_id", absent="", source=NOTEBOOK),
        "instance_types": Field("item.instance_type", lambda size: [size]),
        "local_nvme_only": Const(value=False),
        "capture_enabled": Const(value=False),
        "capture_key_id": Const(""),
        "output_written": Const(value=False),
        "output_key_id": Const(""),
        # NOTE: no default: the provider leaves the choice to the service, which has changed it
        "metadata_token_required": Field(
            "item.instance_metadata_service_configuration[0].minimum_instance_metadata_service_version", {"1": False, "2": True}
        ),
    },
    tags=TAGS,
)

CONFIGS = PlanTable(
    "model_service",
    "AWS::SageMaker::EndpointConfig",
    "aws_sagemaker_endpoint_configuration",
    {
        "service_type": Const("endpoint_config"),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_arn", source=sagemaker.CONFIG),
        "instance_types": Field(_VARIANTS, sizes),
        "local_nvme_only": Field(_VARIANTS, nvme_only, source=sagemaker.CONFIG),
        "capture_enabled": Field("item.data_capture_config[0].enable_capture", absent=False, source=sagemaker.CAPTURE),
        "capture_key_id": key("item.data_capture_config[].kms_key_id", source=sagemaker.CAPTURE),
        "output_written": Field(
            "item.async_inference_config[0].output_config[0].s3_output_path", bool, absent=False, source=CONFIG
        ),
        "output_key_id": key("item.async_inference_config[].output_config[].kms_key_id", source=CONFIG),
        "model_ids": many(
            "model",
            "item.production_variants[].model_name",
            "item.shadow_production_variants[].model_name",
            service="sagemaker",
            source=CONFIG,
        ),
        "interactive_access": Field(
            ("item.production_variants[].enable_ssm_access", "item.shadow_production_variants[].enable_ssm_access"),
            shell,
            absent=False,
            source=sagemaker.VARIANT,
        ),
        "output_uris": Field(
            (
                "item.data_capture_config[].destination_s3_uri",
                "item.async_inference_config[].output_config[].s3_output_path",
                "item.async_inference_config[].output_config[].s3_failure_path",
            ),
            lambda *found: names(flat(*found)),
            absent=[],
            source=CONFIG,
        ),
    },
    tags=TAGS,
)

ENDPOINTS = PlanTable(
    "model_service",
    "AWS::SageMaker::Endpoint",
    "aws_sagemaker_endpoint",
    {
        "service_type": Const("endpoint"),
        "config_id": one("endpoint-config", "item.endpoint_config_name", service="sagemaker"),
        "capture_enabled": Field("config.data_capture_config[0].enable_capture", absent=False, source=sagemaker.CAPTURE),
        "capture_key_id": key("config.data_capture_config[].kms_key_id", source=sagemaker.CAPTURE),
    },
    {"config": Join("aws_sagemaker_endpoint_configuration", on="name", to="endpoint_config_name")},
    tags=TAGS,
)

TABLES: tuple[PlanTable, ...] = (
    _listener("aws_lb_listener", "aws_lb", "aws_lb_listener_rule"),
    _listener("aws_alb_listener", "aws_alb", "aws_alb_listener_rule"),
    CLUSTERS,
    CONNECTIONS,
    BUNDLES,
    TRAILS,
    STORES,
    NOTEBOOKS,
    CONFIGS,
    ENDPOINTS,
)
