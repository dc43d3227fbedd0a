"""Every resource of every plan that has its configuration beside it stands at its own block, and its facts within it."""

from __future__ import annotations

import copy
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.project import paths
from collectors.repository import Repository
from collectors.table import Field
from collectors.terraform.configuration import parse
from collectors.terraform.masks import steps
from collectors.terraform.plan import PlanEstate, read_plan
from collectors.terraform.tables import TABLES
from scanner.model import BartizanError, Resource, Where
from tests.collectors.terraform.conftest import FIXTURES

ESTATE = FIXTURES / "estates/ai_factory"
PLANS = [
    *(
        p
        for p in sorted(FIXTURES.glob("plans/*/*/plan.json"))
        if p.parent.name not in ("destroy-all", "outputs-and-checks", "refresh-drift")
    ),
    *sorted(FIXTURES.glob("twins/*/plan.json")),
]
CASES = [*((p, p.parent) for p in PLANS), (ESTATE / "plan.json", ESTATE / "terraform")]
TYPES = {(t.native_type, t.kind): t for t in TABLES}
MODULES = FIXTURES / "plans/shapes/nested-modules"


def header(address: str) -> str:
    """How the block of an address begins."""
    names = [s for s in parse(address) if isinstance(s, str)]
    return f'resource "{names[-2]}" "{names[-1]}"'


def text_at(folder: Path, where: Where) -> str:
    return (folder / where.file).read_text().split("\n")[where.line - 1][where.column - 1 : where.end_column - 1]


def attributes(resource: Resource, fact: str) -> set[str]:
    """The names on the paths of a fact, in whichever table has it."""
    found: set[str] = set()
    for table in TABLES:
        field = table.facts.get(fact)
        if table.native_type == resource.native_type and isinstance(field, Field):
            for path in paths(field):
                for step in steps(path):
                    found |= {step} if isinstance(step, str) else set(step or ()) if isinstance(step, frozenset) else set()
    return found


@pytest.mark.parametrize(("plan", "folder"), CASES, ids=[str(p.parent.relative_to(FIXTURES)) for p, _ in CASES])
def test_every_resource_stands_at_its_block_and_every_fact_at_what_it_is_read_from(plan: Path, folder: Path) -> None:
    estate = read_plan(plan, source=folder)
    assert estate.problems == ()
    assert estate.resources
    narrow = 0
    for resource in estate.resources:
        where = resource.where
        assert where.note == ""
        said = text_at(folder, where)
        inline = (
            len([s for s in parse(resource.id.removeprefix("plan/").split("/")[0]) if isinstance(s, str)])
            and "/" in resource.id[5:]
        )
        assert said == header(where.locator) or (inline and re.fullmatch(r"\w+", said)), resource.id
        assert where.locator == resource.id.removeprefix("plan/").partition("/")[0]
        assert where.block[0] <= where.line <= where.block[1]
        for fact, place in resource.places.items():
            said = text_at(folder, place)
            name = fact.partition("[")[0].removeprefix("ordered_")
            assert said == header(place.locator) or re.match(r"\w+", said)[0] in {*attributes(resource, name), "dynamic"}, (
                resource.id,
                fact,
            )  # type: ignore[index]
            assert place.block[0] <= place.line <= place.block[1], (resource.id, fact)
            narrow += place.line != where.line
    assert narrow or "shapes" in plan.parts


def literal(folder: Path, where: Where) -> Any:
    found = re.fullmatch(r'\w+\s*=\s*("[^"$]*"|true|false|\d+)', text_at(folder, where))
    return json.loads(found[1]) if found else None


def test_a_literal_at_the_place_is_the_fact_or_what_it_is_read_from() -> None:
    """Where a fact is a plain value and a literal stands at its place, they agree, so that no fact stands at another's line."""
    seen = 0
    for plan, folder in CASES:
        for resource in read_plan(plan, source=folder).resources:
            for fact, place in resource.places.items():
                value, written = resource.facts.get(fact), literal(folder, place)
                field = TYPES[resource.native_type, resource.kind].facts.get(fact)
                plain = isinstance(field, Field) and field.read is None and isinstance(field.path, str)
                if plain and written is not None and isinstance(value, str | bool | int):
                    assert str(written).lower() == str(value).lower(), (resource.id, fact)
                    seen += 1
    assert seen > 100


