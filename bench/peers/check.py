"""
Both peers against the original's own numbers (src/lab/train/policy/fixtures), in float64: log-probabilities of all beams,
losses, gradient norms and parameters after three steps.

    python check.py ../../src/lab/train/policy/fixtures/parity_small.json ../../src/lab/train/policy/fixtures/parity_full.json
"""

import json
import sys

import torch

from objectives import advantages_of, grpo, rce
from original import Original
from peer import BACKBONE
from shared import Shared


def mulberry32(seed):
    state = seed & 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        t = ((state ^ (state >> 15)) * (state | 1)) & 0xFFFFFFFF
        t = (t + (((t ^ (t >> 7)) * (t | 61)) & 0xFFFFFFFF)) & 0xFFFFFFFF ^ t
        yield (t ^ (t >> 14)) / 4294967296


def regenerate(case):
    """Parameters and embeddings from the fixture's generator, in the order that its `prng` names."""
    config = case["config"]
    numbers = mulberry32(case["prng"]["seed"])

    def uniform(*shape):
        length = torch.Size(shape).numel()
        return torch.tensor([2 * next(numbers) - 1 for _ in range(length)], dtype=torch.float64).view(*shape)

    parameters = {}
    for name, shape in case["param_order"]:
        drawn = uniform(*shape)
        if name.startswith("attn_norms") and name.endswith("weight"):
            parameters[name] = 1 + 0.1 * drawn
        elif name in ("query_proj.weight", "cand_proj.weight"):
            parameters[name] = torch.eye(shape[0], dtype=torch.float64) + 0.05 * drawn
        elif len(shape) == 2:
            parameters[name] = (6 / (shape[0] + shape[1])) ** 0.5 * drawn
        else:
            parameters[name] = 0.1 * drawn
    width, candidates = config["d_model"], config["K"]
    embeddings = []
    for query in case["inputs"]:
        base = uniform(width)
        embeddings.append(torch.nn.functional.normalize(base + 0.5 * uniform(width), dim=0)[None])
        embeddings.append(torch.nn.functional.normalize(0.5 * base + uniform(candidates, width), dim=1))
        drawn = set()
        while len(drawn) < len(query["beam_labels"]):
            pointer = []
            while len(pointer) < len(query["beam_labels"][0]):
                pick = int(next(numbers) * candidates)
                if pick not in pointer:
                    pointer.append(pick)
            drawn.add(tuple(pointer))
        for _ in range(2 * len(query["beam_labels"])):
            next(numbers)
    return parameters, torch.cat(embeddings)


def check(kind, case):
    config, adamw = case["config"], case["expected"]["adamw"]
    parameters, embeddings = regenerate(case)
    double = lambda values: torch.tensor(values, dtype=torch.float64)
    worst = {}

    def note(what, error):
        worst[what] = max(worst.get(what, 0), float(error))

    for what, phase, frozen in (("rce", "rce", False), ("grpo", "grpo", False), ("grpo_frozen", "grpo", True)):
        model = kind(config["d_model"], config["hidden_dim"], config["temperature"]).double()
        model.load_state_dict(parameters)
        for name, parameter in model.named_parameters():
            parameter.requires_grad = not (frozen and name.startswith(BACKBONE))
        model.prepare(embeddings)
        trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
        optimiser = torch.optim.AdamW(trained, lr=adamw["lr"], weight_decay=adamw["weight_decay"])
        expected = adamw[what]
        for step, index in enumerate(adamw["query_order"]):
            query = case["inputs"][index]
            first = index * (config["K"] + 1)
            pool = torch.arange(first + 1, first + 1 + config["K"])
            log_probs = model.log_probs(first, pool, torch.tensor(query["beam_labels"]))
            if step == 0:
                note("log-prob", (log_probs - double(case["expected"]["queries"][index]["log_probs_per_beam"])).abs().max())
            rewards, old = double(query["beam_rewards_normalised"]), double(query["old_log_probs"])
            if phase == "rce":
                loss = rce(log_probs, rewards, adamw["rce_temperature"])
            else:
                loss = grpo(log_probs, old, old, advantages_of(rewards), config["kl_beta"])
            optimiser.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(trained, adamw["grad_clip"])
            optimiser.step()
            note("loss", abs(loss.item() - expected["losses"][step]))
            note("gradient norm", abs(norm.item() - expected["grad_norms_before_clip"][step]))
        for name, parameter in model.named_parameters():
            after = expected["params_after"].get(name)
            if after is None:
                continue
            if isinstance(after, dict):
                note("parameters", abs(parameter.norm().item() - after["l2"]))
                for at, value in after["at"].items():
                    note("parameters", abs(parameter.flatten()[int(at)].item() - value))
            else:
                note("parameters", (parameter.detach() - double(after)).abs().max())
    return worst


if __name__ == "__main__":
    for path in sys.argv[1:]:
        static = json.load(open(path))["cases"][0]
        for kind in (Original, Shared):
            print(path, kind.__name__, check(kind, static))
