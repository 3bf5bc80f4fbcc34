"""Known numbers, and the file in which a program says what its writer's own reader found in the logs that it wrote.

A program is called with an empty folder. It writes its logs below `logs` there and, at the end, `readback.json` beside it.
"""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any, Iterable

#: Settings as a training would log them: nested, a text, a truth value, a small and a large number.
SETTINGS = {"learning_rate": 3e-06, "seed": 7, "algo": "grpo", "use_kl": True, "kl": {"coef": 0.001, "kind": "k3"}}


def folder() -> Path:
    logs = Path(sys.argv[1]) / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    return logs


def curve(name: str, count: int, scale: float = 1.0) -> list[float]:
    """Values that need all seventeen digits; the name is the seed."""
    draw = random.Random(name)
    return [scale * (math.exp(-i / count) + draw.gauss(0, 0.1)) for i in range(count)]


def run(name: str | None, points: dict[str, Iterable], settings: dict[str, Any] | None = None, **more: Any) -> dict:
    """One training: (step, value) pairs by metric. `name` None: the writer gives it none that a reader could know."""
    written = {metric: [[number(step), number(value)] for step, value in pairs] for metric, pairs in points.items()}
    return {"name": name, "points": written, "settings": settings or {}, **more}


def number(value: Any) -> float | str:
    value = float(value)
    if math.isnan(value):
        return "NaN"
    return value if math.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


def read_back(version: str, by: str, runs: list[dict], evaluations: list[dict] | None = None) -> None:
    """`evaluations`: mean, standard errors and the score of each item, by task and metric."""
    found = {"version": version, "by": by, "runs": runs, "evaluations": evaluations or []}
    text = json.dumps(found, allow_nan=False)
    (Path(sys.argv[1]) / "readback.json").write_text(text)
