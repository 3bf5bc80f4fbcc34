import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { isConfigFile } from '../../src/logs/sources/config/config-file.js'
import { sources } from '../../src/logs/sources/registry.js'
import { sourceFile } from '../support/reading.js'
import { isText } from './mutate.js'
import { type Sealed, sealedRecordLog, sealedTensorboard } from './sealed.js'

/** The files that are damaged: every fixture and example, under the format that klens takes it for. */

export interface Seed {
  /** As much of the path as a reader may look at. */
  readonly name: string
  readonly bytes: Buffer
  /** For formats with checksums: the records behind them. */
  readonly sealed?: Sealed
}

/** npm and vitest both run in the folder of the package, the compiled fuzzer included. */
const ROOT = process.cwd()
/** Small files are damaged at telling places more often than large ones, and many more of them are tried in a second. */
const LARGEST_TEXT = 8_000
/** Examples are many of a kind: runs that differ in their numbers only. */
const MOST_OF_ONE_NAME = 2

/** Seeds by the id of the source that reads them; configs under `config`. */
export async function corpus(): Promise<ReadonlyMap<string, readonly Seed[]>> {
  const seeds = new Map<string, Seed[]>()
  const add = (format: string, seed: Seed): void => {
    const known = seeds.get(format) ?? []
    const alike = known.filter(({ name }) => basename(name) === basename(seed.name))
    if (alike.length < MOST_OF_ONE_NAME) seeds.set(format, [...known, seed])
  }
  for (const path of [...files('src/logs/sources/fixtures'), ...files('examples')]) {
    const name = join(basename(dirname(path)), basename(path))
    const whole = readFileSync(path)
    const bytes = isText(whole) ? whole.subarray(0, LARGEST_TEXT) : whole
    if (isConfigFile(path)) {
      add('config', { name, bytes })
      continue
    }
    const file = await sourceFile(path)
    const source = sources.find(candidate => candidate.recognise(file))
    if (source === undefined) continue
    const open = SEALED[source.id]
    add(source.id, open === undefined ? { name, bytes } : { name, bytes, sealed: await open(path) })
  }
  for (const [format, name, text] of SMALL) add(format, { name, bytes: Buffer.from(text) })
  return seeds
}

const SEALED: { readonly [source: string]: (path: string) => Promise<Sealed> } = {
  swanlab: sealedRecordLog,
  wandb: sealedRecordLog,
  tensorboard: sealedTensorboard,
}

