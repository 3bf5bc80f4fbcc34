"""The Trainer of transformers on a small regression: `trainer_state.json`, TensorBoard and a checkpoint in one folder."""

from __future__ import annotations

import torch
import transformers
from known import folder, read_back, run
from transformers import Trainer, TrainerState, TrainingArguments


class Regression(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x, labels=None):
        out = self.layer(x)[:, 0]
        return {"loss": (out - labels).square().mean(), "logits": out}


def main() -> None:
    logs = folder()
    output = logs / "regression"
    torch.manual_seed(7)
    rows = [{"x": torch.randn(4), "labels": torch.randn(())} for _ in range(32)]
    arguments = TrainingArguments(
        str(output), max_steps=24, logging_steps=2, eval_strategy="steps", eval_steps=8, save_steps=12, seed=7,
        learning_rate=0.003, per_device_train_batch_size=4, report_to=["tensorboard"], use_cpu=True, disable_tqdm=True,
    )
    trainer = Trainer(Regression(), arguments, train_dataset=rows, eval_dataset=rows)
    trainer.train()
    trainer.save_state()
    state = TrainerState.load_from_json(str(output / "trainer_state.json"))
    settings = {"learning_rate": 0.003, "seed": 7, "max_steps": 24, "per_device_train_batch_size": 4}
    read_back(transformers.__version__, "TrainerState", [run("regression", history(state), settings)])


def history(state: TrainerState) -> dict:
    points = {}
    for row in state.log_history:
        for key, value in row.items():
            if key != "step":
                points.setdefault(key, []).append((row["step"], value))
    return points


if __name__ == "__main__":
    main()
