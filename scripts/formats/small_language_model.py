"""A small Qwen3 with random weights and a tokenizer of letters, saved in a folder: no model hub is asked."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

TEMPLATE = "{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '<eos>' }}{% endfor %}{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}"


def save_small_model(to: Path) -> None:
    torch.manual_seed(7)
    letters = ["<pad>", "<eos>", "<unk>", *map(chr, range(32, 127)), "\n"]
    tokenizer = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate(letters)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    made = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", chat_template=TEMPLATE
    )
    config = Qwen3Config(
        vocab_size=len(letters), hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, max_position_embeddings=256, pad_token_id=0, eos_token_id=1, tie_word_embeddings=True,
    )
    Qwen3ForCausalLM(config).save_pretrained(to)
    made.save_pretrained(to)
