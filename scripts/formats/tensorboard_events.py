"""TensorBoard events by tensorboardX (`simple_value`) and by TensorBoard's own writer (tensors), read by EventAccumulator."""

from __future__ import annotations

import math

import tensorboard
import tensorboardX
from events import scalars
from known import curve, folder, read_back, run
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.summary.writer.event_file_writer import EventFileWriter

COUNT = 40


def main() -> None:
    logs = folder()
    settings = {"lr": 3e-06, "algo": "grpo", "use_kl": True}
    with tensorboardX.SummaryWriter(str(logs / "simple")) as writer:
        for i, value in enumerate(curve("loss", COUNT)):
            writer.add_scalar("train/loss", value, i * 10)
            if i % 4 == 0:
                writer.add_scalar("eval/return", math.nan if i == 8 else 100 * value, i * 10)
        writer.add_hparams(settings, {"hparam/final": 0.25})
    writer = EventFileWriter(str(logs / "tensors"))
    for i, value in enumerate(curve("tensor", COUNT)):
        writer.add_event(tensor_event("charts/SPS", value, i))
    writer.close()

    # add_hparams writes into a folder of its own, named by the time.
    (hparams,) = (path for path in (logs / "simple").iterdir() if path.is_dir())
    simple = {**scalars(logs / "simple"), **scalars(hparams)}
    accumulator = EventAccumulator(str(logs / "tensors"), size_guidance={"tensors": 0})
    accumulator.Reload()
    events = accumulator.Tensors("charts/SPS")
    tensors = {"charts/SPS": [(event.step, event.tensor_proto.float_val[0]) for event in events]}
    runs = [run("simple", simple, settings), run("tensors", tensors)]
    read_back(f"{tensorboardX.__version__}, {tensorboard.__version__}", "EventAccumulator", runs)


def tensor_event(tag: str, value: float, step: int) -> Event:
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="scalars"))
    tensor = TensorProto(dtype="DT_FLOAT", float_val=[value])
    summary = Summary(value=[Summary.Value(tag=tag, tensor=tensor, metadata=metadata)])
    return Event(step=step, wall_time=1.7e9 + step, summary=summary)


if __name__ == "__main__":
    main()
