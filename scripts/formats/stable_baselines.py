"""Stable-Baselines3 trains PPO on CartPole for a few hundred steps with each of its log formats in a folder of its own, and
with all of them in one. Read by pandas as its documentation does, `load_results` with `ts2xy`, EventAccumulator and numpy.
"""

from __future__ import annotations

import math
from pathlib import Path

import gymnasium
import numpy
import pandas
import stable_baselines3
from events import scalars
from known import folder, read_back, run
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.results_plotter import X_TIMESTEPS, load_results, ts2xy

STEP = "time/total_timesteps"
STEPS = 384


def main() -> None:
    logs = folder()
    train(logs / "csv", ["csv"])
    train(logs / "json", ["json"])
    train(logs / "events", ["tensorboard"])
    train(logs / "monitor", [], monitor=True)
    train(logs / "evaluations", [], evaluates=True)
    train(logs / "everything", ["csv", "json", "tensorboard", "log"], monitor=True, evaluates=True)
    everything = {**table(pandas.read_csv(logs / "everything" / "progress.csv", float_precision="round_trip")), **monitored(logs / "everything")}
    runs = [
        run("csv", table(pandas.read_csv(logs / "csv" / "progress.csv", float_precision="round_trip"))),
        run("json", table(pandas.read_json(logs / "json" / "progress.json", lines=True, precise_float=True))),
        run("events", scalars(logs / "events")),
        run("monitor", monitored(logs / "monitor")),
        run("evaluations", evaluated(logs / "evaluations")),
        run("everything", everything),
    ]
    read_back(stable_baselines3.__version__, "pandas, EventAccumulator, load_results, numpy", runs)


def train(to: Path, formats: list[str], monitor: bool = False, evaluates: bool = False) -> None:
    to.mkdir()
    env = gymnasium.make("CartPole-v1")
    env = Monitor(env, str(to)) if monitor else Monitor(env)
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=7, device="cpu")
    model.set_logger(configure(str(to), formats))
    callback = None
    if evaluates:
        evaluation = Monitor(gymnasium.make("CartPole-v1"))
        callback = EvalCallback(evaluation, log_path=str(to), eval_freq=128, n_eval_episodes=3, verbose=0)
    model.learn(STEPS, callback=callback)
    model.logger.close()
    env.close()


def table(frame) -> dict:
    points = {}
    for column in frame.columns:
        if column == STEP:
            continue
        pairs = zip(frame[STEP], frame[column])
        points[column] = [(step, value) for step, value in pairs if not (math.isnan(step) or math.isnan(value))]
    return points


def monitored(path: Path) -> dict:
    """An episode stands where it ended: SB3's own axis of time steps."""
    frame = load_results(str(path))
    steps, returns = ts2xy(frame, X_TIMESTEPS)
    return {"r": list(zip(steps, returns)), "l": list(zip(steps, frame["l"]))}


def evaluated(path: Path) -> dict:
    found = numpy.load(path / "evaluations.npz")
    steps = found["timesteps"]
    return {"results": list(zip(steps, found["results"].mean(1))), "ep_lengths": list(zip(steps, found["ep_lengths"].mean(1)))}


if __name__ == "__main__":
    main()
