"""klens in Python: ask a workspace of training runs, log to it, and watch.

    import klens
    answer = klens.compare("kl-0.0/*", "kl-0.1/*", margin="2%")
    answer.verdict.answer        # better, worse, same, different-but-small or undetermined
    answer                       # in a notebook: the verdict with its chart

Nothing is computed in Python: every question goes to one klens process over a pipe (pipe.py), which lies beside this file
in the wheel, with its own Node. `klens.log({...}, step=...)` writes the metrics of a loop of one's own (live.py).
"""

import os
import sys
import threading
import time

from .live import config, flush, log
from .pipe import KlensError, close, process
from .results import KINDS, Answer, Checkpoints, Comparison, Diagnosis, Forecast, Frontier, Gate, Record, Runs, Verdict

__all__ = [
    *("Answer", "Checkpoints", "Comparison", "Diagnosis", "Forecast", "Frontier", "Gate", "KlensError", "Record", "Runs"),
    *("Verdict", "Watch", "ask", "checkpoints", "close", "compare", "config", "diagnose", "flush", "forecast", "frontier"),
    *("gate", "log", "main", "runs", "watch"),
]


def ask(question, lang="en", **members):
    """Any question of klens by its name; members are called like the flags (`--seed-sd` is `seedSd` or `seed_sd`)."""
    message = {"ask": question, "request": _request(members), "lang": lang}
    answer = process().ask(message).result()
    if not isinstance(answer, dict):
        return answer
    kind = KINDS.get(question, Answer)
    made = kind(answer)
    # The answer as klens gave it goes back to be shown.
    made.__dict__.update(_given=answer, _lang=lang)
    if kind is Answer:
        made.__dict__["_question"] = question
    return made


def runs(**filters):
    """All runs, or those that fit `status`, `tag`, `where`."""
    found = process().ask({"ask": "runs", "request": _request(filters)}).result()
    return Runs(Record(run) for run in found)


def compare(*sides, **members) -> Comparison:
    """Better, worse, about the same, or undetermined? The first side is the baseline; a side is a run, a pattern or a path."""
    return ask("compare", sides=list(sides), **members)


def diagnose(*names, **members) -> Diagnosis:
    """Is the training healthy?"""
    return ask("diagnose", runs=list(names), **members)


def checkpoints(run, **members) -> Checkpoints:
    """Which checkpoint to ship?"""
    return ask("checkpoints", run=run, **members)


def frontier(*names, **members) -> Frontier:
    """What did the distance from the reference gain?"""
    return ask("frontier", runs=list(names), **members)


def forecast(run, **members) -> Forecast:
    """Where will this run end?"""
    return ask("forecast", run=run, **members)


def gate(baseline, candidate, loop, **members) -> Gate:
    """Keep, discard, or run more? With the error controlled over the whole loop."""
    return ask("gate", baseline=baseline, candidate=candidate, loop=loop, **members)


class Watch:
    """A run that is being watched. `should_stop()` costs nothing: events come by themselves.

        watch = klens.watch("kl-0.01")
        for step in range(steps):
            ...
            if watch.should_stop():
                break
    """

    def __init__(self, names, **members):
        self.events = []
        self._members = dict(members, runs=list(names))
        self._asked = None
        self._lock = threading.Lock()
        self._begin()

    def should_stop(self):
        """Whether a rule has said stop; `reason` says why. A run that has no line yet is looked for again."""
        if self._asked.done() and self.reason is None and time.monotonic() > self._again:
            self._begin()
        return self.reason is not None

    @property
    def reason(self):
        return next((event["message"] for event in self.events if event.get("event") == "stop"), None)

    def stop(self):
        """Watches no longer."""
        self._asked.stop()

    def _begin(self):
        message = {"ask": "watch", "request": _request(self._members), "progress": True}
        self._again = time.monotonic() + 5
        with self._lock:
            self._asked = process().ask(message, self._heard)

    def _heard(self, news):
        if news.get("kind") == "event":
            self.events.append(Record(news["event"]))


def watch(*names, **members) -> Watch:
    """Watches runs by name or path; `stop` takes rules as `klens watch --stop` does."""
    return Watch(names, **members)


def _request(members):
    return {_camel(name): value for name, value in members.items() if value is not None}


def _camel(name):
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(part.capitalize() for part in rest)


def main():
    launcher = os.path.join(os.path.dirname(os.path.abspath(__file__)), "klens")
    os.execv(launcher, [launcher] + sys.argv[1:])
