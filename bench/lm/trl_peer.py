"""
The same amount of work in TRL's GRPO trainer: a Qwen3 of the same shape with random parameters, 6 prompts x 8 completions a
step, prompts and completions as long as the benchmark's rollouts on average, KL to a reference, one thread. Prints the
processor's seconds of each step after the first two as JSON. Easier than klens's work in one way: one turn, no replies to wait for.

    python trl_peer.py SHAPE.json STEPS      (needs torch, transformers, trl, datasets)
"""

import json
import os
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

torch.set_num_threads(1)
work, steps = json.load(open(sys.argv[1])), int(sys.argv[2])
PROMPT, OWN, VOCABULARY = work["prompt"], work["own"], work["vocabulary"]

words = {f"w{i}": i for i in range(VOCABULARY - 2)} | {"<pad>": VOCABULARY - 2, "<eos>": VOCABULARY - 1}
plain = Tokenizer(models.WordLevel(words, unk_token="w0"))
plain.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=plain, pad_token="<pad>", eos_token="<eos>", unk_token="w0")
model = Qwen3ForCausalLM(
    Qwen3Config(
        vocab_size=VOCABULARY,
        hidden_size=work["width"],
        num_hidden_layers=work["layers"],
        num_attention_heads=work["heads"],
        num_key_value_heads=work["keyHeads"],
        head_dim=work["headWidth"],
        intermediate_size=work["inner"],
        max_position_embeddings=512,
        tie_word_embeddings=True,
        pad_token_id=VOCABULARY - 2,
        eos_token_id=VOCABULARY - 1,
    )
)
prompts = [" ".join(f"w{(17 * i + j) % 600}" for j in range(PROMPT)) for i in range(600)]


class Clock(TrainerCallback):
    def __init__(self):
        self.at = []

    def on_step_begin(self, *_, **__):
        self.at.append(time.process_time())


clock = Clock()
with tempfile.TemporaryDirectory() as folder:
    # The trainer loads the reference itself, from where the policy lies.
    model.save_pretrained(f"{folder}/model")
    trainer = GRPOTrainer(
        model=f"{folder}/model",
        processing_class=tokenizer,
        reward_funcs=lambda completions, **_: [float(len(set(text.split()))) for text in completions],
        train_dataset=Dataset.from_dict({"prompt": prompts}),
        callbacks=[clock],
        args=GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=48,
            num_generations=8,
            max_completion_length=OWN,
            generation_kwargs={"min_new_tokens": OWN},
            max_steps=steps + 3,
            beta=0.01,
            learning_rate=1e-4,
            use_cpu=True,
            bf16=False,
            report_to=[],
            save_strategy="no",
            logging_steps=1000,
            disable_tqdm=True,
            gradient_checkpointing=False,
            model_init_kwargs={"dtype": torch.float32},
        ),
    )
    trainer.train()
taken = [after - before for before, after in zip(clock.at[2:], clock.at[3:])]
print(json.dumps({"trl": trl.__version__, "torch": torch.__version__, "seconds": taken}))
