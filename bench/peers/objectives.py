"""The two losses, as the original computes them: from the log-probabilities of whole beams."""

import torch

MINIMUM_STD = 0.1
ADVANTAGE_CLIP = 5.0
CLIP = 0.2


def advantages_of(rewards):
    spread = rewards.std().clamp(min=MINIMUM_STD)
    return ((rewards - rewards.mean()) / spread).clamp(-ADVANTAGE_CLIP, ADVANTAGE_CLIP)


def grpo(log_probs, old, reference, advantages, kl_coefficient):
    """The original has one list for `old` and `reference`; klens takes `old` where an update begins."""
    ratio = torch.exp(log_probs - old)
    policy = -torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    difference = log_probs - reference
    return policy + kl_coefficient * (torch.exp(difference) - 1 - difference).mean()


def rce(log_probs, rewards, temperature):
    return -(torch.softmax(rewards / temperature, 0) * log_probs).sum()
