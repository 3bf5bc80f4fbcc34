"""Optuna's samplers, asked and told over stdin and stdout: one line per point, one line per score (higher is better)."""
import json
import sys
import warnings

import optuna

warnings.filterwarnings("ignore")
optuna.logging.set_verbosity(optuna.logging.ERROR)
asked = json.loads(sys.argv[1])
for seed in range(asked["repeats"]):
    sampler = getattr(optuna.samplers, asked["sampler"])(seed=seed)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    for _ in range(asked["trials"]):
        trial = study.ask()
        at = [trial.suggest_float(f"x{i}", 0, 1) for i in range(asked["dimensions"])]
        print(json.dumps(at), flush=True)
        study.tell(trial, float(sys.stdin.readline()))
    best = study.best_params
    print(json.dumps({"take": [best[f"x{i}"] for i in range(asked["dimensions"])]}), flush=True)
