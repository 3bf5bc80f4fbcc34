"""A real TRL training in klens's gym, with a small Qwen3 that is made on the spot: no model hub is asked.

    python train.py start --dialogues texts.parquet --out start        a random model, taught scripted dialogues
    python train.py grpo --start start --out runs/kl --beta 0.05       GRPO over several turns, against `klens gym serve`
    python train.py evaluate --checkpoint runs/kl/checkpoint-50 --out scores.jsonl

Dialogues are what `klens gym eval scripted:novice --split practice` keeps in its store. README.md has the commands of a
whole study.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import pyarrow.parquet as parquet
import torch
import trl
from datasets import Dataset
from klens_gym import GymClient
from klens_gym.trl_env import IntentionEnv
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
    TrainerCallback,
    TrainerControl,
)
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

ON_GPU = torch.cuda.is_available()
TURN = re.compile(r"^\d+\. \[action\] (.*)\n   → (.*)  \((?:-?[\d.]+)\)$", re.MULTILINE)
GOODBYE = "I have no more questions."


def dialogues_in(path: str) -> list[tuple[str, list[tuple[str, str]]]]:
    table = parquet.read_table(path, columns=["sample", "output"]).to_pydict()
    found = [(task, TURN.findall(text)) for task, text in zip(table["sample"], table["output"])]
    return [(task, turns) for task, turns in found if turns]


def conversation(prompt: list[dict], turns: list[tuple[str, str]]) -> list[dict]:
    messages = list(prompt)
    for question, answer in turns:
        call = {"name": "interact_with_env", "arguments": {"choice": "action", "content": question}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": call}]})
        messages.append({"role": "tool", "content": answer})
    return [*messages, {"role": "assistant", "content": GOODBYE}]


def make_tokenizer(texts: list[str], size: int) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet)
    )
    marks = [f"<{slash}{name}>" for name in ("think", "tools", "tool_call", "tool_response") for slash in ("", "/")]
    tokenizer.add_tokens([AddedToken(mark, normalized=False, special=False) for mark in marks])
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3_instruct_2507.jinja").read_text()
    return made


def plain_training(arguments: argparse.Namespace) -> dict[str, Any]:
    """What both trainers are told: nothing sent anywhere, float32 throughout."""
    return {
        "max_steps": arguments.steps,
        "per_device_train_batch_size": arguments.batch,
        "learning_rate": arguments.learning_rate,
        "report_to": "none",
        "use_cpu": not ON_GPU,
        "bf16": False,
        "tf32": ON_GPU or None,
        "gradient_checkpointing": False,
        "seed": arguments.seed,
    }


def start(arguments: argparse.Namespace) -> None:
    torch.manual_seed(arguments.seed)
    tool = get_json_schema(IntentionEnv.interact_with_env)
    prompts = {row["task_id"]: row["prompt"] for row in GymClient().rows()}
    found = [dialogue for path in arguments.dialogues for dialogue in dialogues_in(path)]
    told = [(task, turns) for task, turns in found if task in prompts]
    rows = [{"messages": conversation(prompts[task], turns), "tools": [tool]} for task, turns in told]
    # As the template renders them: half of a prompt are its own words.
    render = partial(make_tokenizer([GOODBYE], 300).apply_chat_template, tools=[tool], tokenize=False)
    tokenizer = make_tokenizer([render(row["messages"]) for row in rows], arguments.vocabulary)
    model = Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=arguments.hidden,
            intermediate_size=3 * arguments.hidden,
            num_hidden_layers=arguments.layers,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=arguments.hidden // 4,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
    print(f"{sum(parameter.numel() for parameter in model.parameters())} parameters, {len(rows)} dialogues", flush=True)
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows),
        args=SFTConfig(
            output_dir=f"{arguments.out}-sft",
            lr_scheduler_type="cosine",
            warmup_steps=10,
            assistant_only_loss=True,
            max_length=1024,
            logging_steps=20,
            save_strategy="no",
            train_sampling_strategy="sequential",
            **plain_training(arguments),
        ),
    )
    trainer.train()
    model.save_pretrained(arguments.out)
    tokenizer.save_pretrained(arguments.out)


class TwoSplits(IntentionEnv):
    """Tasks to train on and tasks to validate on are served by two gyms; a row says which is its own."""

    def __init__(self, train: GymClient, test: GymClient) -> None:
        super().__init__(train)
        self._clients = {"train": train, "test": test}

    def reset(self, split: str = "train", **row: Any) -> None:
        self._client = self._clients[split]
        super().reset(**row)


class Scored(IntentionEnv):
    """Keeps what each task earned."""

    scores: list[dict[str, Any]] = []

    def reset(self, task_id: str, **row: Any) -> None:
        super().reset(task_id, **row)
        self._task = task_id

    def get_reward(self) -> float | None:
        score = super().get_reward()
        if score is not None:
            self.scores.append({"id": self._task, "score": score})
        return score


class WritesLines(TrainerCallback):
    """What TRL logs, line by line while it trains: its own history is written with a checkpoint only."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any], **_: Any) -> None:
        with self._path.open("a") as lines:
            lines.write(json.dumps({"step": state.global_step, **logs}) + "\n")


