"""
The same policy in torch with the algebra that klens uses, so that what is left between the two is no difference of
method: candidates are computed once for all beams, attention with a single query token is re-associated so that no key
or value is ever computed, and what frozen projections give is computed once for each image.
"""

import torch
import torch.nn.functional as F
from torch import nn


class Shared(nn.Module):
    def __init__(self, width, hidden, temperature, dropout=(0.0, 0.0)):
        super().__init__()
        self.hidden = hidden
        self.temperature = temperature
        self.rates = dropout
        self.input_proj = nn.Linear(width, hidden, bias=False)
        self.cross_attn_layers = nn.ModuleList([nn.MultiheadAttention(hidden, 1)])
        self.attn_norms = nn.ModuleList([nn.LayerNorm(hidden)])
        self.query_proj = nn.Linear(hidden, hidden, bias=False)
        self.cand_proj = nn.Linear(hidden, hidden, bias=False)

    def prepare(self, embeddings):
        self.embeddings = embeddings
        self.cached = not self.input_proj.weight.requires_grad
        if not self.cached:
            return
        with torch.no_grad():
            self.reduced = self.input_proj(embeddings)
            self.projected = self.cand_proj(self.reduced)
            self.unit = F.normalize(self.projected, dim=-1)

    def inputs(self, query, pool):
        dropped = self.training and self.rates[0] > 0
        if self.cached:
            if not dropped:
                return self.reduced[query], self.reduced[pool], self.unit[pool]
            return self.reduced[query], self.reduced[pool], F.normalize(F.dropout(self.projected[pool], self.rates[0]), dim=-1)
        weight = self.input_proj.weight
        reduced = self.embeddings[pool] @ weight.T
        projected = reduced @ self.cand_proj.weight.T
        if dropped:
            projected = F.dropout(projected, self.rates[0])
        return weight @ self.embeddings[query], reduced, F.normalize(projected, dim=-1)

    def log_probs(self, query, pool, beams):
        state, reduced, unit = self.inputs(query, pool)
        attention, norm = self.cross_attn_layers[0], self.attn_norms[0]
        of_query, of_key, of_value = attention.in_proj_weight.chunk(3)
        query_bias, _, value_bias = attention.in_proj_bias.chunk(3)
        sought = torch.addmv(query_bias, of_query, state) @ of_key
        weights = torch.softmax(torch.mv(reduced, sought) / self.hidden**0.5, 0)
        if self.training and self.rates[1] > 0:
            weights = F.dropout(weights, self.rates[1])
            context = of_value @ (weights @ reduced) + value_bias * weights.sum()
        else:
            context = torch.addmv(value_bias, of_value, weights @ reduced)
        attended = torch.addmv(attention.out_proj.bias, attention.out_proj.weight, context)
        state = self.query_proj.weight @ norm(attended + state)
        if self.training and self.rates[0] > 0:
            state = F.dropout(state, self.rates[0])
        logits = torch.mv(unit, F.normalize(state, dim=0)) / self.temperature
        return pointer_log_probs(logits, beams)


def pointer_log_probs(logits, beams):
    """All picks share one list of logits; the second and later ones lack those taken before."""
    total = F.log_softmax(logits, 0)[beams[:, 0]]
    if beams.shape[1] == 1:
        return total
    left = logits.expand(beams.shape[0], -1)
    for step in range(1, beams.shape[1]):
        left = left.scatter(1, beams[:, step - 1 : step], float("-inf"))
        total = total + F.log_softmax(left, 1).gather(1, beams[:, step : step + 1]).squeeze(1)
    return total
