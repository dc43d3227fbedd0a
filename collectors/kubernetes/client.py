"""One cluster as one identity: raw pages of objects, bounded retries, and every error in the closed list of reasons.

Only configuration, TLS and authentication are the Kubernetes client's; requests go to its connection pool directly. Its typed models
would take fifteen times the memory, and its `call_api` has changed between versions.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from collectors.ask import Fault
from collectors.kubernetes.redact import clean
from collectors.table import Call as Question
from scanner.model import JSON, BartizanError, Gap, Reason, frozen

ATTEMPTS = 5
"""How often a question is asked that meets load or a broken connection."""
LONGEST_WAIT = 30.0
"""Seconds between two attempts, whatever `Retry-After` says."""
MOST_BYTES = 512 * 1024 * 1024
"""Of one page."""
TIMEOUT = (10.0, 60.0)
"""Seconds to connect, and for the answer to begin."""
GONE = 410
TOO_MANY = 429
METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
"""https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches"""
DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
STATUS_KEPT: Mapping[str, tuple[str, ...]] = {
    "Service": ("loadBalancer", "url"),
    "Ingress": ("loadBalancer",),
    "InferenceService": ("url", "servingRuntimeName", "clusterServingRuntimeName"),
    "Node": ("nodeInfo", "capacity"),
    "ClusterPolicy": ("namespace",),
    "DaemonSet": ("desiredNumberScheduled", "numberReady"),
    "GPUCluster": ("namespace",),
    "NVIDIADriver": ("namespace",),
    "ResourceClaim": ("allocation",),
    "Namespace": ("phase",),
    "Pod": ("phase", "ephemeralContainerStatuses"),
    "Workflow": ("phase",),
    "CertificateSigningRequest": ("conditions",),
}
"""What is kept of an object's status: what tables read."""


class Refused(Exception):  # noqa: N818 - what happened, not what kind of thing it is
    """The server's answer is an error."""

    def __init__(self, status: int, code: str, message: str, token: str = "", wait: float = 0.0) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.token = token
        """For an expired continue token: the one that goes on inconsistently."""
        self.wait = wait
        """Seconds that the server asks to wait."""


