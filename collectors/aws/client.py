"""boto3 as the interpreter's `Client`: sessions, paging, and botocore's exceptions in the closed list of reasons."""

from __future__ import annotations

import csv
import functools
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from collectors.ask import Fault
from collectors.aws.models import Models
from collectors.aws.shapes import Shapes, UnexpectedShapeError
from collectors.project import look
from collectors.table import Call
from scanner.model import JSON, BartizanError, Reason, frozen

ATTEMPTS = 5
CONNECT_SECONDS = 5
READ_SECONDS = 30

DENIED = re.compile(
    r"AccessDenied|Unauthorized|NotAuthorized|AuthorizationError|Forbidden|^403$|AllAccessDisabled|AuthFailure|SignatureDoesNotMatch"
)
THROTTLED = re.compile(
    r"Throttl|TooManyRequests|RequestLimitExceeded|LimitExceededException|SlowDown|RequestThrottled|BandwidthLimit|PriorRequestNotComplete|^429$"
)
EXPIRED = re.compile(
    r"ExpiredToken|RequestExpired|TokenRefreshRequired|InvalidClientTokenId|UnrecognizedClient|InvalidToken|InvalidAccessKeyId"
)
REGION_OFF = re.compile(r"OptInRequired|RegionDisabled|InvalidRegion")
SERVICE_OFF = re.compile(
    r"SubscriptionRequired|NotSubscribed|UnsupportedOperation|InvalidAction|UnknownOperation|EndpointConnectionError|NotImplemented|^501$"
)
# https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html: an SCP's denial says so
BY_SCP = re.compile(r"explicit deny in a service control policy|no service control policy allows", re.IGNORECASE)

PREFIXES = {  # IAM prefix of a client whose own name differs: https://docs.aws.amazon.com/service-authorization/latest/reference/
    "elb": "elasticloadbalancing",
    "elbv2": "elasticloadbalancing",
    "s3control": "s3",
    "bedrock-agent": "bedrock",
    "bedrock-agentcore-control": "bedrock-agentcore",
    "accessanalyzer": "access-analyzer",
    "efs": "elasticfilesystem",
    "opensearch": "es",
}


LOOPBACK = ("127.0.0.1", "localhost", "::1")


def plain_host(request: Any, **_: Any) -> None:
    """S3 Control puts the account id before the host's name, which no loopback address has."""
    request.url = re.sub(r"//\d{12}\.", "//", request.url)


@frozen
class _Service:
    clients: dict[str, Any]
    """Region → client."""
    shapes: Shapes


