"""The one report that every reporter's golden file is made of: each status, each place a resource can have, and hostile names."""

from __future__ import annotations

from scanner.model import (
    Call,
    Cover,
    Coverage,
    Detail,
    Evidence,
    Extent,
    Gap,
    Origin,
    Outcome,
    Reason,
    Report,
    Rule,
    Severity,
    Source,
    Status,
    Verdict,
    Waiver,
    WaiverState,
    Where,
    fingerprint,
)

ACCOUNT = "111122223333"
KEY = f"arn:aws:kms:us-east-1:{ACCOUNT}:key/1f0c9a52-3b1e-4a8e-9c53-"

HOSTILE = (
    "\x1b[31mred\x1b[0m",  # a terminal's colours
    "\x9b2J",  # the same, as one C1 character
    "\u202egnp.exe",  # bidi override
    "zero\u200bwidth",
    "line\r\nbreak",
    "[bold red]markup[/] :boom:",  # rich
    "%0a::error::forged",  # a workflow command behind an encoded line feed
    "\n::stop-commands::x",
    "##vso[task.complete result=Succeeded;]",
    "[click](javascript:alert(1))",  # Markdown and SARIF links
    "</script><img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",  # a spreadsheet formula
    "{0} {{x}} %s ${x} `x`",
    "\ud800 lone",  # what JSON may carry and UTF-8 may not
    "../../etc/passwd",
)

RULES = (
    Rule(
        id="credentials.access_key_age",
        title="Access keys of users are younger than 90 days",
        description="A long-lived key that leaks once opens the training data for as long as nobody notices.",
        severity=Severity.MEDIUM,
        kind="credential",
        scope_on=("status",),
        fail_on=("created",),
        covers={
            "AWS::IAM::AccessKey": Cover(catalog=("AWS-CRED-002",), fix={"cli": "aws iam delete-access-key --access-key-id ID"})
        },
        controls={"nist_800_53_r5": ("IA-5(1)",), "soc2": ("CC6.1",)},
        params={"max_days": 90},
        sets=frozenset({"scope", "fail"}),
        file="policies/credentials/access_key_age.rego",
        source="package policies.credentials.access_key_age\n",
    ),
    Rule(
        id="encryption.cmk_rotation",
        title="Customer-managed keys rotate automatically",
        description=(
            "A key that never rotates turns one leak into every past leak: all datasets and checkpoints stay readable with the "
            "leaked version. Only symmetric keys with provider-made material rotate by themselves, so no other key is judged."
        ),
        severity=Severity.HIGH,
        kind="key",
        scope_on=("manager", "state"),
        fail_on=("rotation_enabled", "rotation_days"),
        covers={
            "AWS::KMS::Key": Cover(
                catalog=("AWS-ENC-001",),
                controls={"cis_aws_3.0.0": ("3.6",)},
                fix={
                    "cli": "aws kms enable-key-rotation --key-id KEY_ID --rotation-period-in-days 365",
                    "terraform": "enable_key_rotation = true",
                },
            ),
        },
        controls={"nist_800_53_r5": ("SC-12", "SC-28(3)"), "iso_27001_2022": ("A.8.24",)},
        params={"max_days": 365},
        references=("https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html",),
        tags=("data",),
        sets=frozenset({"scope", "fail"}),
        file="policies/encryption/cmk_rotation.rego",
        source="package policies.encryption.cmk_rotation\n",
    ),
    Rule(
        id="logging.flow_logs",
        title="Networks keep flow logs",
        description="Without flow logs nobody can say afterwards where the weights went.",
        severity=Severity.LOW,
        kind="network",
        scope_on=("in_use",),
        fail_on=("flow_logs",),
        covers={"AWS::EC2::VPC": Cover(catalog=("AWS-LOG-003",), fix={"console": "VPC, Flow logs, Create flow log"})},
        controls={"nist_800_53_r5": ("AU-12",)},
        sets=frozenset({"scope", "fail"}),
        file="policies/logging/flow_logs.rego",
    ),
    Rule(
        id="workload.privileged",
        title="Containers are not privileged",
        description="A privileged container reaches every GPU, NIC and host device of the node.",
        severity=Severity.CRITICAL,
        kind="workload",
        scope_on=("pod_like",),
        fail_on=("privileged",),
        covers={
            "apps/v1/Deployment": Cover(
                catalog=("K8S-WL-001",),
                fix={"manifest": "securityContext:\n  privileged: false\n  allowPrivilegeEscalation: false"},
            ),
            "apps/v1/DaemonSet": Cover(catalog=("K8S-WL-001",)),
            "v1/Pod": Cover(catalog=("K8S-WL-001",), fix={"manifest": "securityContext: {privileged: false}"}),
        },
        controls={"pss": ("baseline",), "cis_k8s_1.12": ("5.2.2",)},
        references=("https://kubernetes.io/docs/concepts/security/pod-security-standards/",),
        sets=frozenset({"scope", "fail", "exempt"}),
        file="policies/workload/privileged.rego",
        source="package policies.workload.privileged\n",
    ),
    Rule(
        id="workload.tags",
        title="Workloads name an owner",
        description="A workload that nobody owns is one that nobody mends.",
        severity=Severity.INFO,
        kind="workload",
        scope_on=(),
        fail_on=("owner",),
        covers={"v1/Pod": Cover()},
        sets=frozenset({"scope", "fail"}),
        file="policies/workload/tags.rego",
    ),
)
BY_ID = {rule.id: rule for rule in RULES}

