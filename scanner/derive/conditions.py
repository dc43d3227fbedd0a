"""Whom a policy condition keeps out. Three answers: `closed` (no outsider meets it), `open` (an outsider can), `unclear`.

An outsider is a caller of no account, or of an account that the policy's author did not name. What is not understood is `unclear`:
an unknown key is never ignored, and never trusted either.

Keys: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
Operators: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
What S3 calls public: https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal

from scanner.model import frozen

Reach = Literal["open", "closed", "unclear"]
Condition = Mapping[str, Any]

ACCOUNT_KEYS = frozenset(
    {
        "aws:principalaccount",
        "aws:sourceaccount",
        "aws:sourceowner",
        "aws:vpceaccount",
        "kms:calleraccount",
        "s3:dataaccesspointaccount",
    }
)
ARN_KEYS = frozenset({"aws:sourcearn", "aws:principalarn", "aws:sourcevpcarn", "s3:dataaccesspointarn"})
ORGANISATION_KEYS = frozenset({"aws:principalorgid", "aws:sourceorgid", "aws:vpceorgid"})
PATH_KEYS = frozenset({"aws:principalorgpaths", "aws:sourceorgpaths", "aws:vpceorgpaths"})
NETWORK_KEYS = frozenset({"aws:sourcevpc", "aws:sourcevpce"})
IDENTITY_KEYS = frozenset({"aws:userid"})
ADDRESS_KEYS = frozenset({"aws:sourceip"})

CALLERS_CHOICE = frozenset(
    {
        "aws:referer",
        "aws:securetransport",
        "aws:useragent",
        "aws:vpcsourceip",
        "kms:viaservice",
        "s3:authtype",
        "s3:delimiter",
        "s3:max-keys",
        "s3:prefix",
        "s3:signatureversion",
        "s3:tlsversion",
    }
)
"""Keys whose value any caller can arrange: outsiders use services as well (`kms:ViaService`), and private addresses are in every network."""
ABOUT_RESOURCE = frozenset({"aws:resourceaccount", "aws:resourceorgid", "aws:resourceorgpaths", "s3:resourceaccount"})
"""Keys about the thing asked for. A resource's own policy narrows nobody by them."""

OWN_NETWORK = frozenset({"elasticfilesystem:accessedviamounttarget"})
"""Keys that are true where a request comes by the owner's own network: https://docs.aws.amazon.com/efs/latest/ug/access-control-block-public-access.html"""

ALWAYS_SENT = frozenset({"kms:calleraccount"})
"""Keys that are in every request, so that `IfExists` changes nothing."""
SIGNED = frozenset({"aws:principalaccount", "aws:principalarn", "aws:userid"})
"""Keys that are in every signed request. Anonymous ones exist for some services only, so an optional condition is unclear."""

OWN = re.compile(r"^\$\{aws:Resource(Account|OrgID)\}$", re.IGNORECASE)
ACCOUNT = re.compile(r"^\d{12}$")
WIDEST_V4 = 8
WIDEST_V6 = 32
"""S3 counts wider blocks of public addresses as everyone."""


@frozen
class Operator:
    """A condition operator, taken apart."""

    base: str
    """`stringlike`, without `Not`, quantifier and `IfExists`."""
    negated: bool
    optional: bool
    """True where the key is absent: `…IfExists`, `ForAllValues:…`, and negated operators (but not under `ForAnyValue:`)."""
    quantifier: str = ""

    @classmethod
    def parse(cls, name: str) -> Operator:
        """From its name in a policy."""
        quantifier, _, rest = name.lower().rpartition(":")
        base = rest.removesuffix("ifexists")
        negated = "not" in base
        optional = rest != base or quantifier == "forallvalues" or (negated and quantifier != "foranyvalue")
        return cls(base.replace("not", "", 1), negated, optional, quantifier)

    @property
    def patterns(self) -> bool:
        """Its values are patterns."""
        return self.base in ("stringlike", "arnlike", "arnequals")

    @property
    def compares(self) -> bool:
        """It compares the key with its values for likeness."""
        return self.patterns or self.base in ("stringequals", "stringequalsignorecase", "ipaddress")


