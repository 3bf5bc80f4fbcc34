"""Inspect without a model: `.eval` and JSON logs, with epochs and clustered errors, read by `read_eval_log`."""

from __future__ import annotations

import os
import random
from importlib.metadata import version

os.environ["INSPECT_DISPLAY"] = "none"

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import accuracy, match, stderr
from inspect_ai.solver import solver
from known import folder, read_back

ITEMS, EPOCHS = 24, 2


@solver
def guess(name: str):
    """An answer that depends on nothing but the sample, its epoch and the name."""

    async def solve(state, _):
        letter = random.Random(f"{name} {state.sample_id} {state.epoch}").choice("ab")
        state.output = ModelOutput.from_content(name, letter)
        return state

    return solve


def main() -> None:
    logs = folder()
    evaluations = []
    for form in ("eval", "json"):
        for name in ("base", "tuned"):
            samples = [Sample(input=f"question {i}", target="a", id=i, metadata={"passage": i // 3}) for i in range(ITEMS)]
            metrics = [accuracy(), stderr(), stderr(cluster="passage")]
            task = Task(
                name=f"letters-{form}", dataset=samples, epochs=EPOCHS, solver=guess(name), scorer=match(), metrics=metrics
            )
            where = str(logs / form / name)
            (log,) = eval(task, model=f"none/{name}", log_dir=where, log_format=form)
            evaluations.append(evaluation(f"none/{name}/letters-{form}", log.location))
    read_back(version("inspect_ai"), "read_eval_log", [], evaluations)


def evaluation(name: str, path: str) -> dict:
    log = read_eval_log(path)
    (score,) = log.results.scores
    metrics = {key: metric.value for key, metric in score.metrics.items()}
    items = {}
    for sample in log.samples:
        (own,) = sample.scores.values()
        items.setdefault(str(sample.id), []).append(1.0 if own.value == "C" else 0.0)
    label = f"{log.eval.task}/{score.name}"
    errors = [value for key, value in metrics.items() if key != "accuracy"]
    return {
        "name": name,
        "scores": {label: {"mean": metrics["accuracy"], "stderr": errors[0], "clustered": errors[-1]}},
        "items": {label: items},
    }


if __name__ == "__main__":
    main()
