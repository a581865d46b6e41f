"""The list of reasons in the documentation is the list of reasons in the code."""

import ast
import re
from pathlib import Path

import sitestrata.sources

ROOT = Path(sitestrata.sources.__file__).parent
PAGE = ROOT.parents[2] / "docs" / "sources.md"
REASON = re.compile(r"[a-z]+(?:-[a-z]+)*\Z")


def said_in_code() -> set[str]:
    """Every constant that stands where a reason goes: in Fault, Reject, or the fault of a source or member."""
    found = set()
    for path in ROOT.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                place = {"Fault": 1, "Reject": 2, "_unusable": 1}.get(node.func.id)
                values = [] if place is None else [arg for index, arg in enumerate(node.args) if index == place]
                values += [word.value for word in node.keywords if word.arg in ("reason", "fault")]
                found |= {leaf.value for value in values for leaf in ast.walk(value) if _is_reason(leaf)}
            elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and _is_reason(node.elts[0]):
                if isinstance(node.elts[1], ast.Constant | ast.JoinedStr | ast.Name):
                    found.add(node.elts[0].value)  # type: ignore[attr-defined]
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(getattr(target, "attr", "") == "fault" for target in targets) and node.value is not None:
                    found |= {leaf.value for leaf in ast.walk(node.value) if _is_reason(leaf)}
    return {reason for reason in found if "-" in reason or reason in ("changed", "unreadable")}


def _is_reason(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and REASON.match(node.value) is not None


def test_every_reason_is_documented() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Reasons")[2]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    documented = {reason for row in rows for reason in re.findall(r"`([a-z-]+)`", row)}

    assert documented == said_in_code()