class BotoClient:
    """One account as one identity. Clients are made once a (service, region) and shared by all threads, as boto3 allows."""

    def __init__(self, session: Any, endpoint: str | None = None, pool: int = 32, models: Models | None = None) -> None:
        self.session = session
        self._endpoint = endpoint
        self._pool = pool
        self._models = models or Models()
        self._services: dict[str, _Service] = {}
        self._lock = threading.Lock()

    def client(self, service: str, region: str) -> Any:
        """The boto3 client of a service in a region."""
        return self._service(service, region).clients[region]

    def _service(self, service: str, region: str) -> _Service:
        # NOTE: making a client takes long: who has one must not wait for who makes another
        found = self._services.get(service)
        if found is not None and region in found.clients:
            self._models.use(service)
            return found
        with self._lock:
            kept = self._models.use(service)
            found = self._services.get(service)
            if found is None or region not in found.clients:
                client = self._made(service, region)
                shapes = found.shapes if found else Shapes(client.meta.service_model)
                found = _Service({**(found.clients if found else {}), region: client}, shapes)
                # NOTE: who asks just now holds the client that is let go until its answer is there
                self._services = {**{name: s for name, s in self._services.items() if name in kept}, service: found}
            return found

    def _made(self, service: str, region: str) -> Any:
        from botocore.config import Config  # noqa: PLC0415 - the SDK is an extra, imported when asked for

        config = Config(
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            connect_timeout=CONNECT_SECONDS,
            read_timeout=READ_SECONDS,
            max_pool_connections=self._pool,
            user_agent_extra="bartizan",
            parameter_validation=False,  # the tables' parameters are checked by a test
            s3={"addressing_style": "path"} if self._endpoint else None,
        )
        self._models.load(service, self.session)
        made = self.session.client(service, region_name=region, endpoint_url=self._endpoint, config=config)
        if service == "s3control" and urlsplit(made.meta.endpoint_url).hostname in LOOPBACK:
            made.meta.events.register_last("before-sign.s3-control", plain_host, unique_id="bartizan-plain-host")
        return made

    def pages(self, question: Call, args: Mapping[str, Any], region: str) -> Iterator[tuple[JSON, int]]:
        """See `collectors.ask.Client`: boto3's paginator, the table's own token, or a single call."""
        return self._pages(question, dict(args), region)

    def _pages(self, question: Call, args: dict[str, Any], region: str) -> Iterator[tuple[JSON, int]]:
        service = self._service(question.service, region)
        client = service.clients[region]
        name = client.meta.method_to_api_mapping[question.operation]
        for answer in self._answers(client, question, args):
            said, retries = _plain(_rows(answer, question.csv))
            service.shapes.check(name, said)
            yield said, retries

    @staticmethod
    def _answers(client: Any, question: Call, args: dict[str, Any]) -> Iterator[Mapping[str, Any]]:
        if question.token:
            parameter, path = question.token
            while True:
                answer = getattr(client, question.operation)(**args)
                yield answer
                token = look(path, answer)
                if not token:
                    return
                if token == args.get(parameter):
                    raise UnexpectedShapeError("the same page comes again and again")
                args[parameter] = token
        elif client.can_paginate(question.operation):
            yield from client.get_paginator(question.operation).paginate(**args)
        else:
            yield getattr(client, question.operation)(**args)

    def fault(self, error: Exception) -> Fault:
        """See `collectors.ask.Client`."""
        response = getattr(error, "response", None)
        if isinstance(response, dict) and "Error" in response:
            code = str(response["Error"].get("Code", ""))
            said = str(response["Error"].get("Message", ""))[:300]
            return _coded(code, said)
        name = type(error).__name__
        said = str(error)[:300]
        if name == "EndpointConnectionError" and _no_such_host(error):
            # NOTE: that host alone has no address, while the account answered at others: AWS does not offer the service there
            return Fault(Reason.SERVICE_OFF, name, said)
        if name in ("UnknownServiceError", "UnknownRegionError", "NoRegionError"):
            # NOTE: it is boto3 that does not know it; whether the account uses it nobody has seen
            return Fault(Reason.BUG, name, said, "Update boto3.")
        if name in (
            "EndpointConnectionError",
            "ConnectTimeoutError",
            "ReadTimeoutError",
            "ConnectionClosedError",
            "ProxyConnectionError",
            "HTTPClientError",
            "SSLError",
            "IncompleteReadError",
            "ResponseStreamingError",
        ):
            return Fault(Reason.TIMEOUT, name, said)
        if name in (
            "NoCredentialsError",
            "PartialCredentialsError",
            "CredentialRetrievalError",
            "TokenRetrievalError",
            "UnauthorizedSSOTokenError",
            "SSOTokenLoadError",
        ):
            return Fault(Reason.DENIED, name, said, "Log in again, then scan with --resume.", fatal=True)
        if name in ("ResponseParserError", "JSONDecodeError", "ParamValidationError", "UnexpectedShapeError"):
            return Fault(Reason.UNPARSABLE, name, said)
        return Fault(Reason.BUG, name, said)

    def title(self, question: Call) -> str:
        """See `collectors.ask.Client`."""
        return f"{question.service}:{self._operation(question)}"

    def _operation(self, question: Call) -> str:
        """As `operation`, from a client at hand: another look at the model would cost more memory than the scan."""
        service = self._services.get(question.service)
        clients = [*service.clients.values()] if service else []
        names = clients[0].meta.method_to_api_mapping if clients else {}
        return str(names.get(question.operation) or operation(question))

    def actions(self, question: Call) -> tuple[str, ...]:
        """See `collectors.ask.Client`."""
        return actions(question, self._operation)


def _no_such_host(error: Exception) -> bool:
    """A name that does not exist, which is another thing than a name server that does not answer."""
    seen: BaseException | None = getattr(error, "kwargs", {}).get("error")
    while seen is not None:
        if isinstance(seen, socket.gaierror):
            return seen.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
        seen = seen.__cause__ or seen.__context__
    return False


@functools.lru_cache(maxsize=64)
def _names(service: str) -> Mapping[str, str]:
    """boto3's method names of a service → its operation names."""
    from botocore import xform_name  # noqa: PLC0415 - the SDK is an extra, imported when asked for
    from botocore.session import get_session  # noqa: PLC0415

    return {xform_name(name): name for name in get_session().get_service_model(service).operation_names}


def operation(question: Call) -> str:
    """The API's name of a call's operation: `get_key_policy` → `GetKeyPolicy`."""
    return _names(question.service).get(question.operation, question.operation)


