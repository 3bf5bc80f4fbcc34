"""
The pointer selector computed the way the original does it: every beam gets its own copy of the query and of all its
candidates, and each copy goes through the projections, a general multi-head attention and the pointer. Autograd does
the way back. Written from the description of the computation, not from its source.
"""

import torch
import torch.nn.functional as F
from torch import nn

MASKED = -100.0


class Original(nn.Module):
    def __init__(self, width, hidden, temperature, dropout=(0.0, 0.0)):
        super().__init__()
        self.temperature = temperature
        self.input_proj = nn.Linear(width, hidden, bias=False)
        self.cross_attn_layers = nn.ModuleList(
            [nn.MultiheadAttention(hidden, 1, dropout=dropout[1], batch_first=True)]
        )
        self.attn_norms = nn.ModuleList([nn.LayerNorm(hidden)])
        self.query_proj = nn.Linear(hidden, hidden, bias=False)
        self.cand_proj = nn.Linear(hidden, hidden, bias=False)
        self.dropout = nn.Dropout(dropout[0])

    def prepare(self, embeddings):
        self.embeddings = embeddings

    def log_probs(self, query, pool, beams):
        count = beams.shape[0]
        queries = self.embeddings[query].expand(count, -1).contiguous()
        candidates = self.embeddings[pool].expand(count, -1, -1).contiguous()
        reduced = self.input_proj(candidates)
        state = self.input_proj(queries).unsqueeze(1)
        for attention, norm in zip(self.cross_attn_layers, self.attn_norms):
            attended, _ = attention(state, reduced, reduced, need_weights=False)
            state = norm(attended + state)
        state = F.normalize(self.dropout(self.query_proj(state.squeeze(1))), dim=-1)
        unit = F.normalize(self.dropout(self.cand_proj(reduced)), dim=-1)
        logits = torch.bmm(unit, state.unsqueeze(2)).squeeze(2) / self.temperature
        taken = torch.zeros_like(logits, dtype=torch.bool)
        total = 0
        for step in range(beams.shape[1]):
            picks = beams[:, step : step + 1]
            total = total + F.log_softmax(logits.masked_fill(taken, MASKED), dim=-1).gather(1, picks).squeeze(1)
            taken = taken.scatter(1, picks, True)
        return total
