import { describe, expect, it } from 'vitest'
import { type MadeTraining, TRAINING_WRITERS } from '../../../../test/support/one-training.js'
import { temporaryFolder, temporaryWorkspace } from '../../../../test/workspace.js'
import type { Finding } from '../../../logs/model/finding.js'
import { seededRandom } from '../../../stats/random.js'
import { viewRun } from '../../analysis/run-view.js'
import { loadRun } from '../../store/catalogue.js'
import { importLogs } from '../../store/ingest.js'
import { loadVocabulary } from '../../store/vocabulary.js'
import { diagnose } from '../diagnose.js'

/** Faults that public logs had and no rule named, planted in made-up trainings under several names and layouts. */

type Series = (step: number) => number | undefined
type Course = { readonly [meaning: string]: Series }

const STEPS = 240
const random = seededRandom(23)
const about =
  (level: (share: number) => number, noise = 0.05): Series =>
  step =>
    level(step / STEPS) * (1 + noise * random.normal())
const every = (count: number, series: Series): Series => {
  return step => (step % count === 0 ? series(step) : undefined)
}

const POLICY: Course = {
  loss: about(() => 0.02, 1),
  kl: about(share => 0.001 + 0.08 * share, 0.2),
  gradient: about(() => 0.3, 0.3),
  entropy: about(share => 0.6 - 0.3 * share),
  score: about(share => 0.3 + 0.3 * share),
  length: about(() => 300),
  truncated: about(() => 0.02, 0.3),
  validation: every(
    8,
    about(share => 0.35 + 0.25 * share, 0.03),
  ),
}
const CLASSIC: Course = {
  loss: about(() => 0.02, 1),
  entropy: about(share => 1.2 - 0.5 * share),
  oldKl: about(() => 0.01, 0.3),
  clipped: about(() => 0.1, 0.2),
  score: about(share => 20 + 130 * share, 0.08),
}
const SUPERVISED: Course = {
  loss: about(share => 2 - 1.2 * share, 0.03),
  gradient: about(() => 0.8, 0.2),
  rate: () => 2e-5,
  validationLoss: every(
    8,
    about(share => 2.1 - 0.9 * share, 0.01),
  ),
}

/** What a meaning is called: by verl, by TRL, and in a log of one's own. */
const DIALECTS: { readonly [dialect: string]: { readonly [meaning: string]: string } } = {
  verl: {
    loss: 'actor/pg_loss',
    kl: 'actor/kl_loss',
    oldKl: 'actor/ppo_kl',
    clipped: 'actor/pg_clipfrac',
    gradient: 'actor/grad_norm',
    entropy: 'actor/entropy',
    score: 'critic/score/mean',
    length: 'response_length/mean',
    truncated: 'response_length/clip_ratio',
    validation: 'val-core/gsm8k/reward/mean@1',
  },
  trl: {
    loss: 'loss',
    kl: 'kl',
    clipped: 'clip_ratio/region_mean',
    gradient: 'grad_norm',
    rate: 'learning_rate',
    entropy: 'entropy',
    score: 'reward',
    length: 'completions/mean_length',
    truncated: 'completions/clipped_ratio',
    validation: 'eval_reward',
    validationLoss: 'eval_loss',
  },
  own: {
    loss: 'policy_loss',
    oldKl: 'approx_kl',
    clipped: 'clip_frac',
    gradient: 'grad_norm',
    entropy: 'entropy',
    score: 'reward_mean',
    length: 'response_length',
  },
}