def actions(question: Call, named: Callable[[Call], str] = operation) -> tuple[str, ...]:
    """The IAM actions of a call: its own where the table names them, else `service:Operation`."""
    return question.actions or (f"{PREFIXES.get(question.service, question.service)}:{named(question)}",)


def _rows(answer: Mapping[str, Any], member: str) -> Mapping[str, Any]:
    """The answer with the comma-separated values of a member as a list of rows."""
    if not member:
        return answer
    text = answer.get(member) or b""
    read = csv.DictReader((text.decode() if isinstance(text, bytes) else str(text)).splitlines())
    return {**answer, member: list(read)}


def _plain(answer: Mapping[str, Any]) -> tuple[JSON, int]:
    """An answer as JSON (times as RFC 3339, bytes dropped) without its envelope, and its retries."""
    meta = answer.get("ResponseMetadata", {})
    return _json({k: v for k, v in answer.items() if k != "ResponseMetadata"}), int(meta.get("RetryAttempts", 0))


def _json(value: Any) -> JSON:
    if isinstance(value, dict):
        return {str(k): _json(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_json(v) for v in value]
    if hasattr(value, "isoformat"):
        text: str = value.isoformat()
        return text.replace("+00:00", "Z")
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return None  # bytes and streams are never metadata


def _coded(code: str, said: str) -> Fault:
    if EXPIRED.search(code):
        return Fault(
            Reason.DENIED,
            code,
            said,
            "The credentials have expired or are not valid: log in again, then scan with --resume.",
            fatal=True,
        )
    if DENIED.search(code):
        remedy = (
            "An organisation's service control policy denies it: ask the organisation's administrator."
            if BY_SCP.search(said)
            else ""
        )
        return Fault(Reason.DENIED, code, said, remedy)
    if code == "InvalidAccessException":
        # NOTE: Security Hub says it of an account that has not turned it on, and of a caller who may not ask: only the text tells
        off = "not subscribed" in said.lower()
        return Fault(Reason.SERVICE_OFF, "NotSubscribed", said) if off else Fault(Reason.DENIED, code, said)
    for pattern, reason in ((THROTTLED, Reason.THROTTLED), (REGION_OFF, Reason.REGION_OFF), (SERVICE_OFF, Reason.SERVICE_OFF)):
        if pattern.search(code):
            return Fault(reason, code, said)
    if code in (
        "InternalError",
        "InternalFailure",
        "ServiceUnavailable",
        "500",
        "502",
        "503",
        "504",
        "RequestTimeout",
        "RequestTimeoutException",
    ):
        return Fault(Reason.TIMEOUT, code, said)
    return Fault(Reason.UNPARSABLE, code or "Error", said)


def session_for(
    *,
    profile: str | None = None,
    role: str | None = None,
    external_id: str | None = None,
    region: str | None = None,
    credentials: Mapping[str, str] | None = None,
) -> Any:
    """A boto3 session, of an assumed role where one is given; its credentials refresh themselves.

    Raises BartizanError where boto3 is missing, or the profile does not exist.
    """
    try:
        import boto3  # noqa: PLC0415 - the SDK is an extra
        from botocore.exceptions import BotoCoreError  # noqa: PLC0415
    except ImportError as error:
        raise BartizanError("Scanning AWS needs boto3: pip install 'bartizan[aws]'.") from error
    try:
        session = boto3.Session(profile_name=profile, region_name=region, **(credentials or {}))
    except BotoCoreError as error:
        raise BartizanError(f"--profile {profile}: {error}") from error
    return _assumed(session, role, external_id) if role else session


def _assumed(session: Any, role: str, external_id: str | None) -> Any:
    import boto3  # noqa: PLC0415
    from botocore.credentials import AssumeRoleCredentialFetcher, DeferredRefreshableCredentials  # noqa: PLC0415
    from botocore.session import get_session  # noqa: PLC0415

    extra = {"RoleSessionName": "bartizan", **({"ExternalId": external_id} if external_id else {})}
    base = session._session  # noqa: SLF001 - boto3 offers no public way from a session to its botocore session
    fetcher = AssumeRoleCredentialFetcher(
        client_creator=base.create_client, source_credentials=base.get_credentials(), role_arn=role, extra_args=extra
    )
    inner = get_session()
    inner._credentials = DeferredRefreshableCredentials(refresh_using=fetcher.fetch_credentials, method="assume-role")  # noqa: SLF001
    inner.set_config_variable("region", session.region_name)
    return boto3.Session(botocore_session=inner)
