"""W&B offline: one run of plain steps, one whose evaluations have an axis of their own.

Read by W&B's own DataStore, which 0.29 was the last release to have: called again as `wandb_offline.py FOLDER read`.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict

os.environ.update(WANDB_MODE="offline", WANDB_SILENT="true", WANDB_CONSOLE="off")

import wandb
from known import SETTINGS, curve, folder, read_back, run

COUNT = 30


def write() -> None:
    logs = folder()
    (logs.parent / "version").write_text(wandb.__version__)
    plain = wandb.init(project="formats", name="plain", id="plain01", config=SETTINGS, dir=str(logs))
    loss = curve("loss", COUNT)
    for i in range(COUNT):
        plain.log({"actor/loss": loss[i], "nested": {"kl": loss[i] / 7}, "note": "no number"}, step=2 * i)
    plain.log({"odd": float("nan"), "large": float("inf")}, step=2 * COUNT)
    plain.finish()
    axes = wandb.init(project="formats", name="axes", id="axes01", config={"seed": 8}, dir=str(logs))
    axes.define_metric("train/step")
    axes.define_metric("train/*", step_metric="train/step")
    for i in range(COUNT):
        axes.log({"train/loss": loss[i], "train/step": 5 * i})
    axes.finish()


def read() -> None:
    logs = folder()
    runs = []
    for name, axis, settings in (("plain", "_step", SETTINGS), ("axes", "train/step", {"seed": 8})):
        (path,) = logs.glob(f"wandb/offline-run-*-{name}01/*.wandb")
        runs.append(run(name, history(str(path), axis), settings))
    read_back((logs.parent / "version").read_text(), f"DataStore of {wandb.__version__}", runs)


def history(path: str, axis: str) -> dict:
    from wandb.proto.wandb_internal_pb2 import Record
    from wandb.sdk.internal.datastore import DataStore

    store, points = DataStore(), defaultdict(list)
    store.open_for_scan(path)
    while (data := store.scan_data()) is not None:
        record = Record.FromString(data)
        row = {".".join(item.nested_key) or item.key: json.loads(item.value_json) for item in record.history.item}
        for key, value in row.items():
            if isinstance(value, (int, float)) and not key.startswith("_") and key != axis:
                points[key].append((row[axis], value))
    return points


if __name__ == "__main__":
    read() if sys.argv[2:] == ["read"] else write()
