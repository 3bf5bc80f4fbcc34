"""Answers of klens as objects: members by name, typed where the contract promises them, shown as klens shows them.

Nothing is computed here. An answer is the JSON of `klens VERB --json`; every member of it is an attribute, also those
that are not written down below.
"""

from __future__ import annotations

import html
from typing import Any, ClassVar, Dict, Iterator, List, Optional, Tuple

_NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_TEXTS = frozenset(("id", "name", "label", "metric", "run", "file", "text", "message"))


class Record(dict):
    """A dictionary whose members are attributes, too."""

    _kinds: ClassVar[Dict[str, Any]] = {}

    def __init__(self, members: Dict[str, Any]):
        super().__init__((name, _wrapped(name, each, self._kinds.get(name))) for name, each in members.items())

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError("%s has no %r; it has %s" % (type(self).__name__, name, ", ".join(self))) from None

    def __dir__(self) -> List[str]:
        return sorted(set(super().__dir__()) | set(self))


def _wrapped(name: str, value: Any, kind: Any = None) -> Any:
    if isinstance(value, dict):
        return (kind or Record)(value)
    if isinstance(value, list):
        return [_wrapped(name, each, kind) for each in value]
    if isinstance(value, str) and name not in _TEXTS:
        return _NUMBERS.get(value, value)
    return value


class Verdict(Record):
    question: str
    metric: str
    baseline: str
    other: str
    scope: str
    answer: str
    estimate: Optional[float]
    interval: Optional[Tuple[float, float]]
    p: Optional[float]
    margin: Optional[float]
    smallestMargin: Optional[float]
    tags: List[str]
    reasons: List[str]


class Finding(Record):
    rule: str
    severity: str
    run: str
    steps: Tuple[float, float]
    message: str
    evidence: Dict[str, Any]
    remedy: str


class Answer(Record):
    """A whole answer. In a notebook it is shown as klens shows it, with its chart; `print` gives the same in words."""

    _question: ClassVar[str] = ""
    _rows: ClassVar[str] = ""
    _lang: str = "en"

    def __str__(self) -> str:
        return self._shown("text") or dict.__repr__(self)

    def __repr__(self) -> str:
        return "<klens %s: %s>" % (type(self).__name__, ", ".join(self))

    def _repr_html_(self) -> Optional[str]:
        shown = self._shown("html")
        # klens has escaped every name and text; the frame is only for the look.
        return None if shown is None else '<div class="klens">%s%s</div>' % (_STYLE, shown)

    def _shown(self, kind: str) -> Optional[str]:
        from . import pipe

        message = {"present": self._question, "answer": self._given, "as": kind, "lang": self._lang}
        return pipe.process().ask(message).result()

    def rows(self) -> List[Dict[str, Any]]:
        """The table of the answer, a dictionary each."""
        return [_flat(row) for row in self.get(self._rows) or []]

    def to_frame(self) -> Any:
        """The table of the answer as a DataFrame of pandas, or of polars where there is no pandas."""
        return frame(self.rows())


def frame(rows: List[Dict[str, Any]]) -> Any:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = {name: [row.get(name) for row in rows] for name in columns}
    try:
        import pandas
    except ImportError:
        pass
    else:
        return pandas.DataFrame(table)
    try:
        import polars
    except ImportError:
        raise ImportError("to_frame() needs pandas or polars; .rows() needs neither") from None
    return polars.DataFrame(table, strict=False)


def _flat(row: Dict[str, Any], before: str = "") -> Dict[str, Any]:
    flat: Dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            flat.update(_flat(value, "%s%s." % (before, name)))
        else:
            flat[before + name] = value
    return flat


class Comparison(Answer):
    _question = "compare"
    _kinds = {"verdicts": Verdict}
    sides: List[Record]
    confounds: List[Record]
    verdicts: List[Verdict]
    choose: Optional[Record]
    warnings: List[str]

    @property
    def verdict(self) -> Verdict:
        """The headline."""
        return self.verdicts[self["headline"]["verdict"]]

    def rows(self) -> List[Dict[str, Any]]:
        """Every shared evaluation: the step, each side's value, the difference."""
        labels = [side["label"] for side in self.sides]
        table = self["table"]["rows"]
        return [dict([("step", row["step"])] + list(zip(labels, row["values"])) + [("diff", row["diff"])]) for row in table]


class Diagnosis(Answer):
    _question = "diagnose"
    _rows = "findings"
    _kinds = {"findings": Finding}
    findings: List[Finding]
    passed: List[str]
    notChecked: List[Record]

    @property
    def healthy(self) -> bool:
        """No error and no warning among what could be checked."""
        return all(finding.severity == "note" for finding in self.findings)


class Checkpoints(Answer):
    _question = "checkpoints"
    _rows = "ranking"
    metric: str
    ranking: List[Record]
    best: Record
    take: Record
    indistinguishable: List[float]


class Frontier(Answer):
    _question = "frontier"
    _rows = "settings"
    settings: List[Record]
    pairs: List[Record]
    peak: Optional[Record]


class Forecast(Answer):
    _question = "forecast"
    run: str
    metric: str
    final: Optional[Record]
    passes: Optional[Record]
    reasons: List[str]

    def rows(self) -> List[Dict[str, Any]]:
        return [_flat(self)]


class Gate(Answer):
    """`decision` is keep, discard or more."""

    _question = "gate"
    decision: str
    more: Optional[Record]
    verdict: Any
    reasons: List[str]

    def rows(self) -> List[Dict[str, Any]]:
        return [_flat(self)]

    def __bool__(self) -> bool:
        raise TypeError("a gate has three answers: compare .decision with 'keep', 'discard' or 'more'")


class Runs(List[Record]):
    """The runs of the workspace: a list with a table."""

    def to_frame(self) -> Any:
        return frame([_flat({k: v for k, v in run.items() if k != "summary"}) for run in self])

    def __iter__(self) -> Iterator[Record]:
        return super().__iter__()

    def _repr_html_(self) -> str:
        columns = ["id", "name", "status", "source", "steps", "tags"]
        cell = lambda value: html.escape(", ".join(map(str, value)) if isinstance(value, list) else str(value))
        head = "".join("<th>%s</th>" % name for name in columns)
        body = "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % cell(run.get(name, "")) for name in columns) for run in self[:200])
        more = "" if len(self) <= 200 else "<p>%d runs in all</p>" % len(self)
        return '<div class="klens"><table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>%s</div>' % (head, body, more)


_STYLE = (
    "<style>.klens{max-width:780px}.klens .verdict,.klens .note{border-left:3px solid #d8dde3;padding-left:12px}"
    ".klens svg{max-width:100%;height:auto}.klens .quiet,.klens dt,.klens figcaption{color:#5b6470}"
    ".klens td.number{text-align:right}</style>"
)

KINDS = {kind._question: kind for kind in (Comparison, Diagnosis, Checkpoints, Frontier, Forecast, Gate)}