const FAULTS: {
  readonly [name: string]: { readonly base: Course; readonly change: Course; readonly rules: string[] }
} = {
  'a reward of 0 at every step': {
    base: POLICY,
    change: { score: () => 0, gradient: () => 0, loss: () => 0, validation: every(8, () => 0) },
    rules: ['reward-absorbing', 'run-dead', 'grad-vanishing'],
  },
  'half of the answers cut off': {
    base: POLICY,
    change: { truncated: about(share => 0.3 + 0.35 * share, 0.2) },
    rules: ['truncation'],
  },
  'answers ten times as long for nothing': {
    base: POLICY,
    change: {
      length: about(share => 130 + 1_230 * share),
      score: about(() => 0.3, 0.2),
      validation: every(
        8,
        about(() => 0.35, 0.03),
      ),
    },
    rules: ['length-explosion'],
  },
  'a score that falls while the reward triples': {
    base: POLICY,
    change: {
      score: about(share => 0.3 + 0.8 * share),
      validation: every(
        8,
        about(share => 0.45 - 0.16 * share, 0.03),
      ),
    },
    rules: ['reward-hacking', 'validation-collapse', 'validation-worsened'],
  },
  'validation that breaks down at once': {
    base: POLICY,
    change: { validation: every(8, step => (step < 40 ? 92 : -15) + random.normal()) },
    rules: ['validation-collapse'],
  },
  'a return that is lost, regained and lost': {
    base: CLASSIC,
    change: { score: about(share => (share < 0.3 ? 147 : share < 0.4 ? 29 : share < 0.7 ? 130 : 31)) },
    rules: ['reward-collapse'],
  },
  'a policy that is dead after a twentieth of the run': {
    base: CLASSIC,
    change: Object.fromEntries(
      Object.entries(CLASSIC).map(([meaning, series]): [string, Series] => [
        meaning,
        step => (step > STEPS / 20 ? (meaning === 'score' ? -100 : 0) : series(step)),
      ]),
    ),
    rules: ['run-dead', 'reward-collapse'],
  },
  'a reference that is not the start': {
    base: POLICY,
    change: { kl: about(() => 0.4, 0.2), clipped: () => 0 },
    rules: ['kl-start-nonzero'],
  },
  'training data learned by heart': {
    base: SUPERVISED,
    change: {
      loss: about(share => 2 * (1 - share) ** 2 + 0.05),
      validationLoss: every(
        8,
        about(share => (share < 0.3 ? 2 - share : 1.7 + 3 * (share - 0.3)), 0.02),
      ),
    },
    rules: ['validation-loss-rising', 'validation-worsened'],
  },
}

const LAYOUTS: readonly (readonly [dialect: string, writer: keyof typeof TRAINING_WRITERS])[] = [
  ['verl', 'wandb'],
  ['verl', 'console'],
  ['trl', 'jsonl'],
  ['trl', 'tensorboard'],
  ['own', 'mlflow'],
]

function training(course: Course, names: { readonly [meaning: string]: string }): MadeTraining {
  const rows = Array.from({ length: STEPS }, (_, i) => {
    const values = Object.entries(course).flatMap(([meaning, series]): [string, number][] => {
      const value = series(i + 1)
      return value === undefined || !(meaning in names) ? [] : [[names[meaning], value]]
    })
    return { step: i + 1, values: Object.fromEntries(values) }
  })
  return { name: 'planted', config: {}, rows }
}

async function findingsOf(course: Course, [dialect, writer]: (typeof LAYOUTS)[number]): Promise<readonly Finding[]> {
  const workspace = await temporaryWorkspace()
  const { runs } = await importLogs(workspace, [
    TRAINING_WRITERS[writer](temporaryFolder(), training(course, DIALECTS[dialect])),
  ])
  const run = await loadRun(workspace, runs[0].id)
  if (run === null) throw new Error('the planted run was not read')
  const { findings } = await diagnose(viewRun(run, await loadVocabulary(workspace)))
  return findings.filter(({ severity }) => severity !== 'note')
}

/** A log that does not carry what the fault shows in cannot tell of it. */
function canShow(change: Course, dialect: string): boolean {
  const shown = Object.keys(change).filter(meaning => meaning in DIALECTS[dialect])
  return shown.length === Object.keys(change).length
}

describe.each(Object.entries(FAULTS))('%s', (_, { base, change, rules }) => {
  const able = LAYOUTS.filter(([dialect]) => canShow(change, dialect))
  it.each(able)('is found under the names of %s in %s', async (...layout) => {
    const found = (await findingsOf({ ...base, ...change }, layout)).map(({ rule }) => rule)
    expect(found.filter(rule => rules.includes(rule))).not.toEqual([])
  })
})

describe.each([
  ['a policy of language', POLICY],
  ['a classic policy', CLASSIC],
  ['a supervised model', SUPERVISED],
])('%s that is well', (_, course) => {
  it.each(LAYOUTS)('has neither error nor warning under the names of %s in %s', async (...layout) => {
    const found = await findingsOf(course, layout)
    expect(found.map(({ rule }) => rule)).toEqual([])
  })
})
