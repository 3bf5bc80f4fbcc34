"""TRL's GRPOTrainer, four steps with a small model: `trainer_state.json` and the tables of completions."""

from __future__ import annotations

import os

os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import pandas
import trl
from datasets import Dataset
from known import folder, read_back, run
from small_language_model import save_small_model
from small_trainer import history
from trl import GRPOConfig, GRPOTrainer


def vowels(completions, **_):
    return [sum(letter in "aeiou" for letter in text) / max(1, len(text)) for text in completions]


def main() -> None:
    logs = folder()
    model, output = logs.parent / "model", logs / "grpo"
    save_small_model(model)
    config = GRPOConfig(
        str(output), max_steps=4, logging_steps=1, num_generations=4, per_device_train_batch_size=4, beta=0.04, seed=7,
        max_completion_length=12, learning_rate=0.001, report_to=[], use_cpu=True, bf16=False, log_completions=True,
        disable_tqdm=True,
    )
    prompts = Dataset.from_list([{"prompt": f"say {word}"} for word in ("one", "two", "three", "four")])
    trainer = GRPOTrainer(str(model), vowels, config, train_dataset=prompts)
    trainer.train()
    trainer.save_state()
    settings = {"learning_rate": 0.001, "seed": 7, "max_steps": 4, "beta": 0.04, "num_generations": 4}
    points = {**history(output), **completions(output)}
    read_back(trl.__version__, "TrainerState, pandas", [run("grpo", points, settings)])


def completions(output) -> dict:
    """The tables hold a reward and an advantage for each completion."""
    points: dict = {}
    for path in sorted((output / "completions").glob("*.parquet")):
        table = pandas.read_parquet(path)
        for column in ("vowels", "advantage"):
            points.setdefault(f"completions/{column}", []).append((table["step"][0], table[column].mean()))
    return points


if __name__ == "__main__":
    main()
