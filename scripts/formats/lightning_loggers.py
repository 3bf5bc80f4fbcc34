"""Lightning's CSVLogger and TensorBoardLogger, each with a small real training, and both in one training."""

from __future__ import annotations

import csv
from pathlib import Path

import lightning
import torch
from events import scalars
from known import folder, read_back, run
from lightning.pytorch.core.saving import load_hparams_from_yaml
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from torch.utils.data import DataLoader, TensorDataset


class Regression(lightning.LightningModule):
    def __init__(self, learning_rate: float, width: int) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, width)

    def training_step(self, batch, _):
        loss = self.layer(batch[0]).square().mean()
        self.log("train_loss", loss, on_step=True, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        self.log("val_loss", self.layer(batch[0]).abs().mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=self.hparams.learning_rate)


def main() -> None:
    logs = folder()
    train(7, [CSVLogger(logs / "table", name="")])
    train(8, [TensorBoardLogger(logs / "events", name="")])
    train(9, [CSVLogger(logs / "both", version=0), TensorBoardLogger(logs / "both", version=0)])
    both = logs / "both" / "lightning_logs" / "version_0"
    # Left to themselves two loggers number their folders apart, and one training looks like two.
    train(10, [CSVLogger(logs / "apart"), TensorBoardLogger(logs / "apart")])
    table, events = (logs / "apart" / "lightning_logs" / name for name in ("version_0", "version_1"))
    runs = [
        run(None, metrics(logs / "table" / "version_0"), settings(logs / "table" / "version_0")),
        run(None, scalars(logs / "events" / "version_0"), settings(logs / "events" / "version_0")),
        run(None, {**scalars(both), **metrics(both)}, settings(both)),
        run(None, {**scalars(events), **metrics(table)}, settings(table)),
    ]
    read_back(lightning.__version__, "csv, EventAccumulator, load_hparams_from_yaml", runs)


def train(seed: int, loggers: list) -> None:
    lightning.seed_everything(seed, verbose=False)
    data = DataLoader(TensorDataset(torch.randn(64, 4)), batch_size=8)
    trainer = lightning.Trainer(
        max_epochs=4, logger=loggers, log_every_n_steps=2, accelerator="cpu", enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False,
    )
    trainer.fit(Regression(0.05, 3), data, data)


def metrics(path: Path) -> dict:
    points = {}
    with open(path / "metrics.csv", newline="") as file:
        for row in csv.DictReader(file):
            for key, value in row.items():
                if value != "" and key != "step":
                    points.setdefault(key, []).append((int(row["step"]), float(value)))
    return points


def settings(path: Path) -> dict:
    return load_hparams_from_yaml(str(path / "hparams.yaml"))


if __name__ == "__main__":
    main()
