"""Ray Tune's CSV, JSON and TensorBoard loggers, with the names that RLlib reports: a trial's whole folder, one of which only
the table is left, and one of which only the lines are.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

os.environ.update(RAY_AIR_NEW_OUTPUT="0", RAY_CHDIR_TO_TRIAL_DIR="0", RAY_DISABLE_IMPORT_WARNING="1")

import ray
from known import curve, folder, read_back, run
from ray import tune

COUNT = 12
#: What RLlib counts its training in.
STEP = "num_env_steps_sampled_lifetime"


def trainable(config: dict) -> None:
    for i, value in enumerate(curve(f"lr {config['lr']}", COUNT)):
        sampler = {"episode_return_mean": 100 * value, "episode_len_mean": 10.0 + i}
        learner = {"policy_loss": -value, "entropy": value / 3, "mean_kl_loss": value / 99}
        tune.report({"env_runners": sampler, "learners": {"default_policy": learner}, STEP: 4000 * (i + 1)})


def main() -> None:
    logs = folder()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir="/tmp/klray")
    space = {"lr": tune.grid_search([0.0003, 0.001, 0.003]), "gamma": 0.99, "model": {"width": 64}}
    tuner = tune.Tuner(trainable, param_space=space, run_config=tune.RunConfig("ppo", storage_path=str(logs), verbose=0))
    whole, table, lines = sorted(tuner.fit(), key=lambda result: result.config["lr"])
    runs = [
        run(None, points(whole.path, "."), whole.config),
        run("table", points(table.path, "/")),
        run("lines", points(lines.path, "."), lines.config),
    ]
    for result, file, name in ((table, "progress.csv", "table"), (lines, "result.json", "lines")):
        (logs / name).mkdir()
        Path(result.path, file).rename(logs / name / file)
        shutil.rmtree(result.path)
    ray.shutdown()
    read_back(ray.__version__, "result.json, ResultGrid", runs)


def points(path: str, mark: str) -> dict:
    found: dict = {}
    for row in map(json.loads, open(f"{path}/result.json")):
        for key, value in flat(row, mark).items():
            if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in (STEP, "timestamp"):
                found.setdefault(key, []).append((row[STEP], value))
    return found


def flat(row: dict, mark: str, prefix: str = "") -> dict:
    found = {}
    for key, value in row.items():
        if key == "config":
            continue
        if isinstance(value, dict):
            found.update(flat(value, mark, f"{prefix}{key}{mark}"))
        else:
            found[prefix + key] = value
    return found


if __name__ == "__main__":
    main()
