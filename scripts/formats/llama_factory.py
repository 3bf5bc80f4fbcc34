"""LLaMA-Factory's own callback writes `trainer_log.jsonl`: alone, and beside the state of the Trainer that it rides on."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import version

from known import folder, read_back, run
from llamafactory.train.callbacks import LogCallback
from small_trainer import SETTINGS, history, train


def main() -> None:
    logs = folder()
    whole, alone = logs / "whole", logs / "alone"
    train(whole, [LogCallback()])
    alone.mkdir()
    shutil.copy(whole / "trainer_log.jsonl", alone)
    # Another training, or the two would be one.
    lines = [json.loads(line) for line in open(alone / "trainer_log.jsonl")]
    for line in lines:
        line.update({key: line[key] + 0.125 for key in ("loss", "eval_loss") if key in line})
    (alone / "trainer_log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    points: dict = {}
    for line in lines:
        for key, value in line.items():
            if isinstance(value, (int, float)) and key != "current_steps":
                points.setdefault(key, []).append((line["current_steps"], value))
    runs = [run("whole", history(whole), SETTINGS), run(None, points)]
    read_back(version("llamafactory"), "TrainerState, json", runs)


if __name__ == "__main__":
    main()
