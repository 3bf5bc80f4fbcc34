"""
One contestant of `npm run bench -- train`: reads the made-up data once, then for each line of JSON on its input trains
from the same first parameters and answers with the time of each epoch and the means of its loss and gradient norm.

    python peer.py original|shared|shared-fused FOLDER THREADS

`fused` has torch's AdamW in one kernel, which has to be asked for; the others have it as torch gives it.
"""

import json
import sys
import time

import torch

from objectives import advantages_of, grpo, rce
from original import Original
from shared import Shared

MODELS = {"original": Original, "shared": Shared}
BACKBONE = ("input_proj", "query_proj", "cand_proj")


def floats(path):
    return torch.frombuffer(bytearray(open(path, "rb").read()), dtype=torch.float32)


def read(folder):
    data = json.load(open(f"{folder}/data.json"))
    embeddings = floats(f"{folder}/embeddings.f32").view(-1, data["width"])
    numbers = floats(f"{folder}/parameters.f32")
    parameters, start = {}, 0
    for name, dimensions in data["parameters"]:
        length = torch.Size(dimensions).numel()
        parameters[name] = numbers[start : start + length].view(dimensions)
        start += length
    queries = [
        (row, torch.tensor(pool), torch.tensor(beams), torch.tensor(rewards))
        for row, pool, beams, rewards in data["queries"]
    ]
    return data, embeddings, parameters, queries


def best(beams, rewards, count):
    """The beams of highest reward, in stored order."""
    if count >= len(rewards):
        return beams, rewards
    kept = torch.topk(rewards, count).indices.sort().values
    return beams[kept], rewards[kept]


def train(kind, data, embeddings, first, queries, request):
    model_kind, _, variant = kind.partition("-")
    phase, count, settings = request["phase"], request["beams"], data["settings"]
    torch.manual_seed(0)
    model = MODELS[model_kind](data["width"], data["hidden"], data["temperature"], request["dropout"])
    model.load_state_dict(first)
    for name, parameter in model.named_parameters():
        parameter.requires_grad = not (request["frozen"] and name.startswith(BACKBONE))
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    model.prepare(embeddings)
    optimiser = torch.optim.AdamW(trained, lr=settings["lr"], weight_decay=settings["weightDecay"], fused=variant == "fused")
    model.eval()
    with torch.no_grad():
        references = [model.log_probs(row, pool, best(beams, rewards, count)[0]) for row, pool, beams, rewards in queries]
    model.train()
    answer = {"seconds": [], "cpuSeconds": [], "losses": [], "norms": []}
    spent = 0
    while spent < request["seconds"] or len(answer["seconds"]) < request["epochs"]:
        losses, norms = [], []
        start, cpu_start = time.perf_counter(), time.process_time()
        for (row, pool, all_beams, all_rewards), reference in zip(queries, references):
            beams, rewards = best(all_beams, all_rewards, count)
            log_probs = model.log_probs(row, pool, beams)
            if phase == "rce":
                loss = rce(log_probs, rewards, settings["temperature"])
            else:
                loss = grpo(log_probs, log_probs.detach(), reference, advantages_of(rewards), settings["klCoefficient"])
            optimiser.zero_grad()
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(trained, settings["clip"])
            optimiser.step()
            losses.append(loss.item())
            norms.append(norm.item())
        answer["seconds"].append(time.perf_counter() - start)
        answer["cpuSeconds"].append(time.process_time() - cpu_start)
        spent += answer["seconds"][-1]
        answer["losses"].append(sum(losses) / len(losses))
        answer["norms"].append(sum(norms) / len(norms))
    return answer


def main(kind, folder, threads):
    torch.set_num_threads(int(threads))
    data, embeddings, parameters, queries = read(folder)
    print(json.dumps({"version": f"torch {torch.__version__}"}), flush=True)
    for line in sys.stdin:
        print(json.dumps(train(kind, data, embeddings, parameters, queries, json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
