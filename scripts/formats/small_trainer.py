"""A small regression for the Trainer of transformers, which several frameworks log from."""

from __future__ import annotations

import torch
from transformers import Trainer, TrainerState, TrainingArguments


class Regression(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def forward(self, x, labels=None):
        out = self.layer(x)[:, 0]
        return {"loss": (out - labels).square().mean(), "logits": out}


def train(output, callbacks=None, **arguments) -> None:
    torch.manual_seed(7)
    rows = [{"x": torch.randn(4), "labels": torch.randn(())} for _ in range(32)]
    wanted = TrainingArguments(
        str(output), max_steps=24, logging_steps=2, eval_strategy="steps", eval_steps=8, save_steps=12, seed=7,
        learning_rate=0.003, per_device_train_batch_size=4, use_cpu=True, disable_tqdm=True,
        **{"report_to": [], **arguments},
    )  # fmt: skip
    trainer = Trainer(Regression(), wanted, train_dataset=rows, eval_dataset=rows, callbacks=callbacks)
    trainer.train()
    trainer.save_state()


#: What is left of the arguments in `training_args.bin` beside the log.
SETTINGS = {"learning_rate": 0.003, "seed": 7, "max_steps": 24, "per_device_train_batch_size": 4}


def history(output) -> dict:
    points: dict = {}
    for row in TrainerState.load_from_json(str(output / "trainer_state.json")).log_history:
        for key, value in row.items():
            if key != "step":
                points.setdefault(key, []).append((row["step"], value))
    return points
