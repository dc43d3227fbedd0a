"""`permissions` and `preflight`: what a scan takes, and what it would lack."""

from __future__ import annotations

import json
from typing import Any

import click

from scanner.cli import sources
from scanner.cli.demand import wanted_facts
from scanner.cli.options import Chosen, choose, config_option, selection_options, stack
from scanner.cli.output import scratch
from scanner.cli.scan import SOURCES
from scanner.model import Gap, Reason

shared = stack(config_option, selection_options)


@click.group(short_help="Print the least permission a scan takes.")
def permissions() -> None:
    """Print the least permission that a scan with the selected rules takes."""


@permissions.command("aws")
@shared
@click.option("--org-role", metavar="NAME", help="Also the policy of the caller of `scan aws --org --role NAME`, as the last one.")
def permissions_aws(**options: Any) -> int:
    """IAM policies, as few as fit a managed policy's size; more than one is printed as a list."""
    from collectors.aws.accounts import caller_policy  # noqa: PLC0415 - only when asked for
    from collectors.aws.client import actions  # noqa: PLC0415
    from collectors.aws.collect import SETUP  # noqa: PLC0415
    from collectors.aws.tables import TABLES  # noqa: PLC0415
    from collectors.permissions import aws_policies, questions  # noqa: PLC0415

    demand = wanted_facts(choose(options).rules)
    found = aws_policies(a for q in questions(TABLES, demand, SETUP) for a in actions(q))
    found += [caller_policy(options["org_role"])] if options["org_role"] else []
    click.echo(json.dumps(found[0] if len(found) == 1 else found, indent=2))
    return 0


@permissions.command("k8s")
@shared
@click.option("--secret-metadata", is_flag=True, help="For `scan k8s --secret-metadata`: may then read the values of Secrets too.")
def permissions_k8s(**options: Any) -> int:
    """A ClusterRole."""
    import yaml  # noqa: PLC0415 - not for --help

    from collectors.kubernetes.permissions import cluster_role  # noqa: PLC0415

    click.echo(
        yaml.safe_dump(
            cluster_role(wanted_facts(choose(options).rules), secret_metadata=options["secret_metadata"]), sort_keys=False
        ),
        nl=False,
    )
    return 0


@click.group(short_help="Say which rules would be unknown, for lack of what.")
def preflight() -> None:
    """Look at the first item of every listing only, and say which rules would be unknown for lack of what."""


def _report(chosen: Chosen, missing: dict[str, set[Gap]]) -> int:
    """Print (native type → gaps) by gap, with the rules it blinds."""
    from scanner.reports.text import visible  # noqa: PLC0415

    by_gap: dict[Gap, set[str]] = {}
    for native, gaps in missing.items():
        for gap in gaps:
            by_gap.setdefault(gap, set()).update(rule.id for rule in chosen.rules if native in rule.covers)
    for gap, blinded in sorted(by_gap.items(), key=lambda item: item[0].text):
        click.echo(visible(gap.text))
        click.echo(f"    unknown then: {', '.join(sorted(blinded)) or 'facts joined to other resources'}")
    click.echo(
        f"{len(chosen.rules)} rules, {len(by_gap)} obstacles" if by_gap else f"{len(chosen.rules)} rules, nothing is missing"
    )
    return 4 if by_gap else 0


@preflight.command("aws")
@shared
@stack(*SOURCES["aws"][1])
def preflight_aws(**options: Any) -> int:
    """An AWS account."""
    from scanner.assess import stamp, utc_now  # noqa: PLC0415
    from scanner.snapshot import Snapshot  # noqa: PLC0415

    chosen = choose(options)
    missing: dict[str, set[Gap]] = {}
    with (
        scratch() as folder,
        Snapshot.create(folder / "preflight.snapshot") as snapshot,
    ):
        sources.aws(options).collect(sources.Context(snapshot, wanted_facts(chosen.rules), stamp(utc_now()), sample=True))
        for row in snapshot.listings():
            if row.gap is not None:
                missing.setdefault(row.native_type, set()).add(row.gap)
        for resource in snapshot.resources():
            for gap in resource.gaps.values():
                if gap.reason is not Reason.NOT_OFFERED:
                    missing.setdefault(resource.native_type, set()).add(gap)
    return _report(chosen, missing)


@preflight.command("k8s")
@shared
@stack(*SOURCES["k8s"][1])
def preflight_k8s(**options: Any) -> int:
    """A cluster, by asking it what the identity may list."""
    from collectors.kubernetes.permissions import preflight as look  # noqa: PLC0415

    chosen = choose(options)
    missing: dict[str, set[Gap]] = {}
    for native, gap in look(
        wanted_facts(chosen.rules),
        kubeconfig=options["kubeconfig"],
        context=options["context"],
        namespaces=options["namespaces"],
        secret_metadata=options["secret_metadata"],
    ):
        missing.setdefault(native, set()).add(gap)
    return _report(chosen, missing)