def values_reach(condition: Condition) -> Reach | None:
    """Whom the values of a narrowing key name, taken for themselves; None where the key narrows nobody."""
    key = str(condition["key"])
    judge = _JUDGES.get(key)
    if judge is None:
        return None
    operator = Operator.parse(str(condition["operator"]))
    found = {_value_reach(judge, str(v), patterns=operator.patterns) for v in condition["values"]}
    if key in ADDRESS_KEYS and _halves(condition["values"]):
        return "open"
    return next((r for r in ("open", "unclear") if r in found), "closed" if found else "unclear")


def _value_reach(judge: Callable[[str], Reach], value: str, *, patterns: bool) -> Reach:
    if OWN.match(value):
        return "closed"
    if "${" in value.replace("${$}", ""):
        return "unclear"
    if not patterns and "*" in value and judge is not _address:
        return "closed"  # a literal star, which no account, organisation or network is called
    return judge(value)


def _fixed(value: str) -> Reach:
    if not value:
        return "unclear"
    return "open" if not value.strip("*?") else "unclear" if set(value) & {"*", "?"} else "closed"


def _network(value: str) -> Reach:
    return "open" if value.rstrip("*?") in ("", "vpc-", "vpce-") and value[-1:] in ("*", "?") else _fixed(value)


def _path(value: str) -> Reach:
    return _fixed(value.split("/", 1)[0])  # NOTE: the path starts with the organisation, which is what keeps outsiders out


def _identity(value: str) -> Reach:
    return _fixed(value.split(":", 1)[0])  # the unique id of a role or user, then the session's name


def _arn(value: str) -> Reach:
    part = value.split(":", 5)
    if len(part) < 6:  # noqa: PLR2004 - arn:partition:service:region:account:resource
        return _fixed(value)
    account, resource = part[4], part[5]
    if ACCOUNT.match(account):
        return "closed"
    if account == "" and part[2] == "s3":
        return _fixed(resource.split("/", 1)[0])  # bucket names are one namespace for all accounts
    # NOTE: an account of `*` is open whatever resource is named, since outsiders name theirs as they like
    return "open" if account and not account.strip("*?") else "unclear"


def _address(value: str) -> Reach:
    try:
        block = ipaddress.ip_network(value, strict=False)
    except ValueError:
        return "unclear"
    if block.prefixlen == 0:
        return "open"
    widest = WIDEST_V4 if block.version == 4 else WIDEST_V6  # noqa: PLR2004 - the protocol's name
    return "open" if block.prefixlen < widest and not block.is_private else "closed"


def _halves(values: Iterable[Any]) -> bool:
    """Together the values are everyone (`0.0.0.0/1` and `128.0.0.0/1`)."""
    blocks = []
    for value in values:
        try:
            blocks.append(ipaddress.ip_network(str(value), strict=False))
        except ValueError:
            return False
    v4 = ipaddress.collapse_addresses(b for b in blocks if isinstance(b, ipaddress.IPv4Network))
    v6 = ipaddress.collapse_addresses(b for b in blocks if isinstance(b, ipaddress.IPv6Network))
    return any(block.prefixlen == 0 for block in v4) or any(block.prefixlen == 0 for block in v6)


_JUDGES: Mapping[str, Callable[[str], Reach]] = {
    **dict.fromkeys(ACCOUNT_KEYS | ORGANISATION_KEYS, _fixed),
    **dict.fromkeys(ARN_KEYS, _arn),
    **dict.fromkeys(PATH_KEYS, _path),
    **dict.fromkeys(NETWORK_KEYS, _network),
    **dict.fromkeys(IDENTITY_KEYS, _identity),
    **dict.fromkeys(ADDRESS_KEYS, _address),
}


def reach(conditions: Iterable[Condition], *, secret: Collection[str] = ()) -> Reach:
    """Whether an outsider can meet all the conditions. `secret` names keys of which outsiders do not know the value."""
    found = list(conditions)
    each = [_met(c, secret) for c in found]
    if "closed" in each:
        return "closed"
    # NOTE: two conditions on one thing may exclude each other, and `IfExists` on two keys may be met by nobody
    repeated = any(n > 1 for n in Counter(topic(c) for c in found).values())
    optional = {str(c["key"]) for c in found if str(c["key"]) in _JUDGES and Operator.parse(str(c["operator"])).optional}
    if "unclear" in each or repeated or len(optional) > 1:
        return "unclear"
    return "open"


