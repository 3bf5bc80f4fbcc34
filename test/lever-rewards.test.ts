import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { npyFile } from './support/npy.js'
import { temporaryFolder } from './workspace.js'

/**
 * What `klens train` makes of the original's settings about rewards and filters, seen in the updates that it writes: which
 * choices are trained on, and with which advantages. The numbers are the original's own (fixtures/rewards.json).
 */
type Candidate = Readonly<Record<string, unknown>>

type Settings = Readonly<Record<string, string | number | boolean | readonly string[]>>

interface Fixture {
  readonly groups: readonly (readonly Candidate[])[]
  readonly modes: readonly {
    readonly settings: Settings
    readonly groups: readonly {
      readonly group: number
      readonly kept: readonly number[]
      readonly advantages: readonly (number | string)[]
    }[]
  }[]
  readonly filters: readonly {
    readonly settings: Settings
    readonly kept: Readonly<Record<string, readonly number[]>>
  }[]
}

const original: Fixture = JSON.parse(
  readFileSync(new URL('../src/lab/train/objectives/fixtures/rewards.json', import.meta.url), 'utf8'),
)

/** What the original calls it, and how klens is told. */
const SETTINGS: Readonly<Record<string, (value: Settings[string]) => string>> = {
  reward_mode: value => `reward.mode: ${value}`,
  hard_weight: value => `reward.hard_weight: ${value}`,
  soft_weight: value => `reward.soft_weight: ${value}`,
  reward_alpha: value => `reward.alpha: ${value}`,
  reward_beta: value => `reward.beta: ${value}`,
  reward_correctness_mode: value => `reward.correctness: '${value}'`,
  use_logprob: value => `reward.quality: ${value === true ? 'log-probability' : 'beam-score'}`,
  require_positive_query: value => `data.require_positive: ${value}`,
  skip_fallback_reward: value => `data.fallback: ${value === true ? 'drop' : 'keep'}`,
  filter_gen_methods: value => `data.methods: [${String(value)}]`,
}

const EXAMPLES = Array.from({ length: 16 }, (_, id) => id)

const CONFIG = `
task: lever
data: { train: rl_data.json, query_embeddings: embeddings.npy, val_share: 0 }
policy.hidden: 4
epochs: { rce: 0, grpo: 1 }
curriculum.order: stored
adv.degenerate: keep
reward.normalise: z-score
`

/** A group of one is an error of the file, so those are left out. Candidate i of a group chooses the examples i and i + 1. */
function write(folder: string, settings: Settings): void {
  const records = original.groups.flatMap((group, id) => {
    if (group.length < 2) return []
    const candidates = group.map((candidate, i) => ({ ...candidate, pointer: [i, i + 1], pointer_global: [i, i + 1] }))
    return [[String(id), { candidate_pool_ids: EXAMPLES, pointer_candidates: candidates }]]
  })
  writeFileSync(join(folder, 'rl_data.json'), JSON.stringify(Object.fromEntries(records)))
  const values = EXAMPLES.flatMap(id => [0, 1, 2, 3].map(column => Math.sin(4 * id + column)))
  writeFileSync(join(folder, 'embeddings.npy'), npyFile(values, [EXAMPLES.length, 4]))
  const told = Object.entries(settings).map(([name, value]) => SETTINGS[name](value))
  writeFileSync(join(folder, 'train.yaml'), [CONFIG, ...told].join('\n'))
}

interface TrainedGroup {
  readonly query: string
  readonly choices: readonly (readonly number[])[]
  readonly advantages: readonly number[]
}

/** By query, what one epoch of GRPO was trained on. */
async function trainedOn(settings: Settings): Promise<ReadonlyMap<number, TrainedGroup>> {
  const folder = temporaryFolder()
  write(folder, settings)
  const { code, error } = await klensInside(folder, ['train', 'train.yaml', '--out', 'out', '--json'])
  if (code !== 0) throw new Error(error)
  const lines = readFileSync(join(folder, 'out/grpo_epoch1_updates.jsonl'), 'utf8').trim().split('\n')
  const groups: TrainedGroup[] = lines.flatMap(line => JSON.parse(line).groups)
  return new Map(groups.map(group => [Number(group.query), group]))
}

/** The original takes 0 for what is not there; klens leaves such a choice out. */
function isScored(candidate: Candidate, { reward_mode }: Settings): boolean {
  const more = reward_mode === 'hard01_plus_gtprob' ? ['vqa_gt_prob'] : reward_mode === 'legacy' ? ['beam_score'] : []
  return ['vqa_correct', 'vqa_acc_score', ...more].every(field => typeof candidate[field] === 'number')
}

function named<Case extends { readonly settings: Settings }>(each: Case) {
  return { ...each, name: JSON.stringify(each.settings) }
}

it.each(original.filters.map(named))('trains with $name on what the original keeps', async ({ settings, kept }) => {
  const expected = Object.entries(kept).flatMap(([id, positions]) => {
    const scored = positions.filter(position => isScored(original.groups[Number(id)][position], settings))
    // Nothing can be compared in a group of one; its advantage is NaN in the original, and so are all its weights then.
    return scored.length < 2 ? [] : [[Number(id), scored]]
  })
  if (expected.length === 0) {
    await expect(trainedOn(settings)).rejects.toThrow(/data\.require_positive|no query has two scores|scored/)
    return
  }
  const found = [...(await trainedOn(settings))].map(([id, { choices }]) => [id, choices.map(([first]) => first)])
  expect(found).toEqual(expected)
})

/** The nine modes, and the older one with weights. */
const MODES = original.modes.filter(({ settings }) => !('rel_weight' in settings) && settings.use_logprob !== true)

it.each(MODES.map(named))("gives the original's advantages with $name", async ({ settings, groups }) => {
  const found = await trainedOn({ reward_alpha: 0, reward_beta: 0, ...settings })
  let compared = 0
  for (const { group, kept, advantages } of groups) {
    const own = found.get(group)
    // Where klens leaves out what the original takes for 0, the group is another one.
    if (own?.choices.length !== kept.length) continue
    expect(own.choices.map(([first]) => first)).toEqual(kept)
    for (const [i, advantage] of advantages.entries()) expect(own.advantages[i]).toBeCloseTo(Number(advantage), 6)
    compared += 1
  }
  expect(compared).toBeGreaterThanOrEqual(6)
})
