"""wandb's own reader on a .wandb file: python logs-wandb.py FILE. Prints seconds, CPU seconds and points as JSON."""

import json
import sys
import time

from wandb.proto import wandb_internal_pb2
from wandb.sdk.internal.datastore import DataStore


def records(path):
    store = DataStore()
    store.open_for_scan(path)
    while (data := store.scan_data()) is not None:
        record = wandb_internal_pb2.Record()
        record.ParseFromString(data)
        yield record


def walk(path):
    """What the reader alone costs: every record parsed, nothing looked at."""
    return sum(1 for _ in records(path))


def points(path):
    """Every point of the history, by metric; what a person needs who wants to do anything with the file."""
    series = {}
    for record in records(path):
        if record.WhichOneof("record_type") != "history":
            continue
        step = record.history.step.num
        for item in record.history.item:
            name = ".".join(item.nested_key) or item.key
            if not name.startswith("_"):
                series.setdefault(name, []).append((step, json.loads(item.value_json)))
    return sum(map(len, series.values()))


def timed(work, path):
    start, cpu = time.perf_counter(), time.process_time()
    count = work(path)
    return {"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu, "count": count}


print(json.dumps({"walk": timed(walk, sys.argv[1]), "points": timed(points, sys.argv[1])}))
