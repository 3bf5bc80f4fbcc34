"""lm-eval-harness with two models that guess, on two small local tasks: results and samples."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path

import lm_eval
from known import folder, read_back
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

ITEMS = 30

CHOICES = """
task: choices
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: ["one", "two", "three"]
doc_to_target: "{{{{answer}}}}"
metric_list: [{{metric: acc, aggregation: mean, higher_is_better: true}}]
metadata: {{version: 1.0}}
"""
ANSWERS = """
task: answers
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{text}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list: [{{metric: exact_match, aggregation: mean, higher_is_better: true}}]
metadata: {{version: 2.0}}
"""


@register_model("guesser")
class Guesser(LM):
    """Its name is its seed; it is sometimes right."""

    def __init__(self, pretrained: str, **_) -> None:
        super().__init__()
        self.random = random.Random(pretrained)

    def loglikelihood(self, requests, disable_tqdm=False):
        return [(-self.random.random(), False) for _ in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError

    def generate_until(self, requests, disable_tqdm=False):
        return [self.random.choice(["lol", "no"]) for _ in requests]


def main() -> None:
    logs = folder()
    tasks = logs.parent / "tasks"
    tasks.mkdir()
    data = tasks / "data.jsonl"
    rows = [{"question": f"question {i}?", "answer": i % 3, "text": "lol"} for i in range(ITEMS)]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, text in (("choices", CHOICES), ("answers", ANSWERS)):
        (tasks / f"{name}.yaml").write_text(text.format(data=data))
    manager = TaskManager(include_path=str(tasks), include_defaults=False)
    evaluations = []
    for model in ("org/base", "org/tuned"):
        tracker = EvaluationTracker(output_path=str(logs))
        found = lm_eval.simple_evaluate(
            "guesser", model_args=f"pretrained={model}", tasks=["choices", "answers"], task_manager=manager, log_samples=True, bootstrap_iters=100,
            evaluation_tracker=tracker,
        )
        samples = found.pop("samples")
        tracker.save_results_aggregated(results=found, samples=samples)
        for task, rows in samples.items():
            tracker.save_results_samples(task_name=task, samples=rows)
        evaluations.append(evaluation(model, logs / model.replace("/", "__")))
    read_back(version("lm_eval"), "the results file", [], evaluations)


def evaluation(model: str, path: Path) -> dict:
    """Scores as the harness printed them, and each item's own."""
    (results,) = path.rglob("results_*.json")
    printed = json.loads(results.read_text())["results"]
    scores, items = {}, {}
    for task, metric in (("choices", "acc"), ("answers", "exact_match")):
        scores[f"{task}/{metric}"] = {"mean": printed[task][f"{metric},none"], "stderr": printed[task][f"{metric}_stderr,none"]}
        (samples,) = path.rglob(f"samples_{task}_*.jsonl")
        rows = [json.loads(line) for line in samples.read_text().splitlines()]
        items[f"{task}/{metric}"] = {row["doc_hash"][:16]: [row[metric]] for row in rows}
    return {"name": model, "scores": scores, "items": items}


if __name__ == "__main__":
    main()
