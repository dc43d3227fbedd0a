"""As much of XML Schema as `junit-10.xsd` uses, read from the schema itself: no validator is among our dependencies."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

XS = "{http://www.w3.org/2001/XMLSchema}"
KNOWN = {"schema", "simpleType", "restriction", "pattern", "complexType", "sequence", "choice", "element", "attribute"}


class Schema:
    """Global elements and types; content is a sequence or choice of references, each as often as it likes."""

    def __init__(self, path: Path) -> None:
        root = ET.parse(path).getroot()  # noqa: S314 - our own file
        assert {node.tag.removeprefix(XS) for node in root.iter()} <= KNOWN
        self.elements = {node.get("name"): node for node in root.findall(f"{XS}element")}
        self.patterns = {node.get("name"): re.compile(node[0][0].get("value", "")) for node in root.findall(f"{XS}simpleType")}

    def faults(self, node: ET.Element, at: str = "") -> list[str]:
        """What is wrong with an element and all in it."""
        path = f"{at}/{node.tag}"
        known = self.elements.get(node.tag)
        if known is None:
            return [f"{path}: unknown"]
        found = []
        attributes = {each.get("name"): each for each in known.iter(f"{XS}attribute")}
        for name, value in node.attrib.items():
            pattern = self.patterns.get(attributes[name].get("type")) if name in attributes else None
            if name not in attributes or (pattern and not pattern.fullmatch(value)):
                found.append(f"{path}/@{name}: {value}")
        found += [
            f"{path}/@{n}: missing" for n, each in attributes.items() if each.get("use") == "required" and n not in node.attrib
        ]
        mixed = any(each.get("mixed") == "true" for each in known.iter(f"{XS}complexType")) or known.get("type") == "xs:string"
        text = "".join(filter(None, (node.text, *(child.tail for child in node))))
        found += [f"{path}: text {text.strip()!r}"] if text.strip() and not mixed else []
        allowed = {each.get("ref") for each in known.iter(f"{XS}element") if each is not known}
        found += [f"{path}/{child.tag}: not allowed here" for child in node if child.tag not in allowed]
        return found + [fault for child in node if child.tag in allowed for fault in self.faults(child, path)]
