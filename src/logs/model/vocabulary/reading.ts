import type { Condition } from '../evaluation.js'
import type { Framework } from './framework.js'
import { goalByName, type MetricMeaning } from './metric.js'
import { type Known, lookUp, ROWS } from './metric-index.js'

/** Reading a name that may hold more than a table can list: a reward function, a number of shots. */

/** A meaning, and how well the name carries it: what is needed to choose between several names of one run. */
export interface Reading extends MetricMeaning {
  /** Other canonical metrics that this name can stand in for. */
  readonly alsoMeans: readonly string[]
  /** Smaller carries the meaning better. */
  readonly rank: number
}

export function readingOfKnown(known: Known): Reading {
  const { row, unit, notes, alsoMeans, rank } = known
  const validation = isValidation(row.canonical)
  return { canonical: row.canonical, unit, goal: row.goal, validation, condition: {}, notes, alsoMeans, rank }
}

/** Canonical names say it themselves. */
export function isValidation(canonical: string): boolean {
  return canonical.startsWith('val.')
}

export function unknownReading(name: string, validation = false, condition: Condition = {}): Reading {
  const unit = unitByName(name)
  const goal = unit === null ? goalByName(name) : 'min'
  return { canonical: null, unit, goal, validation, condition, notes: [], alsoMeans: [], rank: 0 }
}

/** verl times every part of a step, and adds parts from version to version. */
function unitByName(name: string): string | null {
  if (name.startsWith('timing_per_token_ms/')) return 'ms/token'
  return name.startsWith('timing_s/') || name.startsWith('timing/') ? 's' : null
}

/** What preference training files beside rewards: nothing is paid for the two answers of a pair. */
const OF_PAIRS = /^rewards\/(?:chosen|rejected|accuracies|margins)$/