DENIED = Gap(
    Reason.DENIED,
    "kms:GetKeyRotationStatus",
    f"Grant kms:GetKeyRotationStatus to arn:aws:iam::{ACCOUNT}:role/audit",
    "AccessDeniedException: not authorized",
)
NO_VPCS = Gap(Reason.THROTTLED, "ec2:DescribeVpcs", "Run again later, or with fewer regions", "RequestLimitExceeded")
LATER = Gap(Reason.KNOWN_AFTER_APPLY, "change.after.rotation_period_in_days", "Scan the account after apply")

ACCEPTED = Waiver(
    rule="encryption.cmk_rotation",
    resource="*/legacy",
    reason="Retired in Q1, no new data",
    owner="storage-team@example.org",
    expires="2026-12-31",
    ticket="SEC-412",
    where=Where("bartizan-waivers.yaml", 3, 5),
    state=WaiverState.USED,
    matches=1,
)


def verdict(rule: str, status: Status, subject: str, native_type: str, message: str, **more: object) -> Verdict:
    """A verdict whose severity, catalogue ids, controls and fingerprint are the rule's."""
    judge = BY_ID[rule]
    live = native_type.startswith("AWS")
    values: dict[str, object] = {
        "rule": rule,
        "status": status,
        "severity": judge.severity,
        "subject": subject,
        "name": subject.rpartition("/")[2],
        "kind": judge.kind,
        "native_type": native_type,
        "provider": "aws" if live else "kubernetes",
        "scope": ACCOUNT if live else "gpu-prod",
        "region": "us-east-1" if live else "",
        "message": message,
        "catalog": judge.covers[native_type].catalog,
        "controls": judge.controls_for(native_type),
        "fingerprint": fingerprint(rule, subject.encode("utf-8", "backslashreplace").decode()),
        "where": Where(locator=subject),
        "source": f"aws:{ACCOUNT}" if live else "k8s:gpu-prod",
    }
    return Verdict(**{**values, **more})  # type: ignore[arg-type]


def never(fact: str, value: object, pointer: str) -> Evidence:
    """Evidence read from the call `c-17`."""
    return Evidence(fact, value, Origin("c-17", pointer))


