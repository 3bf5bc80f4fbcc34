"""
The same training step, written by hand in torch: eager, as many threads as OMP_NUM_THREADS says, a key/value cache and inference mode for the rollout,
padded batches, fused attention and a fused AdamW, logits only where they are wanted. Reads FOLDER/work.json, then for each
line of JSON on its input does what is asked and answers with the time that each part took.

    python peer.py FOLDER
"""

import json
import os
import sys
import time

import torch
import torch.nn.functional as F


class Model:
    """Qwen3's layout. Query, key and value weights are put together once a pass, and so are gate and up."""

    def __init__(self, work, trained):
        self.shape, self.settings = work["shape"], work["settings"]
        numbers = torch.frombuffer(bytearray(open(f"{FOLDER}/parameters.f32", "rb").read()), dtype=torch.float32)
        self.parameters, start = {}, 0
        for name, dimensions in work["parameters"]:
            length = torch.Size(dimensions).numel()
            self.parameters[name] = numbers[start : start + length].view(dimensions).clone().requires_grad_(trained)
            start += length
        head, longest = self.shape["headWidth"], LONGEST
        angle = torch.arange(longest)[:, None] * self.shape["ropeTheta"] ** (-torch.arange(0, head, 2) / head)
        self.cos, self.sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        self.pack()

    def pack(self):
        p, self.layers = self.parameters, []
        for i in range(self.shape["layers"]):
            a, m = f"model.layers.{i}.self_attn.", f"model.layers.{i}.mlp."
            self.layers.append(
                dict(
                    n1=p[f"model.layers.{i}.input_layernorm.weight"],
                    qkv=torch.cat([p[a + "q_proj.weight"], p[a + "k_proj.weight"], p[a + "v_proj.weight"]]),
                    qn=p[a + "q_norm.weight"],
                    kn=p[a + "k_norm.weight"],
                    o=p[a + "o_proj.weight"],
                    n2=p[f"model.layers.{i}.post_attention_layernorm.weight"],
                    gu=torch.cat([p[m + "gate_proj.weight"], p[m + "up_proj.weight"]]),
                    d=p[m + "down_proj.weight"],
                )
            )

    def states(self, ids, first, attend):
        s, p = self.shape, self.parameters
        heads, keys, width = s["heads"], s["keyHeads"], s["headWidth"]
        rows, count = ids.shape
        cos, sin = self.cos[first : first + count], self.sin[first : first + count]

        def norm(x, weight):
            return F.rms_norm(x, (x.shape[-1],), weight, s["epsilon"])

        def turn(x):
            a, b = x.chunk(2, -1)
            return x * cos + torch.cat([-b, a], -1) * sin

        x = F.embedding(ids, p["model.embed_tokens.weight"])
        for i, w in enumerate(self.layers):
            both = F.linear(norm(x, w["n1"]), w["qkv"]).view(rows, count, heads + 2 * keys, width).transpose(1, 2)
            q, k, v = both.split([heads, keys, keys], 1)
            mixed = attend(i, turn(norm(q, w["qn"])), turn(norm(k, w["kn"])), v)
            x = x + F.linear(mixed.transpose(1, 2).reshape(rows, count, heads * width), w["o"])
            gate, up = F.linear(norm(x, w["n2"]), w["gu"]).chunk(2, -1)
            x = x + F.linear(F.silu(gate) * up, w["d"])
        return norm(x, p["model.norm.weight"])

    def whole(self, ids):
        return self.states(ids, 0, lambda _, q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True))

    def logits(self, states):
        return F.linear(states, self.parameters["model.embed_tokens.weight"])


@torch.inference_mode()
def rollout(model, prompts, copies, forced, own, greedy):
    """All rows go on by one token at a time, drawn where `own` says so and else given. Prompts are computed once."""
    s, rows, longest = model.shape, own.shape[0], own.shape[1]
    start = prompts.shape[1]
    cache = torch.zeros(2, s["layers"], rows, s["keyHeads"], longest, s["headWidth"])

    def begin(i, q, k, v):
        cache[0, i, :, :, :start] = k.repeat_interleave(copies, 0)
        cache[1, i, :, :, :start] = v.repeat_interleave(copies, 0)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)

    ids = torch.zeros(rows, longest, dtype=torch.long)
    ids[:, :start] = prompts.repeat_interleave(copies, 0)
    last = model.states(prompts, 0, begin)[:, -1].repeat_interleave(copies, 0)
    drawn_log_probs = torch.zeros(rows, longest)
    for t in range(start, longest):
        rows_of_log_probs = model.logits(last).log_softmax(-1)
        drawn = rows_of_log_probs.argmax(-1) if greedy else torch.multinomial(rows_of_log_probs.exp(), 1)[:, 0]
        token = torch.where(own[:, t], drawn, forced[:, t])
        drawn_log_probs[:, t] = rows_of_log_probs.gather(1, token[:, None])[:, 0]
        ids[:, t] = token
        if t == longest - 1:
            break

        def go_on(i, q, k, v):
            cache[0, i, :, :, t], cache[1, i, :, :, t] = k[:, :, 0], v[:, :, 0]
            return F.scaled_dot_product_attention(q, cache[0, i, :, :, : t + 1], cache[1, i, :, :, : t + 1], enable_gqa=True)

        last = model.states(token[:, None], t, go_on)[:, 0]
    return ids, drawn_log_probs


