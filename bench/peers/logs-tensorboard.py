"""TensorBoard's Python loader on a folder, every point kept: python logs-tensorboard.py FOLDER. Prints JSON."""

import json
import sys
import time

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

start, cpu = time.perf_counter(), time.process_time()
loader = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0, "tensors": 0})
loader.Reload()
tags = loader.Tags()
count = sum(len(loader.Scalars(tag)) for tag in tags["scalars"]) + sum(len(loader.Tensors(tag)) for tag in tags["tensors"])
print(json.dumps({"seconds": time.perf_counter() - start, "cpuSeconds": time.process_time() - cpu, "count": count}))
