"""SwanLab offline, read by its own DataStoreReader."""

from __future__ import annotations

from collections import defaultdict

import swanlab
from known import SETTINGS, curve, folder, read_back, run
from swanlab.proto.swanlab.record.v1.record_pb2 import Record
from swanlab.sdk.internal.core_python.store import DataStoreReader

COUNT = 30


def main() -> None:
    logs = folder()
    settings = swanlab.Settings(probe=swanlab.Settings.Probe(monitor=False))
    swanlab.init(
        project="formats", experiment_name="swan", config=SETTINGS, mode="offline", logdir=str(logs), settings=settings
    )
    for i, value in enumerate(curve("swan", COUNT)):
        swanlab.log({"train/loss": value, "nested": {"kl": value / 7}}, step=3 * i)
    swanlab.log({"odd": float("nan"), "large": float("inf")}, step=3 * COUNT)
    swanlab.finish()

    (path,) = logs.glob("run-*/*.swanlab")
    reader, points = DataStoreReader(), defaultdict(list)
    reader.open(str(path))
    for data in reader:
        record = Record.FromString(data)
        if record.HasField("scalar"):
            points[record.scalar.key].append((record.scalar.step, record.scalar.value.number))
    read_back(swanlab.__version__, "DataStoreReader", [run("swan", points, SETTINGS)])


if __name__ == "__main__":
    main()