/** `rewards/<function>/mean` in TRL: one of the parts that a reward is made of, never the reward itself. */
export function readRewardPart(name: string): Reading | null {
  if (!/^(?:rollout\/)?rewards\//.test(name) || OF_PAIRS.test(name)) return null
  const canonical = name.endsWith('/std') ? 'reward.part.std' : 'reward.part'
  return { ...unknownReading(name), canonical, goal: ROWS.get(canonical)?.goal ?? null }
}

const SHOTS = /(?:^|[/_.\s-])(?:shots?(?:_?num)?[\s_=-]{0,3}(\d{1,3})|(\d{1,3})[\s_-]?shots?)(?=$|[/_.\s(（-])/i

/** `shot_num=2`, `Shot 2`, `acc_4shot`: a score with that many demonstrations, unless the rest of the name says more. */
export function readShots(name: string, readRest: (rest: string) => Reading): Reading | null {
  const found = SHOTS.exec(name)
  if (found === null) return null
  const shots = Number(found[1] ?? found[2])
  const rest = `${name.slice(0, found.index)}${name.slice(found.index + found[0].length)}`
  const reading = readRest(rest)
  const condition: Condition = { ...reading.condition, shots }
  if (reading.canonical !== null || reading.goal === 'min') return { ...reading, condition }
  return { ...reading, canonical: 'val.score', goal: 'max', validation: true, condition, rank: OTHER_VALIDATION }
}

/** Where the validation names of a run stand that verl did not choose itself. */
export const OTHER_VALIDATION = 2_000_000

/**
 * Validation metrics carry their circumstances in the name: the data set, how repeats were folded, the split.
 * A data set's name may hold slashes and underscores itself, so names are taken apart from the right.
 */

/** verl's chosen variable first, its others next, everybody else's last. */
const CORE_VALIDATION = 0
const AUXILIARY_VALIDATION = 1_000_000

const AGGREGATE = /^(mean|std|maj|best|worst)@(\d+)$/
/** A plain mean says most; a best-of-n is a bound, not a score. */
const AGGREGATE_ORDER = ['mean', 'maj', 'best', 'worst', 'std']
const VARIABLE_ORDER = ['acc', 'reward', 'score']

/** `val-core/<data source>/<variable>/mean@8`, `val-aux/<data source>/<variable>/best@4/std`. */
export function readVerlValidation(name: string, framework: Framework | null): Reading | null {
  const core = name.startsWith('val-core/')
  if (!core && !name.startsWith('val-aux/')) return null
  const parts = name.split('/').slice(1)
  if (parts.length === 2 && parts[0] === 'num_turns') return validationOf(lookUp(parts.join('/'), framework))
  const ofAggregate = AGGREGATE.test(parts.at(-2) ?? '') ? parts.pop() : undefined
  const aggregate = AGGREGATE.exec(parts.at(-1) ?? '')
  if (aggregate !== null) parts.pop()
  const variable = parts.pop() ?? ''
  const condition: Condition = {
    ...(parts.length > 0 && { dataset: parts.join('/') }),
    ...(aggregate !== null && { aggregate: aggregate[0] }),
  }
  const [, how = 'mean', repeats = '0'] = aggregate ?? []
  const reading = unknownReading(variable, true, condition)
  if (!core && reading.goal !== 'max') return reading
  const rank =
    (core ? CORE_VALIDATION : AUXILIARY_VALIDATION) +
    positionIn(AGGREGATE_ORDER, how) * 100_000 +
    positionIn(VARIABLE_ORDER, variable) * 10_000 +
    Math.max(0, 9_999 - Number(repeats))
  if (ofAggregate === 'std' || how === 'std') return { ...reading, canonical: 'val.score.std', goal: null, rank }
  return { ...reading, canonical: 'val.score', unit: null, goal: 'max', rank }
}

function positionIn(order: readonly string[], word: string): number {
  const position = order.indexOf(word)
  return position < 0 ? order.length : position
}

const PREFIX = /^(?:(val|valid|validation|eval|evaluation|test|dev)[-_/. ]+|(?:验证集?|测试集?|评测)\s*)(?=.)/i
/** OpenRLHF files `eval_gsm8k_pass1` under `eval/`. */
const PREFIX_AGAIN = /^eval[_/]/
const FOLDED = /^(.+)\/((?:mean|avg|maj|best|worst|pass)@\d+)(?:\/mean)?$/

/** `eval_reward`, `eval_math_reward`, `eval/eval_gsm8k_pass1`, `val/test_score/<data source>`, `验证集 Reward`. */
export function readValidation(name: string, framework: Framework | null): Reading | null {
  const prefix = PREFIX.exec(name)
  if (prefix === null) return null
  const inner = name.slice(prefix[0].length).replace(PREFIX_AGAIN, '')
  const [, rest = inner, aggregate] = FOLDED.exec(inner) ?? []
  const split = splitOf(prefix[0])
  const told: Condition = { ...(split !== null && { split }), ...(aggregate !== undefined && { aggregate }) }
  const found = readWithDataset(rest, framework)
  if (found !== null) return { ...found, condition: { ...told, ...found.condition } }
  return goalByName(rest) === 'max' ? score(told) : unknownReading(rest, true, told)
}

/** A held-out set is named where it is not simply the validation set. */
function splitOf(prefix: string): string | null {
  if (/^test|^测试/i.test(prefix)) return 'test'
  return /^dev/i.test(prefix) ? 'dev' : null
}

/** The longest tail of the name that is a metric; what stands before it is the data set. */
function readWithDataset(rest: string, framework: Framework | null): Reading | null {
  const whole = readMetric(rest, framework)
  if (whole !== null) return whole
  if (rest.startsWith('test_score/')) return score({ dataset: rest.slice('test_score/'.length) })
  for (let i = 1; i < rest.length - 1; i += 1) {
    if (rest[i] !== '_' && rest[i] !== '/') continue
    const tail = readMetric(rest.slice(i + 1), framework)
    if (tail !== null) return { ...tail, condition: { ...tail.condition, dataset: rest.slice(0, i) } }
  }
  return null
}

/** What evaluation loops call a score. Believed only behind a word that says validation. */
const SCORE = /^(?:reward|score|test_score|acc|accuracy|exact|exact_match|em|f1|(?:success|win|pass)_rate)$/i
const PASS_AT = /^pass@?(\d+)$/

function readMetric(metric: string, framework: Framework | null): Reading | null {
  if (SCORE.test(metric)) return score({})
  const attempts = PASS_AT.exec(metric)?.[1]
  if (attempts !== undefined) {
    return { ...score({ aggregate: `pass@${attempts}` }), rank: OTHER_VALIDATION + Number(attempts) }
  }
  const part = readRewardPart(metric)
  if (part !== null) return { ...part, canonical: `val.${part.canonical}`, validation: true }
  return validationOf(lookUp(metric, framework))
}

function score(condition: Condition): Reading {
  return { ...unknownReading('', true, condition), canonical: 'val.score', goal: 'max', rank: OTHER_VALIDATION }
}

/** The counters of a run are no results of a validation. */
const NEVER_VALIDATED = new Set(['step', 'epoch', 'episodes'])
const TWINS = new Map([
  ['reward.mean', 'val.score'],
  ['score.mean', 'val.score'],
  ['episode.return', 'val.score'],
  ['episode.success', 'val.score'],
  ['loss.total', 'val.loss'],
])

/** The validation twin of a training metric: `kl.ref` becomes `val.kl.ref`. */
function validationOf(known: Known | null): Reading | null {
  if (known === null || NEVER_VALIDATED.has(known.row.canonical)) return null
  const { canonical } = known.row
  const twin = TWINS.get(canonical) ?? (isValidation(canonical) ? canonical : `val.${canonical}`)
  const row = ROWS.get(twin)
  return {
    ...unknownReading('', true),
    canonical: twin,
    unit: row === undefined ? known.unit : row.unit,
    goal: (row ?? known.row).goal,
    notes: known.notes,
    rank: OTHER_VALIDATION + known.rank,
  }
}