def test_two_instances_of_a_module_share_a_block_and_have_their_own_calls() -> None:
    """https://github.com/aquasecurity/defsec/issues/1147: all findings stood at the root call."""
    estate = read_plan(MODULES / "plan.json", source=MODULES)
    block = {"end_line": 10, "end_column": 32, "block": (10, 13)}

    def call(team: str, store: int) -> tuple[Where, ...]:
        return (
            Where("main.tf", 1, 1, f'module.team["{team}"]', 1, 14, (1, 6)),
            Where("team/main.tf", 9, 1, f'module.team["{team}"].module.store[{store}]', 9, 15, (9, 14)),
        )

    assert {r.id: r.where for r in estate.resources} == {
        f'plan/module.team["{team}"].module.store[{n}].aws_s3_bucket.this': Where(
            "store/main.tf", 10, 1, f'module.team["{team}"].module.store[{n}].aws_s3_bucket.this', via=call(team, n), **block
        )
        for team, n in (("vision", 0), ("vision", 1), ("speech", 0))
    }


# configurations by hand


Write = Callable[..., tuple[Path, Path]]


def resource(address: str, after: dict[str, Any] | None = None, module: str = "") -> dict[str, Any]:
    names = [s for s in parse(address) if isinstance(s, str)]
    return {
        "address": address, "mode": "managed", "type": names[-2], "name": names[-1],
        **({"module_address": module} if module else {}),
        "change": {"actions": ["create"], "before": None, "after": after or {}, "after_unknown": {}, "after_sensitive": {}},
    }  # fmt: skip


def declared(*names: str, **calls: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "resources": [
            {
                "address": n,
                "mode": "managed",
                "type": n.split(".")[0],
                "name": n.split(".")[1],
                "provider_config_key": "aws",
                "expressions": {},
            }
            for n in names
        ]
    }
    return {**made, "module_calls": calls} if calls else made


def document(root: dict[str, Any], *changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "format_version": "1.2", "terraform_version": "1.11.4", "planned_values": {"root_module": {}},
        "resource_changes": list(changes), "configuration": {"provider_config": {}, "root_module": root},
    }  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def run(plan: dict[str, Any], **files: str) -> tuple[Path, Path]:
        folder = tmp_path / "repository"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        file = tmp_path / "made" / "plan.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(plan))
        return file, folder

    return run


KEY = document(declared("aws_kms_key.a"), resource("aws_kms_key.a", {"enable_key_rotation": False, "key_usage": "ENCRYPT_DECRYPT"}))
KEY_TF = 'resource "aws_kms_key" "a" {\n  enable_key_rotation = false\n}\n'


def only(estate: PlanEstate) -> Resource:
    (found,) = estate.resources
    return found


def brief(where: Where) -> tuple[str, int, int, str]:
    return where.file, where.line, where.column, where.note


def test_json_configuration(write: Write) -> None:
    plan, folder = write(KEY, **{"main.tf.json": '{"resource": {"aws_kms_key": {"a": {\n  "enable_key_rotation": false}}}}'})
    found = only(read_plan(plan, source=folder))
    assert (brief(found.where), brief(found.places["rotation_enabled"])) == (
        ("main.tf.json", 1, 31, ""),
        ("main.tf.json", 2, 3, ""),
    )


def test_what_an_override_says_stands_there(write: Write) -> None:
    over = 'resource "aws_kms_key" "a" {\n\n  enable_key_rotation = false\n}\n'
    plan, folder = write(KEY, **{"main.tf": KEY_TF, "b_override.tf": over, "override.tf": 'resource "aws_kms_key" "a" {\n}\n'})
    found = only(read_plan(plan, source=folder))
    assert (brief(found.where), brief(found.places["rotation_enabled"])) == (("main.tf", 1, 1, ""), ("b_override.tf", 3, 3, ""))


