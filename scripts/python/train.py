"""Trains a few steps with HF Trainer and Lightning and logs as verl does, each into a run of klens; prints what klens has of them."""

import json
import sys

import lightning
import torch
from transformers import Trainer, TrainingArguments

import klens
import klens.verl  # noqa: F401 (adds the logger)
from klens.hf import KlensCallback
from klens.lightning import KlensLogger
from verl.utils.tracking import Tracking

STEPS = 30


class Line(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 1)

    def forward(self, x, labels=None):
        y = self.linear(x).squeeze(-1)
        return {"loss": ((y - labels) ** 2).mean(), "logits": y}


class LitLine(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 1)
        self.save_hyperparameters({"lr": 0.1})

    def training_step(self, batch, _):
        loss = ((self.linear(batch) - 1) ** 2).mean()
        self.log("train/loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)


def hf(output):
    rows = [{"x": torch.randn(2), "labels": torch.tensor(1.0)} for _ in range(64)]
    settings = dict(max_steps=STEPS, logging_steps=1, eval_strategy="steps", eval_steps=5, report_to=[])
    arguments = TrainingArguments(output, use_cpu=True, save_strategy="no", disable_tqdm=True, **settings)
    callbacks = [KlensCallback("hf", stop=True)]
    Trainer(Line(), arguments, train_dataset=rows, eval_dataset=rows[:8], callbacks=callbacks).train()


def lit():
    quiet = dict(enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer = lightning.Trainer(max_steps=STEPS, logger=KlensLogger("lit"), log_every_n_steps=1, accelerator="cpu", **quiet)
    trainer.fit(LitLine(), torch.utils.data.DataLoader(torch.randn(256, 2), batch_size=4))


def verl():
    tracking = Tracking("project", "verl", ["console", "klens"], {"algorithm": {"kl_ctrl": {"kl_coef": 0.001}}})
    for step in range(1, STEPS + 1):
        tracking.log({"critic/score/mean": step / STEPS, "actor/kl_loss": 0.01 * step}, step=step)


hf(sys.argv[1])
lit()
verl()
klens.flush()
told = {}
for name in ("hf", "lit", "verl"):
    answer = klens.ask("show", run=name)
    told[name] = {"steps": answer.run.steps, "metrics": [series.metric for series in answer.series], "config": answer.run.config}
print(json.dumps({"runs": told, "columns": list(klens.runs().to_frame().columns)}))
