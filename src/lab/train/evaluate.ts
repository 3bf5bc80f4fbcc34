import { Problem } from '../../logs/model/problem.js'
import { seededRandom } from '../../stats/random.js'
import { message } from '../../text/say.js'
import type { TrainConfig } from './config/selector-settings.js'
import type { LoadedCheckpoint } from './load-checkpoint.js'
import { initialise } from './policy/initialise.js'
import type { Policy } from './policy/policy.js'
import { openSession } from './session.js'
import { checkPools, queriesOf, type Split, type Task } from './tasks/task.js'
import { type Validation, validate } from './validate.js'

/** One checkpoint at one number of shots. */
export interface Evaluated {
  readonly checkpoint: string
  readonly loaded: LoadedCheckpoint
  readonly task: Task
  readonly split: Split
  readonly shots: number
  readonly load: 'whole' | 'original'
  readonly validation: Validation
}

interface EvaluationRequest {
  readonly task: Task
  readonly config: TrainConfig
  readonly shots: readonly number[]
  /** Null: the test queries, or those of the validation where there are none. */
  readonly split: Split | null
  /** How many queries at most. */
  readonly samples: number | null
  /** `original`: parts whose names the original's model does not know stay at random, as in its inference. */
  readonly load?: 'whole' | 'original'
}

/** The original's inference sets this seed before it builds its model, so that what it does not load is always the same. */
const INFERENCE_SEED = 42

/** Back to random, what the original's inference would not have loaded. */
function forget({ parameters }: Policy, { values, unknownToOriginal }: LoadedCheckpoint): void {
  initialise(parameters, seededRandom(INFERENCE_SEED))
  const lost = new Set(unknownToOriginal)
  parameters.load(
    new Map(
      [...parameters.read()].map(([name, drawn]) => [name, lost.has(name) ? drawn : (values.get(name) ?? drawn)]),
    ),
  )
}

/** Logged data has no queries of its own to test on. */
export function evaluatedSplit(task: Task, wanted: Split | null): Split {
  return wanted ?? (queriesOf(task, 'test').length > 0 ? 'test' : 'val')
}

/** Scores a checkpoint at each number of shots. */
export async function evaluateCheckpoint(
  path: string,
  loaded: LoadedCheckpoint,
  { task, config, shots, split: wanted, samples, load = 'whole' }: EvaluationRequest,
): Promise<readonly Evaluated[]> {
  const { width } = task.queryEmbeddings
  if (width !== loaded.shape.width) {
    throw new Problem('bad-request', message('eval.width', { path, width: loaded.shape.width, has: width }))
  }
  checkPools(task, Math.max(...shots))
  const split = evaluatedSplit(task, wanted)
  if (queriesOf(task, split).length === 0) {
    throw new Problem('not-enough', message('eval.empty-split', { task: task.name, split }))
  }
  const session = openSession(task, config)
  const policy = session.policyWith([])
  policy.parameters.load(loaded.values)
  if (load === 'original') forget(policy, loaded)
  const evaluated: Evaluated[] = []
  for (const count of shots) {
    const validation = await validate(session, policy, task, { split, shots: count, samples })
    evaluated.push({ checkpoint: path, loaded, task, split, shots: count, load, validation })
  }
  return evaluated
}

export interface PairAgreement extends Agreement {
  readonly first: string
  readonly second: string
  readonly sameWeights: boolean
  readonly shots: number
}

/** Every two checkpoints that were asked the same, at each number of shots; choices from other pools cannot be compared. */
export function agreementsAmong(all: readonly Evaluated[]): readonly PairAgreement[] {
  const checkpoints = [...new Set(all.map(({ checkpoint }) => checkpoint))]
  const of = (checkpoint: string): readonly Evaluated[] => all.filter(one => one.checkpoint === checkpoint)
  return checkpoints.flatMap((left, i) =>
    checkpoints.slice(i + 1).flatMap(right =>
      of(left).flatMap(first => {
        const second = of(right).find(({ shots }) => shots === first.shots)
        if (second?.task.dataHash !== first.task.dataHash) return []
        const agreement = agreementOf(first.validation.asked, second.validation.asked)
        if (agreement === null) return []
        const sameWeights = first.loaded.contentHash === second.loaded.contentHash
        return [{ first: left, second: right, sameWeights, shots: first.shots, ...agreement }]
      }),
    ),
  )
}

/**
 * How far two policies choose alike on the queries that both were asked: `share`, the very same examples in the same
 * order; `overlap`, the mean share of examples that both have, in any order; `positions`, at each place of the sequence. Equal scores with a share of 1 are no
 * coincidence and no result: the policies act the same.
 */
interface Agreement {
  readonly n: number
  readonly share: number
  readonly overlap: number
  readonly positions: readonly number[]
}

type Asked = readonly Pick<Validation['asked'][number], 'id' | 'choice'>[]

/** Null where no query was put to both. */
export function agreementOf(first: Asked, second: Asked): Agreement | null {
  const known = new Map(first.map(({ id, choice }) => [id, choice]))
  const pairs = second.flatMap(({ id, choice }) => {
    const other = known.get(id)
    return other === undefined ? [] : [[other, choice] as const]
  })
  const n = pairs.length
  if (n === 0) return null
  const same = pairs.filter(([a, b]) => a.join() === b.join()).length
  const shared = pairs.reduce((sum, [a, b]) => sum + a.filter(picked => b.includes(picked)).length / b.length, 0)
  const shots = Math.min(...pairs.map(([a]) => a.length))
  const positions = Array.from({ length: shots }, (_, at) => pairs.filter(([a, b]) => a[at] === b[at]).length / n)
  return { n, share: same / n, overlap: shared / n, positions }
}

/**
 * What a policy chose over all queries together. A policy that gives every query the same few examples, be it for a pool
 * of two or for weights that were never loaded, scores the same whatever it was trained on: no evaluation of it can tell
 * one training from another.
 */
interface ChoiceSpread {
  readonly queries: number
  /** Sequences of examples that differ. */
  readonly distinct: number
  /** Examples that any query was shown. */
  readonly examples: number
  /** Of how often each example is chosen, in nats: log(examples) where all are chosen alike. */
  readonly entropy: number
  /** Candidates that a query could choose from. */
  readonly pool: { readonly least: number; readonly most: number }
}

export function choiceSpread(asked: Validation['asked']): ChoiceSpread {
  const counts = new Map<number, number>()
  for (const { examples } of asked) for (const id of examples) counts.set(id, (counts.get(id) ?? 0) + 1)
  const picks = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const sizes = asked.map(({ pool }) => pool)
  return {
    queries: asked.length,
    distinct: new Set(asked.map(({ examples }) => examples.join(' '))).size,
    examples: counts.size,
    entropy: [...counts.values()].reduce((sum, count) => sum - (count / picks) * Math.log(count / picks), 0),
    pool: { least: Math.min(...sizes), most: Math.max(...sizes) },
  }
}

/** Below so many queries a small number of choices is no wonder. */
const ENOUGH_QUERIES = 20
/** A choice that twenty queries share on average is none of theirs. */
const QUERIES_PER_CHOICE = 20

/** Whether such choices can tell policies apart. */
export function isBlind({ queries, distinct }: ChoiceSpread): boolean {
  return queries >= ENOUGH_QUERIES && distinct * QUERIES_PER_CHOICE <= queries
}