def log_probs(model, ids, own):
    rows = model.logits(model.whole(ids[:, :-1])[own[:, 1:]]).log_softmax(-1)
    return rows, rows.gather(1, ids[:, 1:][own[:, 1:]][:, None])[:, 0]


def update(model, reference, optimiser, ids, own, old, advantages):
    """Token-mean of the clipped loss with a dual clip, k3 to the reference, an entropy bonus. `old` None: on-policy."""
    s = model.settings
    with torch.no_grad():
        reference_log_probs = log_probs(reference, ids, own)[1]
    model.pack()
    rows, new = log_probs(model, ids, own)
    old = new.detach() + old if old.ndim == 1 else old[own]
    a = advantages[:, None].expand(own.shape)[own]
    ratio = (new - old).clamp(-20, 20).exp()
    held = torch.maximum(-a * ratio, -a * ratio.clamp(1 - s["clipRatio"], 1 + s["clipRatio"]))
    policy = torch.where(a < 0, torch.minimum(held, -a * s["dualClip"]), held)
    difference = reference_log_probs - new
    kl = difference.exp() - difference - 1
    entropy = -(rows.exp() * rows).sum(-1)
    loss = (policy + s["klCoefficient"] * kl - s["entropyCoefficient"] * entropy).mean()
    optimiser.zero_grad()
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters.values(), s["clip"])
    optimiser.step()
    model.pack()
    return loss.item(), norm.item()


def optimiser_of(model):
    s = model.settings
    return torch.optim.AdamW(model.parameters.values(), lr=s["learningRate"], weight_decay=s["weightDecay"], fused=True)


def padded(lists, kind):
    made = torch.zeros(len(lists), LONGEST, dtype=kind)
    for row, values in enumerate(lists):
        made[row, : len(values)] = torch.tensor(values, dtype=kind)
    return made


def planned(prompts, copies, plans):
    """Tokens that are given, and where the model's own are, for rows of several turns."""
    forced, own = [], []
    for i, turns in enumerate(plans):
        tokens = list(prompts[i // copies])
        mask = [0] * len(tokens)
        for turn in turns:
            tokens += [0] * turn["own"] + turn["reply"]
            mask += [1] * turn["own"] + [0] * len(turn["reply"])
        forced.append(tokens)
        own.append(mask)
    return padded(forced, torch.long), padded(own, torch.bool)


def on_given(work, steps):
    model, reference = Model(work, True), Model(work, False)
    optimiser = optimiser_of(model)
    given = work["given"]
    ids = padded([each["tokens"] for each in given], torch.long)
    own = padded([each["scored"] for each in given], torch.bool)
    old = torch.tensor([moved for each in given for moved in each["moved"]])
    advantages = torch.tensor([each["advantage"] for each in given])
    done = [update(model, reference, optimiser, ids, own, old, advantages) for _ in range(steps)]
    return {"losses": [loss for loss, _ in done], "norms": [norm for _, norm in done]}


def training(work, steps):
    torch.manual_seed(0)
    model, reference = Model(work, True), Model(work, False)
    optimiser = optimiser_of(model)
    prompts = torch.tensor(work["prompts"])
    copies = len(work["plans"]) // len(prompts)
    forced, own = planned(work["prompts"], copies, work["plans"])
    evaluated = torch.tensor(work["evaluationPrompts"])
    evaluated_forced, evaluated_own = planned(work["evaluationPrompts"], 1, work["evaluationPlans"])
    advantages = torch.randn(own.shape[0])
    answer = {part: {"seconds": [], "cpuSeconds": []} for part in ("rollout", "update", "evaluation")}

    def timed(part, work_of):
        start, cpu = time.perf_counter(), time.process_time()
        result = work_of()
        answer[part]["seconds"].append(time.perf_counter() - start)
        answer[part]["cpuSeconds"].append(time.process_time() - cpu)
        return result

    for step in range(steps):
        ids, old = timed("rollout", lambda: rollout(model, prompts, copies, forced, own, False))
        ids, old = ids.clone(), old.clone()
        timed("update", lambda: update(model, reference, optimiser, ids, own, old, advantages))
        if step % 5 == 0:
            timed("evaluation", lambda: rollout(model, evaluated, 1, evaluated_forced, evaluated_own, True))
    return answer


FOLDER = sys.argv[1]
torch.set_num_threads(int(os.environ['OMP_NUM_THREADS']))
WORK = json.load(open(f"{FOLDER}/work.json"))
LONGEST = max(len(each["tokens"]) for each in WORK["given"])
LONGEST = max(LONGEST, 160)
print(json.dumps({"version": f"torch {torch.__version__}"}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps((on_given if request["what"] == "given" else training)(WORK, request["steps"])), flush=True)
