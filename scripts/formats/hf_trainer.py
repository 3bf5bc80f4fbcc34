"""The Trainer of transformers on a small regression: `trainer_state.json`, TensorBoard and checkpoints in one folder."""

from __future__ import annotations

import transformers
from known import folder, read_back, run
from small_trainer import SETTINGS, history, train


def main() -> None:
    output = folder() / "regression"
    train(output, report_to=["tensorboard"])
    read_back(transformers.__version__, "TrainerState", [run("regression", history(output), SETTINGS)])


if __name__ == "__main__":
    main()
