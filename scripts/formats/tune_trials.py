"""Ray Tune's CSV, JSON and TensorBoard loggers, with the names that RLlib reports: two trials of one experiment."""

from __future__ import annotations

import json
import os

os.environ.update(RAY_AIR_NEW_OUTPUT="0", RAY_CHDIR_TO_TRIAL_DIR="0", RAY_DISABLE_IMPORT_WARNING="1")

import ray
from known import curve, folder, read_back, run
from ray import tune

COUNT = 12
#: Tune's own columns about time, hosts and processes.
ABOUT = {"timestamp", "pid", "training_iteration"}


def trainable(config: dict) -> None:
    for i, value in enumerate(curve(f"lr {config['lr']}", COUNT)):
        sampler = {"episode_return_mean": 100 * value, "episode_len_mean": 10.0 + i}
        learner = {"policy_loss": -value, "entropy": value / 3, "mean_kl_loss": value / 99}
        steps = {"num_env_steps_sampled_lifetime": 4000 * (i + 1)}
        tune.report({"env_runners": sampler, "learners": {"default_policy": learner}, **steps})


def main() -> None:
    logs = folder()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir="/tmp/klray")
    space = {"lr": tune.grid_search([0.0003, 0.001]), "gamma": 0.99, "model": {"width": 64}}
    tuner = tune.Tuner(trainable, param_space=space, run_config=tune.RunConfig("ppo", storage_path=str(logs), verbose=0))
    runs = []
    for result in tuner.fit():
        rows = [json.loads(line) for line in open(f"{result.path}/result.json")]
        points: dict = {}
        for row in rows:
            for key, value in flat(row).items():
                if isinstance(value, (int, float)) and not isinstance(value, bool) and key not in ABOUT:
                    points.setdefault(key, []).append((row["training_iteration"], value))
        runs.append(run(None, points, result.config))
    ray.shutdown()
    read_back(ray.__version__, "ResultGrid, result.json", runs)


def flat(row: dict, prefix: str = "") -> dict:
    found = {}
    for key, value in row.items():
        if key == "config":
            continue
        if isinstance(value, dict):
            found.update(flat(value, f"{prefix}{key}/"))
        else:
            found[prefix + key] = value
    return found


if __name__ == "__main__":
    main()