class Broken(Exception):  # noqa: N818 - as Refused
    """No answer, or one that is not JSON. `reason` says which."""

    def __init__(self, reason: Reason, code: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.code = code


@frozen
class Access:
    """How to reach a cluster: the client library's configured connection, and what the cluster is called."""

    api: Any
    """A `kubernetes.client.ApiClient`."""
    name: str
    namespace: str = ""
    """The context's own namespace."""

    @property
    def server(self) -> str:
        """The URL under which it is asked."""
        return str(self.api.configuration.host)

    @property
    def indirect(self) -> bool:
        """It is asked from within, or through a proxy: the URL is not where others reach it."""
        return not self.name or bool(getattr(self.api.configuration, "proxy", None))


def connect(kubeconfig: str | None, context: str | None) -> Access:
    """The cluster of a kubeconfig's context, or the one that this process runs in.

    Raises BartizanError where there is neither, or the library is missing.
    """
    try:
        import yaml  # noqa: PLC0415 - as the next one
        from kubernetes import client, config  # noqa: PLC0415 - an extra; only a live scan needs it
    except ImportError as error:
        raise BartizanError("A live cluster takes the Kubernetes client: install bartizan[kubernetes].") from error
    loader: Any = config
    settings = client.Configuration()
    try:
        try:
            contexts, current = loader.list_kube_config_contexts(config_file=kubeconfig)
        except loader.ConfigException:
            if kubeconfig or context:
                raise
            loader.load_incluster_config(client_configuration=settings)
            return Access(_api(client, settings), "")
        chosen = next((c for c in contexts if c["name"] == context), None) if context else current
        if chosen is None:
            known = ", ".join(c["name"] for c in contexts)
            raise BartizanError(f"The kubeconfig has no context {context!r}; it has: {known}.")
        loader.load_kube_config(config_file=kubeconfig, context=chosen["name"], client_configuration=settings, persist_config=False)
    except (loader.ConfigException, yaml.YAMLError, OSError, TypeError, AttributeError, KeyError) as error:
        raise BartizanError(
            f"No usable kubeconfig: {str(error).rstrip('.')}. Name one with --kubeconfig, or a context with --context."
        ) from error
    details = chosen.get("context") or {}
    return Access(_api(client, settings), str(details.get("cluster") or chosen["name"]), str(details.get("namespace") or ""))


def _api(client: Any, settings: Any) -> Any:
    settings.retries = False
    return client.ApiClient(settings)


class Cluster:
    """See `collectors.ask.Client`. The `region` of a question is a namespace, empty for all of them."""

    def __init__(
        self, access: Access, *, page: int = 500, sleep: Callable[[float], None] = time.sleep, attempts: int = ATTEMPTS
    ) -> None:
        self.access = access
        self.page = page
        self.sleep = sleep
        self.attempts = attempts

    # ---- one request

    def request(
        self, method: str, path: str, query: Mapping[str, str] | None = None, body: JSON = None, accept: str = "application/json"
    ) -> JSON:
        """The JSON answer to one request. Raises Refused or Broken."""
        import urllib3  # noqa: PLC0415 - comes with the Kubernetes client

        api = self.access.api
        settings = api.configuration
        headers = {"Accept": accept, "User-Agent": "bartizan", **urllib3.make_headers(accept_encoding="gzip")}
        token = settings.get_api_key_with_prefix("authorization") or settings.get_api_key_with_prefix("BearerToken")
        if token:
            headers["authorization"] = token
        elif settings.username:
            headers["authorization"] = settings.get_basic_auth_token()
        if body is not None:
            headers["Content-Type"] = "application/json"
        url = settings.host + path + (f"?{urlencode(query)}" if query else "")
        timeout = urllib3.Timeout(connect=TIMEOUT[0], read=TIMEOUT[1])
        try:
            answer = api.rest_client.pool_manager.request(
                method,
                url,
                body=None if body is None else json.dumps(body),
                headers=headers,
                timeout=timeout,
                retries=False,
                preload_content=False,
            )
            data = answer.read(MOST_BYTES, decode_content=True)
            answer.release_conn()
        except urllib3.exceptions.HTTPError as error:
            raise Broken(Reason.TIMEOUT, type(error).__name__, str(error)[:300]) from error
        if len(data) >= MOST_BYTES:
            raise Broken(Reason.TRUNCATED, "TooLarge", f"the answer has {MOST_BYTES} bytes or more")
        return _parsed(answer.status, answer.headers, data)

    def ask(
        self, method: str, path: str, query: Mapping[str, str] | None = None, body: JSON = None, accept: str = "application/json"
    ) -> tuple[JSON, int]:
        """As `request`, asked again where load or a broken connection came between; with the number of retries."""
        for attempt in range(self.attempts):
            wait = min(LONGEST_WAIT, 0.25 * 2**attempt) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter
            try:
                return self.request(method, path, query, body, accept), attempt
            except Refused as error:
                again = error.status == TOO_MANY or error.status >= 500  # noqa: PLR2004 - server errors
                if not again or attempt + 1 == self.attempts:
                    raise
                wait = min(LONGEST_WAIT, error.wait or wait)
            except Broken as error:
                if error.reason is not Reason.TIMEOUT or attempt + 1 == self.attempts:
                    raise
            self.sleep(wait)
        raise Broken(Reason.BUG, "NoAttempt", "attempts is zero")

    # ---- the client of the interpreter

    def pages(self, question: Question, args: Mapping[str, Any], region: str) -> Iterator[tuple[JSON, int]]:
        """The objects of a type, a page at a time, redacted and without what no table reads.

        `args`: `name` for a single object; `fields`, a field selector, for the metadata alone of those that it picks, which are then said
        to be of the `type`.
        """
        path = path_of(question.service, question.operation, region, str(args.get("name", "")))
        token, again = "", False
        chosen = {"fieldSelector": str(args["fields"])} if "fields" in args else {}
        accept = METADATA if chosen else "application/json"
        while True:
            query = {"limit": str(self.page)} | ({"continue": token} if token else {}) | chosen
            try:
                answer, retries = self.ask("GET", path, {} if "name" in args else query, accept=accept)
            except Refused as error:
                if error.status != GONE or again:
                    raise
                # NOTE: the list has become older than the server keeps. Its own token goes on from here: whatever existed when the
                # listing began and still does is seen. Without one the listing begins anew, once; resources seen twice are replaced.
                token, again = error.token, not error.token
                continue
            if chosen and (not isinstance(answer, dict) or answer.get("kind") != "PartialObjectMetadataList"):
                raise Broken(Reason.NOT_OFFERED, "NotMetadata", "the server does not answer with the metadata alone")
            slimmed = slim(answer)
            if chosen:
                for item in slimmed["items"]:
                    del item["kind"], item["apiVersion"]  # those of metadata alone
                    item["type"] = args.get("type", "")
            yield slimmed, retries
            token = str((slimmed["metadata"] or {}).get("continue") or "")
            if not token:
                return

    def fault(self, error: Exception) -> Fault:
        """See `Client`."""
        if isinstance(error, Refused):
            reason = _reason(error.status)
            remedy = "Log in to the cluster again." if error.status == 401 else ""  # noqa: PLR2004 - Unauthorized
            return Fault(reason, f"{error.status} {error.code}".strip(), error.message[:300], remedy, fatal=error.status == 401)  # noqa: PLR2004
        if isinstance(error, Broken):
            return Fault(error.reason, error.code, str(error))
        return Fault(Reason.BUG, type(error).__name__, str(error)[:300])

    def gap(self, error: Refused | Broken, call: str) -> Gap:
        """What is not seen where a request of one's own fails; `call` names it."""
        fault = self.fault(error)
        return Gap(fault.reason, call, fault.remedy or "Ask again later.", f"{fault.code}: {fault.detail}"[:200])

    def title(self, question: Question) -> str:
        """`apps/v1:deployments`."""
        return f"{question.service}:{question.operation}"

    def actions(self, question: Question) -> tuple[str, ...]:
        """The verb, the resource and its API group, as a role names them."""
        group = question.service.rpartition("/")[0]
        return (f'verbs [get, list] on {question.operation} of apiGroups ["{group}"]',)


def path_of(group_version: str, plural: str, namespace: str = "", name: str = "") -> str:
    """The path of a listing, or of one object."""
    root = f"/apis/{group_version}" if "/" in group_version else f"/api/{group_version}"
    inside = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
    return f"{root}{inside}/{plural}" + (f"/{quote(name, safe='')}" if name else "")


def _parsed(status: int, headers: Mapping[str, str], data: bytes) -> JSON:
    try:
        answer = json.loads(data) if data else {}
    except (ValueError, RecursionError) as error:
        if status < 400:  # noqa: PLR2004 - success
            raise Broken(Reason.UNPARSABLE, "NotJSON", f"the answer is not JSON: {type(error).__name__}") from error
        answer = {}
    if status < 400:  # noqa: PLR2004 - success
        return answer
    said = answer if isinstance(answer, dict) else {}
    wait = headers.get("Retry-After") or ""
    meta = said.get("metadata")
    raise Refused(
        status,
        str(said.get("reason") or ""),
        str(said.get("message") or f"HTTP status {status}"),
        str(meta.get("continue") or "") if isinstance(meta, dict) else "",
        float(wait) if wait.isdigit() else 0.0,
    )


REASONS = {
    401: Reason.DENIED,
    403: Reason.DENIED,
    404: Reason.SERVICE_OFF,
    405: Reason.NOT_OFFERED,
    410: Reason.TRUNCATED,
    429: Reason.THROTTLED,
}


def _reason(status: int) -> Reason:
    return REASONS.get(status, Reason.TIMEOUT if status >= 500 else Reason.UNPARSABLE)  # noqa: PLR2004 - server errors


def slim(answer: JSON) -> dict[str, Any]:
    """A list (or one object) as `{metadata, items}`: every item says what it is, is redacted, and has of its status what tables read.

    Raises Broken where it is neither.
    """
    if not isinstance(answer, dict) or not isinstance(answer.get("kind"), str):
        raise Broken(Reason.UNPARSABLE, "NotAList", "the answer is no Kubernetes object")
    items = answer.get("items") if answer["kind"].endswith("List") else [answer]
    items = [] if items is None else items
    if not isinstance(items, list) or not all(isinstance(i, dict) for i in items):
        raise Broken(Reason.UNPARSABLE, "NotAList", "the answer's items are no objects")
    kind = answer["kind"].removesuffix("List")
    for item in items:
        item.setdefault("kind", kind)
        item.setdefault("apiVersion", answer.get("apiVersion"))
        status = item.pop("status", None)
        kept = {k: status[k] for k in STATUS_KEPT.get(str(item["kind"]), ()) if k in status} if isinstance(status, dict) else {}
        if kept:
            item["status"] = kept
        clean(item)
    meta = answer.get("metadata")
    return {"metadata": meta if isinstance(meta, dict) and answer["kind"].endswith("List") else {}, "items": items}
