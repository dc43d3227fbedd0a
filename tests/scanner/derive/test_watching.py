"""Settings of an account and region that hang on others."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import REGION, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

ANALYZER, RECORDER = "AWS::AccessAnalyzer::Analyzer", "AWS::Config::ConfigurationRecorder"
LOGGING, EXCLUSION = "AWS::Bedrock::ModelInvocationLogging", "AWS::EC2::VPCBlockPublicAccessExclusion"
AGENT, ORGANIZATION = "AWS::Bedrock::Agent", "AWS::Organizations::Organization"
EUROPE, OTHER = "eu-west-1", "222222222222"


def setting(native: str, name: str = REGION, gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    return thing("account", name, native, gaps, **facts)


def fact(resource: Resource, name: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([resource, *others], gaps, DERIVATIONS).fact(resource, name)


def analyzer(*types: str, elsewhere: bool = False, **more: Any) -> Resource:
    return setting(ANALYZER, more.pop("name", REGION), analyzers=list(types), analyzed_elsewhere=elsewhere, **more)


def test_external_access_is_a_matter_of_the_region() -> None:
    home = analyzer("ACCOUNT")
    europe = analyzer(region=EUROPE, name=EUROPE)
    assert fact(home, "external_access_analyzed", europe) is True
    assert fact(europe, "external_access_analyzed", home) is False
    assert fact(analyzer("ORGANIZATION"), "external_access_analyzed") is True
    assert fact(analyzer("ACCOUNT_UNUSED_ACCESS"), "external_access_analyzed") is False


def test_unused_access_is_not() -> None:
    home = analyzer("ACCOUNT_UNUSED_ACCESS")
    europe = analyzer(region=EUROPE, name=EUROPE)
    assert fact(europe, "unused_access_analyzed", home) is True
    assert fact(analyzer("ACCOUNT"), "unused_access_analyzed") is False
    assert fact(analyzer("ACCOUNT"), "unused_access_analyzed", gaps={ANALYZER: DENIED}) is DENIED


def test_an_analyser_of_the_organisation_is_seen_in_its_administrators_account() -> None:
    member = analyzer(elsewhere=True)
    for name in ("external_access_analyzed", "unused_access_analyzed"):
        answer = fact(member, name)
        assert isinstance(answer, Gap)
        assert answer.reason is Reason.NOT_OFFERED
    there = analyzer("ORGANIZATION", "ORGANIZATION_UNUSED_ACCESS", scope=OTHER, name="admin")
    mine = setting(ORGANIZATION, "mine", organisation_id="o-a")
    theirs, strangers = (setting(ORGANIZATION, "theirs", organisation_id=name, scope=OTHER) for name in ("o-a", "o-b"))
    for name in ("external_access_analyzed", "unused_access_analyzed"):
        assert fact(member, name, there, mine, theirs) is True
        assert isinstance(fact(member, name, there, mine, strangers), Gap)
    assert isinstance(fact(member, "external_access_analyzed", there), Gap), "nobody knows whether they belong together"
    own = analyzer("ACCOUNT", scope=OTHER, name="neighbour")
    assert isinstance(fact(member, "external_access_analyzed", own), Gap)


def test_a_plan_tells_of_its_own_analysers() -> None:
    one = planned("account", "aws_accessanalyzer_analyzer.a", ANALYZER, analyzers=["ACCOUNT"])
    two = planned("account", "aws_accessanalyzer_analyzer.b", ANALYZER, analyzers=["ACCOUNT_UNUSED_ACCESS"])
    assert fact(one, "unused_access_analyzed", two) is True
    assert isinstance(fact(one, "unused_access_analyzed"), Gap)


def recorder(state: Any, types: Any, **more: Any) -> Resource:
    told = {"recorder": state, "aws.global_types": types}
    unknown = {k: v for k, v in told.items() if isinstance(v, Gap)}
    known = {k.replace(".", "__"): v for k, v in told.items() if k not in unknown}
    return setting(RECORDER, more.pop("name", REGION), unknown, **known, **more)


@pytest.mark.parametrize(
    ("state", "types", "expected"),
    [
        ("on", True, True),
        ("off", True, False),
        ("failing", True, False),
        ("on", False, False),
        (DENIED, True, DENIED),
        (DENIED, False, False),
        ("off", DENIED, False),
        ("on", DENIED, DENIED),
    ],
)
def test_global_types_are_recorded_where_some_region_does(state: Any, types: Any, expected: Any) -> None:
    here = recorder("none", False, region=EUROPE, name=EUROPE)
    assert fact(here, "global_types_recorded", recorder(state, types)) == expected
    assert fact(here, "global_types_recorded", recorder("on", True, scope=OTHER)) is False


def test_bedrock_in_use() -> None:
    here = setting(LOGGING, invocations_logged=False)
    used = thing("model_service", "agent", AGENT)
    assert fact(here, "bedrock_in_use") is False
    assert fact(here, "bedrock_in_use", used) is True
    assert fact(here, "bedrock_in_use", used.replace(region=EUROPE)) is False
    assert fact(here, "bedrock_in_use", used, gaps={AGENT: DENIED}) is True
    assert fact(here, "bedrock_in_use", gaps={AGENT: DENIED}) is DENIED
    assert fact(here, "bedrock_in_use", gaps={AGENT: Gap(Reason.SERVICE_OFF, "x", "")}) is False
    assert fact(here, "bedrock_in_use", thing("private_endpoint", "door", service="bedrock-runtime")) is True
    assert fact(here, "bedrock_in_use", thing("private_endpoint", "door", service="s3")) is False
    assert fact(here, "bedrock_in_use", thing("private_endpoint", "door", gaps={"service": DENIED})) is DENIED
    assert fact(setting(LOGGING, invocations_logged=True), "bedrock_in_use") is True
    mine = planned("account", "aws_bedrock_model_invocation_logging_configuration.l", LOGGING)
    assert fact(mine, "bedrock_in_use") is True


def test_excludes_accelerators() -> None:
    network, subnet = thing("network", "vpc-1"), thing("subnet", "subnet-1", network_id=arn("network", "vpc-1"))
    node = thing("node", "i-1", accelerator=True, network_id=network.id, subnet_ids=[subnet.id])
    for place in (network, subnet):
        exclusion = setting(EXCLUSION, "x", excluded_id=place.id)
        assert fact(exclusion, "excludes_accelerators", network, subnet, node) is True
        assert fact(exclusion, "excludes_accelerators", network, subnet) is False
        # no node may stand in a training subnet just now
        meant = place.replace(tags={"ai-role": "training"})
        assert fact(exclusion, "excludes_accelerators", meant) is True
    change = planned("account", "aws_vpc_block_public_access_exclusion.x", EXCLUSION, excluded_id="plan/aws_subnet.gpu")
    bare = planned("subnet", "aws_subnet.gpu", "AWS::EC2::Subnet")
    assert isinstance(fact(change, "excludes_accelerators", bare), Gap), "who will stand there is not in the plan"
    assert fact(change, "excludes_accelerators", bare.replace(tags={"ai-role": "training"})) is True
    unseen = fact(setting(EXCLUSION, "x", excluded_id=network.id), "excludes_accelerators", gaps={"AWS::EC2::VPC": DENIED})
    assert unseen is DENIED
    hidden = setting(EXCLUSION, "x", {"excluded_id": DENIED})
    assert fact(hidden, "excludes_accelerators") is DENIED
