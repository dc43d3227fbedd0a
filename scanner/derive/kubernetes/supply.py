"""Where images, models, data and credentials of a workload come from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes import control_plane, kubelet
from scanner.derive.kubernetes.access import account
from scanner.derive.kubernetes.types import ACCOUNT, CLUSTER, NODE, POD, POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

ASSOCIATION = "AWS::EKS::PodIdentityAssociation"
_ARN = re.compile(r"arn:aws[a-z-]*:eks:[a-z0-9-]+:(\d{12}):cluster/.+")
_EKSCTL = re.compile(r"([A-Za-z0-9-]+)\.([a-z0-9-]+)\.eksctl\.io")
AZURE_LABEL = "azure.workload.identity/use"
Facts = Mapping[str, JSON | Gap]


# ---- workload identities


def _associated(pod: Resource, world: World) -> Truth:
    """Whether EKS Pod Identity gives the pod's service account a role; a gap where the account of AWS was not seen with the cluster.

    https://docs.aws.amazon.com/eks/latest/userguide/pod-identities.html
    """
    associations = world.memo("kubernetes.associations", lambda: _associations(world))
    name = world.fact(pod, "service_account")
    if isinstance(name, Gap):
        return name
    found, gap = associations
    cluster = _cluster(pod.scope, {c for c, _, _ in found})
    if (cluster, namespace_of(pod), str(name)) in found:
        return True
    owner = _ARN.fullmatch(cluster)
    if from_manifests(pod) or owner is None:
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Scan the AWS account in the same run, with a kubeconfig that `aws eks update-kubeconfig` wrote.",
            "whether EKS Pod Identity or the provider binds the service account was not seen",
        )
    return world.listing(ASSOCIATION, owner.group(1)) or gap or False


def _associations(world: World) -> tuple[set[tuple[str, str, str]], Gap | None]:
    """(cluster, namespace, service account) of every association, and why there may be more."""
    found: set[tuple[str, str, str]] = set()
    gap: Gap | None = None
    for grant in world.all("grant"):
        if grant.native_type != ASSOCIATION:
            continue
        cluster, subjects = world.fact(grant, "cluster_id"), world.fact(grant, "subjects")
        if isinstance(cluster, Gap) or isinstance(subjects, Gap):
            gap = gap or next(v for v in (cluster, subjects) if isinstance(v, Gap))
            continue
        found |= {(str(cluster), str(s["namespace"]), str(s["name"])) for s in subjects}
    return found, gap


def _cluster(scope: str, known: set[str]) -> str:
    """The id by which AWS knows a cluster: the name that its own tools write into a kubeconfig."""
    named = _EKSCTL.fullmatch(scope)
    if named is None:
        return scope
    mine = [c for c in known if c.endswith(f"/{named.group(1)}") and f":eks:{named.group(2)}:" in c]
    return mine[0] if len(mine) == 1 else scope


def _forms(pod: Resource, world: World) -> Mapping[str, bool] | Gap:
    found = account(pod, world)
    if isinstance(found, Gap):
        return found
    forms: Mapping[str, bool] | Gap = world.fact(found, "cloud_identity_form")
    return forms


def _labelled(pod: Resource, world: World) -> Truth:
    labels: Any = world.fact(pod, "pod_labels")
    return labels if isinstance(labels, Gap) else labels.get(AZURE_LABEL) == "true"


def identity_seen(pod: Resource, world: World) -> Truth:
    """Whether the snapshot shows an identity of a cloud that is bound to the pod's service account."""
    injected = world.fact(pod, "injected_identity")
    forms = _forms(pod, world)
    seen = _associated(pod, world)
    if injected and not isinstance(injected, Gap):
        return True
    if seen is True:
        return True
    if isinstance(forms, Gap):
        return forms
    bound = [_labelled(pod, world) if cloud == "azure" else True for cloud, sound in forms.items() if sound]
    return any_of([*bound, *([injected] if isinstance(injected, Gap) else [])])


def _why(cloud: str, pod: Resource, world: World) -> str | Gap:
    """Why pods have no identity of a cloud; empty where they have one."""
    injected: Any = world.fact(pod, "injected_identity")
    if isinstance(injected, Gap) or cloud in injected:
        return injected if isinstance(injected, Gap) else ""
    if cloud == "azure":
        return _why_azure(pod, world)
    if cloud == "aws" and pod.native_type == POD and not from_manifests(pod):
        return "the webhook of EKS has put no identity into the pod"
    forms = _forms(pod, world)
    if not isinstance(forms, Gap) and cloud in forms:
        return "" if forms[cloud] else "the annotation of its service account names no identity"
    seen = (
        _associated(pod, world)
        if cloud == "aws"
        else Gap(
            Reason.NOT_OFFERED,
            "",
            "Annotate the service account with iam.gke.io/gcp-service-account, or look for principals of the cluster's pool in the project.",
            "GKE binds service accounts in the project as well, which was not seen",
        )
    )
    if seen is False:
        return forms if isinstance(forms, Gap) else "its service account has neither an annotation nor an association of EKS"
    return "" if seen is True else seen