def keys() -> list[Verdict]:
    """The keys of the account and of a plan."""
    rule, kind = "encryption.cmk_rotation", "AWS::KMS::Key"
    off = Detail("rotation_enabled", "automatic rotation is off", True, False)
    seen = never("rotation_enabled", False, "rotation.KeyRotationEnabled")
    message = "automatic rotation is off"
    found = [
        verdict(rule, Status.FAIL, f"{KEY}{n:012d}", kind, message, name=f"checkpoints-{n}", details=(off,), evidence=(seen,))
        for n in range(7)
    ]
    found[4] = found[4].replace(ai_role="training", name="llm-checkpoints")
    slow = Detail("rotation_days", "rotates only every 1000 days", "at most 365", 1000, Where("infra/modules/kms/main.tf", 8, 3))
    planned = verdict(
        rule,
        Status.FAIL,
        'plan/module.data["eu"].aws_kms_key.ckpt[0]',
        kind,
        "rotates only every 1000 days",
        name="ckpt",
        scope="network",
        region="",
        details=(slow, Detail("rotation_enabled", "automatic rotation is off", True, None)),
        where=Where("infra/modules/kms/main.tf", 6, 1, 'module.data["eu"].aws_kms_key.ckpt[0]'),
        source="plan:network",
        ai_role="data",
    )
    waived = verdict(rule, Status.FAIL, f"{KEY}legacy", kind, message, details=(off,), evidence=(seen,), waiver=ACCEPTED)
    blind = verdict(
        rule,
        Status.UNKNOWN,
        f"{KEY}hidden",
        kind,
        "rotation_enabled was not seen",
        gaps=(DENIED,),
        evidence=(Evidence("rotation_enabled", None, Origin("c-18", "rotation.KeyRotationEnabled"), DENIED),),
    )
    later = verdict(rule, Status.UNKNOWN, "plan/aws_kms_key.new", kind, "rotation_days is known after apply", gaps=(LATER,))
    good = never("rotation_enabled", True, "rotation.KeyRotationEnabled")
    passed = verdict(rule, Status.PASS, f"{KEY}good", kind, "", evidence=(good,), ai_role="inference")
    absent = verdict(rule, Status.NOT_APPLICABLE, f"{KEY}provider", kind, "manager is provider")
    return [*found, planned, waived, blind, later, passed, absent]


def workloads() -> list[Verdict]:
    """Workloads of a cluster and of manifests."""
    rule = "workload.privileged"
    privileged = Detail("privileged", "container 'worker' is privileged", False, ["worker"], Where("k8s/trainer.yaml", 14, 13))
    return [
        verdict(
            rule,
            Status.FAIL,
            "k8s/gpu-prod/Deployment.apps/training/llm-pretrain",
            "apps/v1/Deployment",
            "container 'worker' is privileged",
            region="",
            details=(privileged,),
            evidence=(Evidence("privileged", ["worker"]),),
            where=Where("k8s/trainer.yaml", 2, 1),
            source="manifests",
            ai_role="training",
        ),
        verdict(
            rule,
            Status.NOT_APPLICABLE,
            "k8s/gpu-prod/DaemonSet.apps/gpu-operator/nvidia-driver",
            "apps/v1/DaemonSet",
            "exempt: the GPU Operator loads the driver from here",
        ),
        verdict("workload.tags", Status.PASS, "k8s/gpu-prod/Pod/serving/llm-0", "v1/Pod", ""),
        *(
            verdict(
                "workload.tags" if index % 2 else rule,
                Status.FAIL,
                f"k8s/gpu-prod/Pod/hostile/{name}",
                "v1/Pod",
                f"container {name} is privileged",
                name=name,
                details=(Detail("privileged", f"container {name} is privileged", False, [name]),),
            )
            for index, name in enumerate(HOSTILE)
        ),
    ]


def others() -> list[Verdict]:
    """An unknown of a whole scope, a long value, a fail without details."""
    return [
        verdict(
            "logging.flow_logs",
            Status.UNKNOWN,
            ACCOUNT,
            "AWS::EC2::VPC",
            "the listing failed, so networks may be missing",
            name=ACCOUNT,
            region="eu-west-1",
            gaps=(NO_VPCS,),
            level="scope",
        ),
        verdict(
            "credentials.access_key_age",
            Status.FAIL,
            f"arn:aws:iam::{ACCOUNT}:user/ci/AKIAIOSFODNN7EXAMPLE",
            "AWS::IAM::AccessKey",
            "is 400 days old",
            region="global",
            details=(Detail("created", "is 400 days old", "at most 90 days ago", "2025-10-26T08:00:00Z " + "and so on " * 30),),
        ),
        verdict("logging.flow_logs", Status.FAIL, f"arn:aws:ec2:us-east-1:{ACCOUNT}:vpc/vpc-0a", "AWS::EC2::VPC", "no flow log"),
    ]


