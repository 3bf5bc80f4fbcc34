"""The Tinker cookbook's own logger: `metrics.jsonl` and `config.json`, read by its TrainingRunStore."""

from __future__ import annotations

from importlib.metadata import version

from known import SETTINGS, curve, folder, read_back, run
from tinker_cookbook.utils.ml_log import JsonLogger

COUNT = 16


def main() -> None:
    logs = folder()
    path = logs / "math-rl"
    logger = JsonLogger(path)
    logger.log_hparams({**SETTINGS, "log_path": "math-rl"})
    for i, value in enumerate(curve("tinker", COUNT)):
        metrics = {"progress/batch": i, "env/all/reward/total": value, "optim/kl_sample_train_v1": value / 99}
        metrics["time/total"] = 10 + value
        if i % 4 == 0:
            metrics["test/env/all/correct"] = value / 2
        logger.log_metrics(metrics, step=i)
    points: dict = {}
    for row in logger.store.read_metrics():
        for key, number in row.items():
            if key != "step":
                points.setdefault(key, []).append((row["step"], number))
    logger.close()
    read_back(version("tinker-cookbook"), "TrainingRunStore", [run("math-rl", points, SETTINGS)])


if __name__ == "__main__":
    main()
