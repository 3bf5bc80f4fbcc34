"""Episodes by verifiers' own types and its `append_trace`, read back by its `read_episodes`."""

from __future__ import annotations

import asyncio
import random
from importlib.metadata import version

from known import folder, read_back
from verifiers.v1.configs.agent import AgentConfig
from verifiers.v1.graph import MessageNode
from verifiers.v1.task import TaskData
from verifiers.v1.trace import AgentInfo, Reward, Trace, TraceTask
from verifiers.v1.types import AssistantMessage, UserMessage
from verifiers.v1.utils.trace_store import append_trace, read_episodes

TASKS, REPEATS = 8, 3


def trace(model: str, task: int, repeat: int) -> Trace:
    draw = random.Random(f"{model} {task} {repeat}")
    data = TaskData(idx=task, prompt=f"question {task}")
    question = MessageNode(message=UserMessage(content=f"question {task}"))
    answer = MessageNode(message=AssistantMessage(content=f"answer {repeat}"), parent=0, sampled=True)
    return Trace(
        task=TraceTask(type="Small", data=data, key=f"task-{task}"),
        agent=AgentInfo(config=AgentConfig(model=model)),
        nodes=[question, answer],
        rewards={"correct": Reward(score=float(draw.random() < 0.5)), "brief": Reward(score=draw.random(), weight=0.25)},
        metrics={"turns": 1.0},
        is_completed=True,
        ok=True,
        stop_condition="done",
    )


async def write(path, model: str) -> None:
    lock = asyncio.Lock()
    path.mkdir(parents=True)
    for task in range(TASKS):
        for repeat in range(REPEATS):
            await append_trace(path, trace(model, task, repeat), lock, env="small")


def evaluation(path, model: str) -> dict:
    items: dict[str, list[float]] = {}
    for episode in read_episodes(path, Trace):
        (own,) = episode.traces
        items.setdefault(own.task.key, []).append(own.reward)
    means = {key: sum(values) / len(values) for key, values in items.items()}
    mean = sum(means.values()) / len(means)
    return {"name": model, "scores": {"small/reward": {"mean": mean}}, "items": {"small/reward": items}}


def main() -> None:
    logs = folder()
    evaluations = []
    for model in ("base", "tuned"):
        asyncio.run(write(logs / model, model))
        evaluations.append(evaluation(logs / model, model))
    read_back(version("verifiers"), "read_episodes", [], evaluations)


if __name__ == "__main__":
    main()
