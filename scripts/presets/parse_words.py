"""What a framework itself makes of the words of a command: `parse_words.py verl|trl|openrlhf [FOLDER]` reads a JSON list of
words and prints the settings that come out, flat, as JSON. verl's tree is composed by hydra, TRL's words go through its own
TrlParser, OpenRLHF's through the argument parser in its script, of which only the imports are left out: they need a GPU.
Words that are refused end it with the framework's own message.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib.abc
import importlib.machinery
import json
import math
import os
import sys
from pathlib import Path
from unittest.mock import MagicMock


def verl(words: list[str], folder: str) -> dict:
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    overrides = words[words.index("verl.trainer.main_ppo") + 1 :]
    with initialize_config_dir(config_dir=os.path.join(folder, "verl/trainer/config"), version_base=None):
        return OmegaConf.to_container(compose(config_name="ppo_trainer", overrides=overrides), resolve=False)


def trl(words: list[str], _: str) -> dict:
    # The defaults want a card that can do bfloat16.
    from trl.scripts.grpo import make_parser

    rest = words[words.index("grpo") + 1 :] + ["--bf16", "False", "--use_cpu", "True"]
    parsed = make_parser().parse_args_and_config(args=rest)
    return {key: value for part in parsed for key, value in vars(part).items()}


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that are not there are empty ones."""

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__spec__ = spec
        return module

    def exec_module(self, module):
        pass


def openrlhf(words: list[str], folder: str) -> dict:
    [script] = Path(folder).rglob("openrlhf/cli/train_ppo_ray.py")
    tree = ast.parse(script.read_text())
    main = tree.body[-1]
    assert isinstance(main, ast.If), "the script does not end with its main part"
    calls = [i for i, each in enumerate(main.body) if "train(args)" == ast.unparse(each)]
    assert len(calls) == 1, "the script does not train where it is expected to"
    del main.body[calls[0]]
    sys.path.insert(0, str(script.parents[2]))
    sys.meta_path.append(Stubs())
    sys.argv = words[words.index("openrlhf.cli.train_ppo_ray") :]
    names: dict = {"__name__": "__main__"}
    exec(compile(tree, str(script), "exec"), names)
    return vars(names["args"])


def flat(value, prefix: str = "") -> dict:
    if isinstance(value, MagicMock):
        return {}
    if dataclasses.is_dataclass(value) or type(value).__name__ in ("Namespace", "SimpleNamespace"):
        value = vars(value)
    if isinstance(value, dict) and (value or not prefix):
        leaves: dict = {}
        for key, child in value.items():
            leaves.update(flat(child, f"{prefix}.{key}" if prefix else str(key)))
        return leaves
    is_json = isinstance(value, (bool, int, str, type(None), list)) or (isinstance(value, float) and math.isfinite(value))
    return {prefix: value if is_json else str(value)}


framework, folder = sys.argv[1], (sys.argv + [""])[2]
words = json.load(sys.stdin)
json.dump(flat({"verl": verl, "trl": trl, "openrlhf": openrlhf}[framework](words, folder)), sys.stdout)
