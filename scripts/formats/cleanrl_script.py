"""What CleanRL's ppo.py writes, by torch's SummaryWriter: the settings as a table in Markdown, `charts/` and `losses/`."""

from __future__ import annotations

import torch
from events import scalars
from known import curve, folder, read_back, run
from torch.utils.tensorboard import SummaryWriter

COUNT = 24
SETTINGS = {"exp_name": "ppo", "seed": 1, "learning_rate": 0.00025, "num_envs": 4, "anneal_lr": True, "clip_coef": 0.2}


def main() -> None:
    logs = folder()
    runs = []
    for seed in (1, 2):
        settings = {**SETTINGS, "seed": seed}
        name = f"CartPole-v1__ppo__{seed}__170000000{seed}"
        writer = SummaryWriter(str(logs / "runs" / name))
        rows = "\n".join(f"|{key}|{value}|" for key, value in settings.items())
        writer.add_text("hyperparameters", f"|param|value|\n|-|-|\n{rows}")
        for i, value in enumerate(curve(name, COUNT)):
            step = 512 * (i + 1)
            # Several environments may end an episode at one step.
            writer.add_scalar("charts/episodic_return", 100 * value, step - 7)
            writer.add_scalar("charts/episodic_length", 10 + i, step - 7)
            writer.add_scalar("charts/learning_rate", 0.00025 * (1 - i / COUNT), step)
            writer.add_scalar("losses/entropy", value, step)
            writer.add_scalar("losses/approx_kl", value / 99, step)
            writer.add_scalar("charts/SPS", 1000 + i, step)
        writer.close()
        runs.append(run(name, scalars(logs / "runs" / name), settings))
    read_back(f"torch {torch.__version__}", "EventAccumulator", runs)


if __name__ == "__main__":
    main()
