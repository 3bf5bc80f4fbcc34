import { comparableName } from '../../../logs/model/vocabulary/names.js'
import { paidParts, scorersIn, type TrainedPart } from '../../../logs/model/vocabulary/training-reward.js'
import { figure } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'
import { readSeries } from '../../store/series.js'
import type { RunView } from '../run-view.js'
import type { RunSide } from './evidence.js'

/**
 * Whether sides were paid for different things: other parts of a reward, other weights, or another scale before anything
 * was learned. Their rewards are then different quantities, and which is larger says nothing.
 */

const say = sentences({
  'paid-differently.parts': {
    en: 'the runs were rewarded for different things ({parts} in one of them only), so their rewards are not comparable',
    zh: '各方的奖励构成不同（{parts} 只在一方中），奖励之和不可比',
  },
  'paid-differently.weights': {
    en: 'the runs weight {parts} differently in the reward, so their rewards are not comparable',
    zh: '各方奖励中 {parts} 的权重不同，奖励之和不可比',
  },
  'paid-differently.scorer': {
    en: 'the runs were rewarded by different scorers ({key}), so their rewards are not comparable',
    zh: '各方的奖励由不同的评分方式给出（{key}），奖励不可比',
  },
  'paid-differently.scale': {
    en: 'the reward starts at {first} in one run and at {second} in the other, before anything was learned: a different scale, so the rewards are not comparable',
    zh: '训练开始时一方的奖励为 {first}，另一方为 {second}，尚未学到任何东西：尺度不同，奖励不可比',
  },
})

export function isPaidDifferently({ key }: Message): boolean {
  return key.startsWith('paid-differently.')
}

export async function paidDifference(sides: readonly RunSide[]): Promise<Message | null> {
  const runs = sides.flatMap(side => side.runs)
  return otherParts(runs) ?? otherWeights(runs) ?? otherScorer(runs) ?? (await otherScale(sides))
}

/** A run that logs no parts says nothing of them. */
function otherParts(runs: readonly RunView[]): Message | null {
  const paid = runs
    .map(({ goal }) => new Set(paidParts(goal.reward).map(([name]) => name)))
    .filter(({ size }) => size > 0)
  const all = new Set(paid.flatMap(names => [...names]))
  const some = [...all].filter(name => paid.some(names => !names.has(name)))
  return some.length === 0 ? null : say('paid-differently.parts', { parts: some.join(', ') })
}

function otherWeights(runs: readonly RunView[]): Message | null {
  const weights = new Map<string, Set<number>>()
  const note = (name: string, { weight }: TrainedPart) => {
    if (weight !== null) weights.set(name, (weights.get(name) ?? new Set()).add(weight))
  }
  for (const { goal } of runs) for (const [name, part] of goal.reward.parts) note(name, part)
  const differing = [...weights].filter(([, { size }]) => size > 1).map(([name]) => name)
  return differing.length === 0 ? null : say('paid-differently.weights', { parts: differing.join(', ') })
}

/** Another reward model or function, where all configs name one. */
function otherScorer(runs: readonly RunView[]): Message | null {
  const named = runs.map(({ config }) => scorersIn(config))
  const keys = [...(named[0]?.keys() ?? [])].filter(key => named.every(each => each.has(key)))
  const differing = keys.find(key => new Set(named.map(each => each.get(key))).size > 1)
  return differing === undefined ? null : say('paid-differently.scorer', { key: differing })
}

/** A reward that begins so many times as high as another is counted in another unit. */
const FEWEST_TIMES = 3
/** Only this share of a training counts as its beginning. */
const BEGINNING = 0.02
/** Runs that differ in these may well begin at other rewards. */
const START_SETTINGS = ['model', 'data.train', 'temperature', 'len.response.max']

/** Both of the first two rewards of every run of one side, against both of every run of the other: one batch is chance. */
async function otherScale(sides: readonly RunSide[]): Promise<Message | null> {
  const runs = sides.flatMap(side => side.runs)
  const starts = START_SETTINGS.map(
    key => new Set(runs.map(({ settings }) => JSON.stringify(settings.get(key)?.effective))),
  )
  if (starts.some(({ size }) => size > 1)) return null
  const begun = await Promise.all(sides.map(async side => (await Promise.all(side.runs.map(firstRewards))).flat()))
  const [baseline = [], ...others] = begun
  if (baseline.length < 2) return null
  for (const other of others.filter(({ length }) => length > 1)) {
    const [low, high] = [baseline, other].sort((a, b) => Math.max(...a) - Math.max(...b))
    const isApart = Math.min(...low) > 0 && Math.min(...high) >= FEWEST_TIMES * Math.max(...low)
    const isApartBelow = Math.max(...high) < 0 && Math.max(...low) <= FEWEST_TIMES * Math.min(...high)
    if (isApart || isApartBelow) {
      return say('paid-differently.scale', { first: figure(baseline[0] ?? 0, 3), second: figure(other[0] ?? 0, 3) })
    }
  }
  return null
}

async function firstRewards(run: RunView): Promise<readonly number[]> {
  const [reward] = run.goal.reward.carriers
  const record = reward === undefined ? undefined : run.manifest.metrics.get(reward)
  if (reward === undefined || record === undefined || record.n < 2) return []
  const until = Math.max(2, BEGINNING * record.lastStep)
  const points = (await readSeries(run, [reward])).get(reward)
  if (points === undefined) return []
  const first = [0, 1].filter(i => (points.steps[i] ?? Number.POSITIVE_INFINITY) <= until)
  return first.length < 2 ? [] : first.map(i => points.values[i] ?? Number.NaN)
}

/** The parts of the training reward that every run logs, by the name that the run uses. */
export function sharedParts(runs: readonly RunView[]): readonly string[] {
  const [first, ...rest] = runs
  if (first === undefined) return []
  return [...first.goal.reward.parts]
    .filter(([name, { metric }]) =>
      rest.every(({ goal }) => comparableName(goal.reward.parts.get(name)?.metric ?? '') === comparableName(metric)),
    )
    .map(([, { metric }]) => metric)
}