def topic(condition: Condition) -> str:
    """The key; one name for where a request comes from, since it has a source address or a source network, never both."""
    key = str(condition["key"])
    return "way" if key in ADDRESS_KEYS | NETWORK_KEYS else key


def _met(condition: Condition, secret: Collection[str]) -> Reach:
    key = str(condition["key"])
    operator = Operator.parse(str(condition["operator"]))
    if key in secret:
        return _kept_secret(operator, [str(v) for v in condition["values"]])
    if key in CALLERS_CHOICE:
        return "open" if condition["values"] and operator.base != "null" else "unclear"
    if key in OWN_NETWORK | ABOUT_RESOURCE:
        return _about_resource(key, operator, {str(v).lower() for v in condition["values"]})
    values = values_reach(condition)
    if values is None:
        return "unclear"
    if operator.base == "null":
        absent = [str(v).lower() for v in condition["values"]] == ["true"]
        return "open" if absent and key not in ALWAYS_SENT | SIGNED | ADDRESS_KEYS else "unclear"
    if not operator.compares or operator.negated:
        return "unclear"
    if values == "closed" and operator.optional and key not in ALWAYS_SENT:
        return "unclear" if key in SIGNED else "open"
    return values


def _about_resource(key: str, operator: Operator, values: set[str]) -> Reach:
    if key in OWN_NETWORK:
        return "closed" if operator.base == "bool" and not operator.optional and values == {"true"} else "unclear"
    return "unclear" if operator.negated or operator.base == "null" else "open"


def _kept_secret(operator: Operator, values: list[str]) -> Reach:
    """Whether outsiders are kept out by a value that they do not know. Who asks chooses whether to send one, and which."""
    if operator.base == "null" or (operator.compares and (operator.optional or operator.negated)):
        return "open"  # NOTE: it asks for any value, for none at all, or for another one
    if not operator.compares or not values:
        return "unclear"
    each = [_fixed(v) if operator.patterns else "closed" if v else "unclear" for v in values]
    return next((r for r in ("open", "unclear") if r in each), "closed")


def holds(condition: Condition, account: str = "") -> Reach:
    """For a Deny: `closed` where it strikes every outsider (or `account`), `open` where one escapes it."""
    key = str(condition["key"])
    operator = Operator.parse(str(condition["operator"]))
    if key in CALLERS_CHOICE:
        return "open" if len(set(condition["values"])) == 1 and operator.base != "null" else "unclear"
    if key == "aws:principalisawsservice":
        # NOTE: outsiders are not services; services that act for outsiders are another rule's business
        return "closed" if operator.base == "bool" and [str(v).lower() for v in condition["values"]] == ["false"] else "unclear"
    values = values_reach(condition)
    if values is None or operator.base == "null" or not operator.compares:
        return "unclear"
    if not operator.negated:
        return "open" if values == "closed" and not operator.optional else "unclear"
    if not operator.optional:
        return "unclear"  # `ForAnyValue:StringNotEquals` spares a request without the key
    if account and account in named_accounts(condition):
        return "open"
    return {"closed": "closed", "open": "open"}.get(values, "unclear")  # type: ignore[return-value]


def named_accounts(condition: Condition) -> frozenset[str]:
    """Accounts that a condition names, by number or in ARNs."""
    key = str(condition["key"])
    if key in ACCOUNT_KEYS:
        return frozenset(str(v) for v in condition["values"] if ACCOUNT.match(str(v)))
    if key in ARN_KEYS:
        parts = [str(v).split(":", 5) for v in condition["values"]]
        return frozenset(p[4] for p in parts if len(p) > 5 and ACCOUNT.match(p[4]))  # noqa: PLR2004
    return frozenset()


def limits_accounts(conditions: Iterable[Condition]) -> frozenset[str] | None:
    """The only accounts that a set of conditions admits; None where they do not say."""
    found: frozenset[str] | None = None
    for condition in conditions:
        operator = Operator.parse(str(condition["operator"]))
        plain = operator.compares and not operator.negated and (not operator.optional or condition["key"] in ALWAYS_SENT)
        if plain and condition["key"] in ACCOUNT_KEYS | ARN_KEYS and values_reach(condition) == "closed":
            names = named_accounts(condition)
            found = names if found is None else found & names
    return found