def report() -> Report:
    """The golden report."""
    order = (Status.FAIL, Status.UNKNOWN, Status.PASS, Status.NOT_APPLICABLE)
    verdicts = sorted([*keys(), *workloads(), *others()], key=lambda v: (order.index(v.status), v.severity.rank, v.rule))
    return Report(
        tool_version="0.1.0",
        generated_at="2026-11-30T08:03:10Z",
        snapshot_digest="16a0eeb0791b6c92451fd284dd9f599e0a7dbe7f6ebea6e2d2d06c7f74aec112",
        policy_digest="1e6ed65d77d6364eeaed5a745ba5c4985ae2b700dd85d7cf7f027bdf294a33fc",
        engine="regorus 0.13",
        sources=(
            Source(f"aws:{ACCOUNT}", "live", "aws", ACCOUNT, f"arn:aws:iam::{ACCOUNT}:role/audit", "2026-11-30T08:00:00Z"),
            Source("plan:network", "plan", "aws", "network", "", "2026-11-30T08:00:00Z", "Terraform 1.11.4"),
            Source("k8s:gpu-prod", "live", "kubernetes", "gpu-prod", "auditor", "2026-11-30T08:00:00Z", "v1.34.1"),
            Source("manifests", "manifest", "kubernetes", "gpu-prod", "", "2026-11-30T08:00:00Z"),
        ),
        rules=RULES,
        verdicts=tuple(verdicts),
        coverage=(
            Coverage("AWS::EC2::VPC", "network", ACCOUNT, "eu-west-1", Extent.ABSENT, NO_VPCS, 0, f"aws:{ACCOUNT}"),
            Coverage("AWS::EC2::VPC", "network", ACCOUNT, "us-east-1", Extent.COMPLETE, None, 1, f"aws:{ACCOUNT}"),
            Coverage("AWS::KMS::Key", "key", ACCOUNT, "us-east-1", Extent.COMPLETE, None, 11, f"aws:{ACCOUNT}"),
            Coverage("v1/Pod", "workload", "gpu-prod", "", Extent.COMPLETE, None, 16, "k8s:gpu-prod"),
        ),
        waivers=(
            ACCEPTED,
            Waiver(
                "encryption.*",
                "*/old",
                "was to be retired",
                "ops",
                "2026-06-30",
                where=Where("bartizan-waivers.yaml", 9, 5),
                state=WaiverState.EXPIRED,
            ),
            Waiver(
                "workload.privileged",
                "*/debug",
                "debugging",
                "ops",
                "2027-01-01",
                where=Where("bartizan-waivers.yaml", 15, 5),
                state=WaiverState.UNUSED,
            ),
            Waiver(
                "no.such_rule",
                "*",
                "",
                "",
                "",
                where=Where("bartizan-waivers.yaml", 21, 5),
                state=WaiverState.MALFORMED,
                problem="no rule has this id; reason and expires are missing",
            ),
        ),
        params={"encryption.cmk_rotation": {"max_days": 365}, "credentials.access_key_age": {"max_days": 90}},
        resources=28,
        calls=120,
        failed_calls=(
            Call(
                "c-18",
                "kms",
                "get_key_rotation_status",
                ACCOUNT,
                "us-east-1",
                Outcome.FAILED,
                Reason.DENIED,
                "AccessDeniedException: not authorized",
                41.5,
                0,
            ),
            Call(
                "c-33",
                "ec2",
                "describe_vpcs",
                ACCOUNT,
                "eu-west-1",
                Outcome.FAILED,
                Reason.THROTTLED,
                "RequestLimitExceeded",
                9000.0,
                5,
            ),
        ),
        problems=("k8s/broken.yaml:7: not valid YAML, the file was not read",),
        exit_code=1,
        exit_reason="gate failed: 16 findings at or above high (--fail-on high)",
    )
