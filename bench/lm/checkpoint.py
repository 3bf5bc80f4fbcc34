"""
What Hugging Face's own library makes of a checkpoint that klens wrote: answers FOLDER/questions.json on standard output.

    python checkpoint.py FOLDER
"""

import json
import sys

import torch
import transformers
from transformers import AutoModelForCausalLM, AutoTokenizer


def message(said):
    calls = [{"type": "function", "function": call} for call in said.get("toolCalls", [])]
    return {"role": said["role"], "content": said["content"], **({"tool_calls": calls} if calls else {})}


def main(folder):
    torch.set_num_threads(1)
    model, loading = AutoModelForCausalLM.from_pretrained(folder, output_loading_info=True)
    problems = {kind: sorted(map(str, found)) for kind, found in loading.items() if found}
    tokenizer = AutoTokenizer.from_pretrained(folder)
    questions = json.load(open(f"{folder}/questions.json"))
    chats, continuations = [], []
    for prompt in questions["prompts"]:
        chat = tokenizer.apply_chat_template([message(said) for said in prompt], tokenize=False, add_generation_prompt=True)
        ids = tokenizer(chat, return_tensors="pt", add_special_tokens=False)
        with torch.inference_mode():
            out = model.generate(**ids, max_new_tokens=questions["limit"], do_sample=False)
        said = out[0, ids["input_ids"].shape[1] :].tolist()
        chats.append(chat)
        continuations.append({"tokens": said, "text": tokenizer.decode(said)})
    tokens = [tokenizer.encode(text, add_special_tokens=False) for text in questions["texts"]]
    print(
        json.dumps(
            {
                "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
                "problems": problems,
                "model": type(model).__name__,
                "chats": chats,
                "continuations": continuations,
                "tokens": tokens,
                "decoded": [tokenizer.decode(each) for each in tokens],
            }
        )
    )


main(sys.argv[1])