def test_what_is_declared_twice_has_no_line(write: Write) -> None:
    plan, folder = write(KEY, **{"main.tf": KEY_TF, "main.tofu": KEY_TF})
    found = only(read_plan(plan, source=folder))
    assert found.where == Where(
        "plan.json", locator="aws_kms_key.a", note="aws_kms_key.a is declared more than once: main.tf:1, main.tofu:1"
    )
    assert found.places == {}


def test_a_broken_file_is_a_problem_with_its_place_and_no_wrong_line(write: Write) -> None:
    both = document(declared("aws_kms_key.a", "aws_kms_key.b"), resource("aws_kms_key.a"), resource("aws_kms_key.b"))
    plan, folder = write(both, **{"a.tf": KEY_TF, "b.tf": 'resource "aws_kms_key" "b" {\n  x = \n}\n'})
    estate = read_plan(plan, source=folder)
    assert [r.where.file for r in estate.resources] == ["a.tf", "plan.json"]
    assert "cannot be read whole" in estate.resources[1].where.note
    assert [p.split(": ")[1:] for p in estate.problems] == [
        ["not HCL; findings of what it declares may have no line"]
    ] or estate.problems
    assert estate.problems[0].startswith("b.tf:")


def test_a_file_that_is_too_large_is_a_problem(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    both = document(declared("aws_kms_key.a", "aws_kms_key.b"), resource("aws_kms_key.a"), resource("aws_kms_key.b"))
    monkeypatch.setattr("collectors.terraform.texts.MAX_FILE", 100)
    plan, folder = write(both, **{"a.tf": KEY_TF, "b.tf": 'resource "aws_kms_key" "b" {\n}\n' + "#" * 100})
    estate = read_plan(plan, source=folder)
    assert [r.where.file for r in estate.resources] == ["a.tf", "plan.json"]
    assert estate.problems == ("b.tf: larger than 100 bytes; findings of what it declares may have no line",)


def test_a_link_out_of_the_folder_is_not_followed(write: Write, tmp_path: Path) -> None:
    both = document(declared("aws_kms_key.a", "aws_kms_key.b"), resource("aws_kms_key.a"), resource("aws_kms_key.b"))
    plan, folder = write(both, **{"a.tf": KEY_TF})
    (tmp_path / "secret.tf").write_text('resource "aws_kms_key" "b" {\n}\n')
    (folder / "b.tf").symlink_to(tmp_path / "secret.tf")
    estate = read_plan(plan, source=folder)
    assert [r.where.file for r in estate.resources] == ["a.tf", "plan.json"]
    assert estate.problems == (
        "b.tf: a link that leads out of the source folder is not followed; findings of what it declares may have no line",
    )


GROUP_TF = """resource "aws_security_group" "g" {
  ingress {
    from_port = 22
    to_port = 22
    protocol = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ingress {
    from_port = 443
    to_port = 443
    protocol = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
"""


def rule(port: int) -> dict[str, Any]:
    return {"from_port": port, "to_port": port, "protocol": "tcp", "cidr_blocks": ["0.0.0.0/0"]}


def group(*ports: int) -> dict[str, Any]:
    after = {"ingress": [rule(p) for p in ports], "egress": []}
    return document(declared("aws_security_group.g"), resource("aws_security_group.g", after))


def test_one_of_several_blocks_is_told_by_what_it_says(write: Write) -> None:
    plan, folder = write(group(443, 22), **{"main.tf": GROUP_TF})
    places = only(read_plan(plan, source=folder)).places
    assert {n: w.line for n, w in places.items() if n.startswith("ingress")} == {
        "ingress": 1, "ingress[tcp 443 from 0.0.0.0/0]": 8, "ingress[tcp 22 from 0.0.0.0/0]": 2,
    }  # fmt: skip
    assert places["ingress"].note == "which of the 2 `ingress` blocks is meant is not certain"


def test_blocks_that_cannot_be_told_apart_are_not_guessed(write: Write) -> None:
    plan, folder = write(group(22), **{"main.tf": GROUP_TF.replace("443", "var.port").replace("22", "var.port")})
    places = only(read_plan(plan, source=folder)).places
    assert {n: w.line for n, w in places.items() if n.startswith("ingress")} == {"ingress": 1}


def test_what_a_dynamic_block_makes_stands_at_its_content(write: Write) -> None:
    text = """resource "aws_security_group" "g" {
  dynamic "ingress" {
    for_each = var.ports
    content {
      from_port = ingress.value
    }
  }
}
"""
    plan, folder = write(group(22, 443), **{"main.tf": text})
    places = only(read_plan(plan, source=folder)).places
    assert {n: w.line for n, w in places.items() if n.startswith("ingress")} == {
        "ingress": 2, "ingress[tcp 443 from 0.0.0.0/0]": 2, "ingress[tcp 22 from 0.0.0.0/0]": 2,
    }  # fmt: skip


# modules


def in_module(source: str, *, version: str = "") -> dict[str, Any]:
    call = {"source": source, "module": declared("aws_kms_key.a"), **({"version_constraint": version} if version else {})}
    change = resource("module.keys.aws_kms_key.a", {"enable_key_rotation": False}, "module.keys")
    return document(declared(keys=call), change)


CALL_TF = 'module "keys" {\n  source = "SOURCE"\n  rotate = false\n}\n'
INNER_TF = 'variable "rotate" {\n  default = true\n}\nresource "aws_kms_key" "a" {\n  enable_key_rotation = var.rotate\n}\n'


def chain(where: Where) -> list[tuple[str, int, str]]:
    return [(w.file, w.line, w.locator) for w in where.via]


def test_a_variable_leads_to_the_argument_that_sets_it(write: Write) -> None:
    plan, folder = write(in_module("./keys"), **{"main.tf": CALL_TF.replace("SOURCE", "./keys"), "keys/main.tf": INNER_TF})
    found = only(read_plan(plan, source=folder))
    place = found.places["rotation_enabled"]
    assert (brief(found.where), chain(found.where)) == (("keys/main.tf", 4, 1, ""), [("main.tf", 1, "module.keys")])
    assert (brief(place), chain(place)) == (
        ("keys/main.tf", 5, 3, ""),
        [("main.tf", 1, "module.keys"), ("main.tf", 3, "module.keys, argument rotate")],
    )


def test_a_variable_that_no_call_sets_leads_to_its_default(write: Write) -> None:
    plan, folder = write(in_module("./keys"), **{"main.tf": 'module "keys" {\n  source = "./keys"\n}\n', "keys/main.tf": INNER_TF})
    place = only(read_plan(plan, source=folder)).places["rotation_enabled"]
    assert chain(place) == [("main.tf", 1, "module.keys"), ("keys/main.tf", 2, "module.keys, default of variable rotate")]


def test_an_argument_that_is_computed_is_not_named(write: Write) -> None:
    text = CALL_TF.replace("SOURCE", "./keys").replace("false", "local.rotate")
    plan, folder = write(in_module("./keys"), **{"main.tf": text, "keys/main.tf": INNER_TF})
    assert chain(only(read_plan(plan, source=folder)).places["rotation_enabled"]) == [("main.tf", 1, "module.keys")]


REGISTRY = "terraform-aws-modules/kms/aws"


def installed(source: str, folder: str) -> str:
    return json.dumps({"Modules": [{"Key": "", "Source": "", "Dir": "."}, {"Key": "keys", "Source": source, "Dir": folder}]})


def test_a_downloaded_module_stands_at_its_call(write: Write) -> None:
    """https://github.com/aquasecurity/defsec/issues/1147: of a module that is not in the repository only the call can be changed."""
    files = {
        "main.tf": CALL_TF.replace("SOURCE", REGISTRY),
        ".terraform/modules/modules.json": installed(f"registry.terraform.io/{REGISTRY}", ".terraform/modules/keys"),
        ".terraform/modules/keys/main.tf": INNER_TF,
    }
    plan, folder = write(in_module(REGISTRY), **files)
    found = only(read_plan(plan, source=folder))
    note = "written in .terraform/modules/keys/main.tf:4, which is no part of this repository"
    assert (brief(found.where), found.where.locator) == (("main.tf", 1, 1, note), "module.keys.aws_kms_key.a")
    assert chain(found.where) == [(".terraform/modules/keys/main.tf", 4, "module.keys.aws_kms_key.a")]
    place = found.places["rotation_enabled"]
    assert brief(place)[:3] == ("main.tf", 3, 3)
    assert chain(place) == [("main.tf", 1, "module.keys"), (".terraform/modules/keys/main.tf", 5, "module.keys.aws_kms_key.a")]


@pytest.mark.parametrize(
    ("source", "files", "note"),
    [
        (REGISTRY, {}, "module.keys is not installed in .terraform/modules/modules.json; run `terraform init` before the scan"),
        (
            REGISTRY,
            {".terraform/modules/modules.json": installed("other/kms/aws", "keys"), "keys/main.tf": INNER_TF},
            "module.keys is not installed in .terraform/modules/modules.json; run `terraform init` before the scan",
        ),
        (
            REGISTRY,
            {".terraform/modules/modules.json": installed(REGISTRY, "../../etc")},
            f"module.keys ({REGISTRY}) is outside the source folder; name a folder above it with --source",
        ),
        ("../keys", {}, "module.keys (../keys) is outside the source folder; name a folder above it with --source"),
        ("./keys", {}, "module.keys (./keys): there is no such folder"),
        ("./keys", {"keys/main.tf": ""}, "aws_kms_key.a is not declared in keys: the source is not what was planned"),
    ],
)
def test_a_module_that_is_not_found_says_why(write: Write, tmp_path: Path, source: str, files: dict[str, str], note: str) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys/main.tf").write_text(INNER_TF)
    plan, folder = write(in_module(source), **{"main.tf": CALL_TF.replace("SOURCE", source), **files})
    estate = read_plan(plan, source=folder)
    assert only(estate).where == Where("plan.json", locator="module.keys.aws_kms_key.a", note=note)
    assert estate.problems == ()


def test_a_module_folder_that_is_a_link_outside_is_not_read(write: Write, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/main.tf").write_text(INNER_TF)
    plan, folder = write(in_module("./keys"), **{"main.tf": CALL_TF.replace("SOURCE", "./keys")})
    (folder / "keys").symlink_to(tmp_path / "elsewhere")
    assert "outside the source folder" in only(read_plan(plan, source=folder)).where.note


def test_a_folder_around_the_root_module(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--source .` at the top of a repository whose root modules use `../../modules/x`."""
    plan, folder = write(
        in_module("../../modules/keys"),
        **{
            "live/prod/main.tf": CALL_TF.replace("SOURCE", "../../modules/keys"),
            "live/test/main.tf": "",
            "modules/keys/main.tf": INNER_TF,
        },
    )
    beside = folder / "live/prod/plan.json"
    beside.write_text(plan.read_text())
    found = only(read_plan(beside, source=folder)).where
    assert (brief(found), chain(found)) == (("modules/keys/main.tf", 4, 1, ""), [("live/prod/main.tf", 1, "module.keys")])
    monkeypatch.chdir(folder / "live/prod")
    assert only(read_plan(plan, source=folder)).where == found


# which files


def test_a_source_that_is_not_the_plans_is_an_error(write: Write, tmp_path: Path) -> None:
    plan, folder = write(KEY, **{"main.tf": 'resource "aws_kms_key" "b" {\n}\n'})
    with pytest.raises(BartizanError, match=r"declares nothing of what the plan has \(aws_kms_key\.a\); give the folder"):
        read_plan(plan, source=folder)
    with pytest.raises(BartizanError, match="no such file or folder"):
        read_plan(plan, source=tmp_path / "none")
    with pytest.raises(BartizanError, match=r"give the folder of the \.tf files, or a binary plan"):
        read_plan(plan, source=folder / "main.tf")


def test_without_a_source_only_what_declares_everything_is_taken(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan, folder = write(KEY, **{"main.tf": KEY_TF})
    monkeypatch.chdir(tmp_path / "made")
    assert only(read_plan(plan, search=True)).where == Where("plan.json", locator="aws_kms_key.a")
    monkeypatch.chdir(folder)
    assert brief(only(read_plan(plan, search=True)).where) == ("main.tf", 1, 1, "")
    assert brief(only(read_plan(plan)).where) == ("plan.json", 0, 0, "")
    (tmp_path / "made/main.tf").write_text("\n" + KEY_TF)
    monkeypatch.chdir("/")
    assert brief(only(read_plan(plan, search=True)).where)[1:] == (2, 1, "")
    monkeypatch.chdir(tmp_path)
    assert brief(only(read_plan(plan, search=True)).where) == ("made/main.tf", 2, 1, "")


def test_files_that_have_moved_on_give_no_lines(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    both = document(declared("aws_kms_key.a", "aws_kms_key.b"), resource("aws_kms_key.a"), resource("aws_kms_key.b"))
    plan, folder = write(both, **{"main.tf": KEY_TF})
    monkeypatch.chdir(folder)
    note = "the .tf files beside it do not declare aws_kms_key.b: plan again, or name theirs with --source"
    assert {r.where for r in read_plan(plan, search=True).resources} == {
        Where("plan.json", locator=f"aws_kms_key.{n}", note=note) for n in "ab"
    }


def test_without_the_parser_a_plan_is_still_read(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise BartizanError("no")

    plan, folder = write(KEY, **{"main.tf": KEY_TF})
    monkeypatch.setattr("collectors.terraform.origin.parser", none)
    monkeypatch.chdir(folder)
    assert "bartizan[terraform]" in only(read_plan(plan, search=True)).where.note


# binary plans


def packed(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def binary(path: Path, folder: Path, *keys: tuple[str, str, str]) -> Path:
    """A binary plan's configuration, as Terraform packs it."""
    files: dict[str, str | bytes] = {
        f"tfconfig/m-{key}/{file.name}": file.read_bytes()
        for key, _, where in keys
        for file in sorted((folder / where).glob("*.tf"))
    }
    rows = [{"Key": key, **({"Source": source} if source else {}), "Dir": where} for key, source, where in keys]
    return packed(path, {"tfplan": b"\0", "tfconfig/modules.json": json.dumps(rows), **files})


def test_a_binary_plan_gives_the_places_of_its_own_configuration(tmp_path: Path) -> None:
    keys = (("", "", "."), ("team", "./team", "team"), ("team.store", "../store", "store"))
    made = binary(tmp_path / "plan.bin", MODULES, *keys)
    assert read_plan(MODULES / "plan.json", source=made) == read_plan(MODULES / "plan.json", source=MODULES)


def test_modules_outside_of_a_binary_plans_root_stand_at_their_call(write: Write, tmp_path: Path) -> None:
    """Their paths lead out of the folder that names are relative to, so a service would look for them at a wrong place."""
    plan, folder = write(in_module("../keys"), **{"live/main.tf": CALL_TF.replace("SOURCE", "../keys"), "keys/main.tf": INNER_TF})
    made = binary(tmp_path / "plan.bin", folder / "live", ("", "", "."), ("keys", "../keys", "../keys"))
    found = only(read_plan(plan, source=made)).where
    assert brief(found) == ("main.tf", 1, 1, "written in ../keys/main.tf:4, which is no part of this repository")
    assert found.via == ()


HOSTILE: list[tuple[dict[str, str | bytes], str]] = [
    ({"tfplan": b"\0"}, "it holds no configuration"),
    ({"tfconfig/m-/../../../etc/x.tf": KEY_TF, "/tfconfig/m-/x.tf": KEY_TF}, "it holds no configuration"),
]


@pytest.mark.parametrize(("files", "said"), HOSTILE)
def test_an_archive_that_is_no_plan(write: Write, tmp_path: Path, files: dict[str, str | bytes], said: str) -> None:
    plan, _ = write(KEY)
    with pytest.raises(BartizanError, match=said):
        read_plan(plan, source=packed(tmp_path / "plan.bin", files))


def test_an_archive_that_unpacks_to_too_much(write: Write, tmp_path: Path) -> None:
    plan, _ = write(KEY)
    made = packed(tmp_path / "plan.bin", {"tfconfig/m-/main.tf": KEY_TF, "tfconfig/m-/b.tf": b"#" * (64 << 20)})
    estate = read_plan(plan, source=made)
    assert only(estate).where.line == 1
    assert estate.problems == ("b.tf: larger than 2097152 bytes; findings of what it declares may have no line",)


def test_an_archive_that_lies_about_its_sizes_or_is_cut(write: Write, tmp_path: Path) -> None:
    plan, _ = write(KEY)
    made = packed(tmp_path / "plan.bin", {"tfconfig/m-/main.tf": KEY_TF})
    data = made.read_bytes()
    for end in range(0, len(data), 7):
        made.write_bytes(data[:end])
        with pytest.raises(BartizanError, match=r"is no binary plan|give the folder"):
            read_plan(plan, source=made)
    for at in range(4, len(data)):
        made.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            read_plan(plan, source=made)
        except BartizanError:
            continue


def mutated(value: Any) -> Iterator[Any]:
    """The configuration of a plan with each of its parts replaced."""
    for bad in (None, 3, "x", [], {}):
        copied = copy.deepcopy(value)
        copied["configuration"]["root_module"]["module_calls"]["keys"]["source"] = bad
        yield copied
        copied = copy.deepcopy(value)
        copied["configuration"]["root_module"]["module_calls"]["keys"]["module"] = bad
        yield copied
        copied = copy.deepcopy(value)
        copied["configuration"]["root_module"]["module_calls"] = bad
        yield copied


def test_a_configuration_of_another_shape_costs_only_the_lines_or_is_an_error(write: Write) -> None:
    good = in_module("./keys")
    good["configuration"]["root_module"]["resources"] = declared("aws_kms_key.r")["resources"]
    for plan in mutated(good):
        file, folder = write(
            plan, **{"main.tf": 'resource "aws_kms_key" "r" {\n}\n' + CALL_TF.replace("SOURCE", "./keys"), "keys/main.tf": INNER_TF}
        )
        try:
            found = read_plan(file, source=folder).resources
        except BartizanError as error:
            assert re.search(r"not a plan: Expected `(object|array|str).* \(configuration\.root_module\.module_calls", str(error))  # noqa: PT017
        else:
            assert len(found) == 1


# what reports call the files


def test_files_are_called_as_the_repository_calls_them(write: Write, tmp_path: Path) -> None:
    """`--source infra` at the top of a repository: the line is in infra/main.tf, and there is no main.tf."""
    plan, folder = write(in_module("./keys"), **{"main.tf": CALL_TF.replace("SOURCE", "./keys"), "keys/main.tf": INNER_TF})
    top, called = tmp_path.resolve(), folder.resolve().relative_to(tmp_path.resolve()).as_posix()
    around = Repository(top, top)
    found = only(read_plan(plan, source=folder, repository=around))
    assert found.where.file == f"{called}/keys/main.tf"
    assert chain(found.where)[0][0] == f"{called}/main.tf"
    assert only(read_plan(plan, source=folder, repository=Repository(folder.resolve(), top))).where.file == "keys/main.tf"
    no_source = only(read_plan(plan, repository=around))
    assert no_source.where.file == plan.resolve().relative_to(top).as_posix()


def test_a_binary_plans_files_are_those_beside_it_where_they_are_the_same(write: Write, tmp_path: Path) -> None:
    plan, folder = write(in_module("./keys"), **{"main.tf": CALL_TF.replace("SOURCE", "./keys"), "keys/main.tf": INNER_TF})
    top, called = tmp_path.resolve(), folder.resolve().relative_to(tmp_path.resolve()).as_posix()
    made = binary(folder / "plan.bin", folder, ("", "", "."), ("keys", "./keys", "keys"))
    assert only(read_plan(plan, source=made, repository=Repository(top, top))).where.file == f"{called}/keys/main.tf"
    (folder / "main.tf").write_text("# another\n")
    assert only(read_plan(plan, source=made, repository=Repository(top, top))).where.file == "keys/main.tf"
