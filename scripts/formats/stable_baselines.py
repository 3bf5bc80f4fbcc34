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
    train(logs / "episodes", [], monitor=True)
    train(logs / "judged", [], evaluates=True)
    train(logs / "everything", ["csv", "json", "tensorboard", "log"], monitor=True, evaluates=True)
    everything = {
        **table(lines(logs / "everything")),
        **{f"monitor/{key}": pairs for key, pairs in monitored(logs / "everything").items()},
        **evaluated(logs / "everything"),
    }
    runs = [
        run("csv", table(pandas.read_csv(logs / "csv" / "progress.csv", float_precision="round_trip"))),
        run("json", table(lines(logs / "json"))),
        run("events", scalars(logs / "events")),
        run("episodes", monitored(logs / "episodes")),
        run("judged", evaluated(logs / "judged")),
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


def lines(path: Path) -> pandas.DataFrame:
    return pandas.read_json(path / "progress.json", lines=True, precise_float=True)


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
    # load_results adds the time at which the file was begun.
    seconds = pandas.read_csv(path / "monitor.csv", skiprows=1, float_precision="round_trip")["t"]
    steps, returns = ts2xy(frame, X_TIMESTEPS)
    return {"r": list(zip(steps, returns)), "l": list(zip(steps, frame["l"])), "t": list(zip(steps, seconds))}


def evaluated(path: Path) -> dict:
    """What EvalCallback prints of each: mean and standard deviation over the episodes."""
    found = numpy.load(path / "evaluations.npz")
    steps, rewards, lengths = found["timesteps"], found["results"], found["ep_lengths"]
    figures = {"mean_reward": rewards.mean(1), "std_reward": rewards.std(1), "mean_ep_length": lengths.mean(1)}
    return {f"evaluations/{name}": list(zip(steps, values)) for name, values in figures.items()}


if __name__ == "__main__":
    main()
