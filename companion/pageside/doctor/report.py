"""What a visit finds, as data, and as lines that one reads in ten seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pageside import __version__
from pageside.core.untrusted import clean_text

Level = Literal["ok", "note", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `fix` says what to do about it."""

    level: Level
    text: str
    fix: str = ""


def ok(text: str) -> Finding:
    return Finding("ok", text)


def note(text: str, fix: str = "") -> Finding:
    """Good to know, and nothing that stops anybody."""
    return Finding("note", text, fix)


def problem(text: str, fix: str) -> Finding:
    return Finding("problem", text, fix)


@dataclass(frozen=True, slots=True)
class Tried:
    """One request of the attack: what was sent, what came, and whether that is the refusal that it must be."""

    name: str
    sent: str
    came: str
    refused: bool
    answered: bool = True
    """Who says nothing has neither refused it nor let it pass."""


@dataclass(frozen=True, slots=True)
class Group:
    """Findings under one title; of the attack also its table."""

    title: str
    findings: list[Finding]
    tried: list[Tried] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Report:
    """A whole visit."""

    project: str
    groups: list[Group]
    seconds: float

    def count(self, level: Level) -> int:
        return sum(finding.level == level for group in self.groups for finding in group.findings)

    @property
    def has_problem(self) -> bool:
        return self.count("problem") > 0

    def to_json(self) -> dict[str, Any]:
        return {
            "version": __version__,
            "project": self.project,
            "seconds": round(self.seconds, 2),
            "problems": self.count("problem"),
            "notes": self.count("note"),
            "groups": [asdict(group) for group in self.groups],
        }

    def to_text(self) -> str:
        """One line for each finding, what to do below it."""
        lines = [f"Pageside {__version__} in {_shown(self.project)}"]
        for group in self.groups:
            lines += ["", group.title, *_table(group.tried)]
            for finding in group.findings:
                lines.append(f"  {finding.level:<8} {_shown(finding.text)}")
                lines += [f"           -> {_shown(line)}" for line in finding.fix.splitlines()]
        lines += ["", _summary(self)]
        return "\n".join(lines)


def _table(tried: list[Tried]) -> Iterator[str]:
    names = max((len(each.name) for each in tried), default=0)
    sent = max((len(each.sent) for each in tried), default=0)
    for each in tried:
        word = "refused" if each.refused else "PASSED" if each.answered else "silent"
        yield _shown(f"  {word:<8} {each.name:<{names}}  {each.sent:<{sent}}  {each.came}")


def _shown(text: str) -> str:
    """Names of files, programs and pages may hold what moves a terminal's cursor."""
    return clean_text(text).replace("\n", " ")


def _summary(report: Report) -> str:
    problems, notes = (
        f"{number} {word}{'' if number == 1 else 's'}"
        for word, number in (("problem", report.count("problem")), ("note", report.count("note")))
    )
    return f"{problems}, {notes}, in {report.seconds:.1f} s."