function files(folder: string): string[] {
  const path = resolve(ROOT, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !/\.klens|\.py$/.test(relative(ROOT, join(entry.parentPath, entry.name))))
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

const NANOGPT = `Namespace(lr=0.001, seed=1)
optim:
  lr: 0.1
  beta: 0.9
step 0: train loss 10.9, val loss 10.8
iter 0: loss 10.93, time 45021.31ms, mfu -100.00%
iter 10: loss 9.2, time 1.2s, mfu 12.50%
[2026-11-17 10:00:00,123] [INFO] trainer: step 20 | loss=8.1k | acc 81.2% (0.8)
step:30/3040 val_loss:4.51 train_time:98ms step_avg:nanms
\rEpoch 0:  50%|█████     | 50/100 [00:10<00:10,  4.9it/s, train_loss=0.523]\rEpoch 0: 100%|██████████| 100/100 [00:20<00:00,  4.9it/s, train_loss=0.4]
{'loss': '0.5', 'step': 40}
Traceback (most recent call last):
RuntimeError: CUDA out of memory
`
const BOXES = `---------------------------
| rollout/           |      |
|    ep_rew_mean     | 21.3 |
| time/              |      |
|    total_timesteps | 2048 |
---------------------------
| rollout/           |      |
|    ep_rew_mean     | 3e+1 |
| time/              |      |
|    total_timesteps | 4096 |
---------------------------
      Step |   Eps |     Loss
     10000 | 0.250 |   0.0725
     20000 | 0.249 |   0.0607
`
const EPOCHS = `Epoch 1/2
782/782 [==============================] - 4s 5ms/step - loss: 1.5 - val_loss: 1.2
Epoch 2/2
782/782 [==============================] - 4s 5ms/step - loss: 1.1 - val_loss: 1.0
Train Epoch: 3 [640/60000 (1%)]\tLoss: 0.2
Test set: Average loss: 0.0537, Accuracy: 9822/10000 (98%)
\x1b[1m Learning iteration 12/1500 \x1b[0m
   Mean reward: 12.34
Cost after iteration 13: 0.69
第 3/10 轮 损失: 0.5
`
const TRACES = `{"version":1,"id":"0123456789abcdef0123456789abcdef","task":{"key":"k","data":{"prompt":"2+2?"}},"nodes":[{"message":{"role":"user","content":"2+2?"},"sampled":false},{"message":{"role":"assistant","content":"4","tool_calls":[{"name":"f","arguments":"{}"}]},"sampled":true}],"rewards":{"a":{"score":1,"weight":0.5},"b":null},"metrics":{"n":1},"info":{"env_name":"calc"},"ok":true,"stop_condition":"max_turns","run":{"type":"train","step":3}}
{"id":"0123456789abcdef0123456789abcdef","env":{"id":"calc"},"task":{"hash":"h"},"traces":[{"rewards":{"a":{"score":0}},"nodes":[],"agent":{"trainable":true},"root_reply":"no"}]}
`
const SUMMARIES = `{"schema_version": 1, "split": "train", "iteration": 10, "group_idx": 2, "traj_idx": 1, "tags": ["gsm8k"], "total_reward": 1.1, "final_reward": 1, "trajectory_metrics": {"correct": 1}, "steps": [{"ac_len": 30, "reward": 0.1, "stop_reason": "length", "logs": {"said": "hm"}}], "final_ob_len": 90}
`
const BATCHES = `{"content": [[{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]], "rewards": [0.5], "input_lengths": [12], "idx": 0}
{"content": [["2+2?", "4"]], "rewards": [1.0], "generation_logprobs": [[-0.1]], "idx": 1}
`
const EPISODE = `{
  "training_step": 7,
  "epoch": 0,
  "episode_id": "t:2",
  "task": {"question": "How many?"},
  "task_hash": "abcd1234",
  "is_correct": false,
  "termination_reason": "max_turns_exceeded",
  "metrics": {"acc": 0},
  "trajectories": [{"name": "solver", "reward": 0.25, "steps": [{"observation": "o", "reward": 0.25, "model_response": "Five."}]}]
}
`

/** Shapes that no fixture has. */
const SMALL: readonly (readonly [format: string, name: string, text: string])[] = [
  ['json', 'a/columns.json', '{"step":[1,2,3],"loss":[0.5,0.4,null],"note":"x"}'],
  ['json', 'a/rows.json', '[{"step":1,"loss":0.5,"t":"2026-11-15T04:30:00Z"},{"step":2,"loss":"NaN"}]'],
  ['jsonl', 'a/nested.jsonl', '{"step":1,"train":{"loss":0.5},"run":"a"}\n{"step":2,"train":{"loss":0.4},"run":"b"}\n'],
  ['csv', 'a/semicolon.csv', 'step;"the loss";time\n1;0,5;2026-11-15 04:30:00\n2;"0,4";\n'],
  ['csv', 'a/runs.tsv', 'run\tstep\treward\nkl-0\t1\t0.5\nkl-1\t1\t~0.4\nkl-1\t2\tN/A\n'],
  [
    'samples',
    'a/long.csv',
    `step,sample,score\n${Array.from({ length: 60 }, (_, i) => `${i % 3},q${i},${i % 2}`).join('\n')}\n`,
  ],
  ['console', 'a/nanogpt.log', NANOGPT],
  ['console', 'a/boxes.log', BOXES],
  ['console', 'a/epochs.log', EPOCHS],
  ['rollouts', 'rollouts/step_3/traces.jsonl', TRACES],
  ['rollouts', 'iteration_000010/train_rollout_summaries.jsonl', SUMMARIES],
  ['rollouts', 'exp_001/val_data_step40.jsonl', BATCHES],
  ['rollouts', 'train_step_7_epoch_0/episode_hash1_id2.json', EPISODE],
  ['config', 'a/config.yaml', 'a: &x {b: [1, 2.5, .inf], c: null}\nd: *x\n<<: {e: 1}\nf.g: "1e-6"\n'],
  ['config', '.hydra/overrides.yaml', '- trainer.total_epochs=3\n- +x.y=[1,2]\n- ~z\n'],
  ['config', 'a/config.json', '{"kl_beta":0.1,"model":{"name":"x","layers":[1,2]},"nan":NaN,"_wandb":{"value":1}}'],
]
