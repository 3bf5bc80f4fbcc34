"""ms-swift's own callback writes `logging.jsonl`, whose step is a text ("5/150"), beside the state of the Trainer."""

from __future__ import annotations

import json
from importlib.metadata import version

from known import folder, read_back, run
from small_trainer import train
from swift.trainers.patcher import PrinterCallbackNew


def main() -> None:
    logs = folder()
    output = logs.parent / "output"
    train(output, [PrinterCallbackNew()])
    alone = logs / "v0-20261117-100000"
    alone.mkdir()
    (output / "logging.jsonl").rename(alone / "logging.jsonl")
    points: dict = {}
    for line in map(json.loads, open(alone / "logging.jsonl")):
        step = int(line["global_step/max_steps"].split("/")[0])
        for key, value in line.items():
            if isinstance(value, (int, float)):
                points.setdefault(key, []).append((step, value))
    read_back(version("ms-swift"), "json", [run(alone.name, points)])


if __name__ == "__main__":
    main()