def _why_azure(pod: Resource, world: World) -> str | Gap:
    """Both the label of the pod and the annotation of the account.

    https://azure.github.io/azure-workload-identity/docs/topics/service-account-labels-and-annotations.html
    """
    labelled = _labelled(pod, world)
    if labelled is False:
        return f'its pods lack the label {AZURE_LABEL}: "true"'
    if isinstance(labelled, Gap):
        return labelled
    forms = _forms(pod, world)
    if isinstance(forms, Gap):
        return forms
    if "azure" in forms:
        return "" if forms["azure"] else "the annotation of its service account names no identity"
    return Gap(
        Reason.NOT_OFFERED,
        "",
        "Annotate the service account with azure.workload.identity/client-id.",
        "its service account has no azure.workload.identity/client-id: the program may name the identity itself",
    )


def without_identity(pod: Resource, world: World) -> tuple[JSON | Gap, Truth]:
    """The clouds that a pod uses without an identity of theirs, and whether that is all."""
    uses: Any = world.fact(pod, "cloud_uses")
    if isinstance(uses, Gap):
        return uses, uses
    found: list[JSON] = []
    gap: Gap | None = None
    for cloud in sorted({str(use["cloud"]) for use in uses}):
        why = _why(cloud, pod, world)
        if isinstance(why, Gap):
            gap = gap or why
        elif why:
            found.append({"cloud": cloud, "why": why})
    return found, gap or True


# ---- images


def pull_secrets(pod: Resource, world: World) -> JSON | Gap:
    """The pull secrets of a pod: those of its account only where it names none.

    https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#add-imagepullsecrets-to-a-service-account
    """
    own = world.fact(pod, "pull_secrets")
    if isinstance(own, Gap) or own:
        return own
    if pod.native_type == POD and not from_manifests(pod):
        return own
    found = account(pod, world)
    return found if isinstance(found, Gap) else world.fact(found, "pull_secrets")


def pull_verified(pod: Resource, world: World) -> Truth:
    """Whether the right to an image that is on the node is checked again: by the API server's plugin, or by every kubelet.

    https://kubernetes.io/docs/concepts/containers/images/#ensureimagepullcredentialverification
    """
    if from_manifests(pod):
        return unseen(world, pod, POD, "how the API server is started") or False
    return world.memo(f"kubernetes.pull_verified {pod.scope}", lambda: any_of([_plugin(pod, world), _kubelets(pod, world)]))


def _plugin(pod: Resource, world: World) -> Truth:
    """Whether the API server sets the policy itself.

    https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#alwayspullimages
    """
    servers: Sequence[Resource] = control_plane.components(world, pod.scope).get(control_plane.API_SERVER, ())
    if not servers:
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Set imagePullPolicy: Always.",
            "how the API server is started was not seen: AlwaysPullImages may be on",
        )
    return all_of(_enabled(server, world) for server in servers)


def _enabled(server: Resource, world: World) -> Truth:
    flags = control_plane.flags_of(server, world)
    if isinstance(flags, Gap):
        return flags
    names = flags.names("enable-admission-plugins")
    return names if isinstance(names, Gap) else "AlwaysPullImages" in names


def _kubelets(pod: Resource, world: World) -> Truth:
    nodes = [n for n in world.all("node", pod.scope) if n.native_type == NODE]
    told = all_of(_verifies(node, world) for node in nodes)
    return told if told is False else world.listing(NODE, pod.scope) or (told if nodes else False)


def _verifies(node: Resource, world: World) -> Truth:
    """Whether a kubelet asks again: the gate is there from v1.33, on from v1.35 (https://www.kubernetes.dev/resources/keps/2535/)."""
    version = world.fact(node, "kubelet_version")
    if isinstance(version, Gap):
        return version
    told = re.match(r"v?(\d+)\.(\d+)", str(version))
    if told is None:
        return Gap(Reason.UNPARSABLE, "status.nodeInfo.kubeletVersion", "Look at the node.", f"{version!r} is no version")
    number = (int(told.group(1)), int(told.group(2)))
    if number < (1, 33):
        return False
    file = kubelet.of_node(node, world)
    written: Any = file if isinstance(file, Gap) else world.fact(file, "kubelet")
    if isinstance(written, Gap):
        return written
    policy = written.get("pull_verification", "NeverVerifyPreloadedImages")
    return bool(written.get("pull_gate", number >= (1, 35))) and policy != "NeverVerify"


def _identity_facts(pod: Resource, world: World) -> Facts:
    without, settled = without_identity(pod, world)
    return {"identity_seen": identity_seen(pod, world), "without_identity": without, "identity_settled": settled}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("identity_seen", "without_identity", "identity_settled"),
        _identity_facts,
        needs=("namespace", "service_account", "injected_identity", "cloud_uses", "pod_labels"),
        reads={ACCOUNT: ("cloud_identity_form",), ASSOCIATION: ("cluster_id", "subjects")},
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("pull_secrets_used",),
        lambda pod, world: {"pull_secrets_used": pull_secrets(pod, world)},
        needs=("namespace", "service_account", "pull_secrets"),
        reads={ACCOUNT: ("pull_secrets",)},
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("pull_verified",),
        lambda pod, world: {"pull_verified": pull_verified(pod, world)},
        reads={
            POD: ("component", "flags"),
            NODE: ("kubelet_version",),
            kubelet.KUBELET: ("kubelet", "kubelet_effective"),
            CLUSTER: ("version",),
        },
        native_types=POD_LIKE,
    ),
)
