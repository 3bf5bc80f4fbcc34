"""Trackio, read by its own SQLiteStorage: two runs of one project."""

from __future__ import annotations

import os
import sys
from collections import defaultdict

os.environ["TRACKIO_DIR"] = f"{sys.argv[1]}/logs"

import trackio
from known import SETTINGS, curve, folder, read_back, run
from trackio.sqlite_storage import SQLiteStorage

COUNT = 20


def main() -> None:
    folder()
    for name in ("one", "other"):
        trackio.init(project="formats", name=name, config=SETTINGS, embed=False)
        for i, value in enumerate(curve(name, COUNT)):
            trackio.log({"train/loss": value, "reward": float("nan") if i == 4 else -value}, step=2 * i)
        trackio.finish()
    runs = []
    for name in ("one", "other"):
        points = defaultdict(list)
        for row in SQLiteStorage.get_logs("formats", name):
            for key in ("train/loss", "reward"):
                points[key].append((row["step"], row[key]))
        runs.append(run(name, points, SETTINGS))
    read_back(trackio.__version__, "SQLiteStorage", runs)


if __name__ == "__main__":
    main()