class EndsWhenAsked(TrainerCallback):
    """Ends the training after so many seconds, or at SIGTERM, which a stop rule of a study sends; with a checkpoint saved."""

    def __init__(self, seconds: float, saves: bool) -> None:
        self._end = time.monotonic() + seconds
        self._saves = saves
        signal.signal(signal.SIGTERM, self._ask)

    def _ask(self, *_: Any) -> None:
        self._end = 0.0

    def on_step_end(self, args: Any, state: Any, control: TrainerControl, **_: Any) -> None:
        if time.monotonic() > self._end:
            control.should_save = self._saves
            control.should_training_stop = True


def rollouts(arguments: argparse.Namespace) -> dict[str, Any]:
    """How a dialogue is played, in training and in evaluation."""
    return {
        "max_completion_length": arguments.tokens,
        "max_tool_calling_iterations": arguments.turns,
        "per_device_eval_batch_size": 60,
        "num_generations_eval": 1,
        "temperature": 1.0,
    }


def load(folder: str) -> dict[str, Any]:
    return {
        "model": AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32),
        "processing_class": AutoTokenizer.from_pretrained(folder),
    }


def test_gym() -> GymClient:
    token = os.environ.get("KLENS_GYM_TEST_TOKEN") or os.environ["KLENS_GYM_TOKEN"]
    return GymClient(os.environ["KLENS_GYM_TEST_URL"], token)


def grpo(arguments: argparse.Namespace) -> None:
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    train = GymClient()
    rows = [{**row, "split": "train"} for row in train.rows()]
    validation, environment = {}, partial(IntentionEnv, train)
    if "KLENS_GYM_TEST_URL" in os.environ:
        test = test_gym()
        validation["eval_dataset"] = Dataset.from_list([{**row, "split": "test"} for row in test.rows()])
        environment = partial(TwoSplits, train, test)
    trainer = GRPOTrainer(
        **load(arguments.start),
        train_dataset=Dataset.from_list(rows),
        environment_factory=environment,
        callbacks=[EndsWhenAsked(arguments.seconds, bool(arguments.save_every)), WritesLines(out / "metrics.jsonl")],
        **validation,
        args=GRPOConfig(
            output_dir=arguments.out,
            beta=arguments.beta,
            lr_scheduler_type="constant",
            num_generations=arguments.generations,
            logging_steps=1,
            log_completions=arguments.completions,
            eval_strategy="steps" if validation else "no",
            eval_steps=arguments.evaluate_every,
            eval_on_start=bool(validation) and arguments.resume is None,
            save_strategy="steps" if arguments.save_every else "no",
            save_steps=arguments.save_every or 1,
            **rollouts(arguments),
            **plain_training(arguments),
        ),
    )
    # Beside the log, where klens looks for the settings of a run.
    (out / "config.json").write_text(trainer.args.to_json_string())
    trainer.train(resume_from_checkpoint=arguments.resume)
    trainer.save_state()


def evaluate(arguments: argparse.Namespace) -> None:
    """Every test task once, the likeliest token each time; a task whose user failed has no score."""
    test = test_gym()
    rows = Dataset.from_list(test.rows())
    trainer = GRPOTrainer(
        **load(arguments.checkpoint),
        train_dataset=rows,
        eval_dataset=rows,
        environment_factory=partial(Scored, test),
        args=GRPOConfig(
            output_dir=f"{arguments.out}-trl",
            top_k=1,
            report_to="none",
            use_cpu=not ON_GPU,
            bf16=False,
            **rollouts(arguments),
        ),
    )
    trainer.evaluate()
    Path(arguments.out).write_text("".join(json.dumps(score) + "\n" for score in Scored.scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("start")
    one.add_argument("--dialogues", required=True, nargs="+")
    one.add_argument("--hidden", type=int, default=96)
    one.add_argument("--layers", type=int, default=2)
    one.add_argument("--vocabulary", type=int, default=1500)
    one.set_defaults(run=start, steps=120, batch=8, learning_rate=6e-3)
    two = commands.add_parser("grpo")
    two.add_argument("--start", required=True)
    two.add_argument("--beta", type=float, default=0.0)
    two.add_argument("--generations", type=int, default=4)
    two.add_argument("--completions", action="store_true")
    two.add_argument("--evaluate-every", type=int, default=10)
    two.add_argument("--save-every", type=int, default=0)
    two.add_argument("--resume")
    two.add_argument("--seconds", type=float, default=float("inf"))
    two.set_defaults(run=grpo, steps=20, batch=8, learning_rate=1e-4)
    three = commands.add_parser("evaluate")
    three.add_argument("--checkpoint", required=True)
    three.set_defaults(run=evaluate)
    for command in (two, three):
        command.add_argument("--tokens", type=int, default=192)
        command.add_argument("--turns", type=int, default=4)
    for command in (one, two, three):
        command.add_argument("--out", required=True)
    for command in (one, two):
        command.add_argument("--seed", type=int, default=1)
        for option, kind in (("--steps", int), ("--batch", int), ("--learning-rate", float)):
            command.add_argument(option, type=kind, default=command.get_default(option[2:].replace("-", "_")))
    arguments = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("KLENS_THREADS", "1")))
    arguments.run(arguments)


if __name__ == "__main__":
    main()
