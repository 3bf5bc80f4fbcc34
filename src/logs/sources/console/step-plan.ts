import { COUNTER_KEYS, type CounterKey, STEP_LIKE } from './counters.js'
import { type PrintedLine, splitIn } from './printed-line.js'

/**
 * What many printed lines say together: which counter is the step, and whether they are a training at all. The step is
 * the counter that stands with most of the numbers and advances; of several the one that counts furthest. A counter may
 * stand on a line of its own above its numbers (`Learning iteration 12/1500`). A training shows a name that trainings use
 * at several steps; else a text that only counts would pass: a build, a server, a solver.
 */
export interface StepPlan {
  readonly axis: CounterKey
  /** Other words for the same count, on lines of their own. */
  readonly aliases: readonly CounterKey[]
  /** So many lines before the first step only announce how far it will count: `Envs: 256, Steps: 20000000`. */
  readonly announced: number
  /** The names that stood at several steps. */
  readonly names: readonly string[]
  /** Names that stand at one step for several splits, on lines of their own: `Loss` of `Train results:` and `Val results:`. */
  readonly apart: ReadonlySet<string>
}

/** The name of a number, with what it is of where a name alone would be two. */
export function nameInPlan({ apart }: StepPlan, { split }: PrintedLine, name: string): string {
  return split !== null && apart.has(name) && splitIn(name) === null ? `${split}/${name}` : name
}

export type PlanRefusal = 'no-counter' | 'no-values' | 'not-advancing' | 'no-training'

const FEWEST_STEPS = 2
/** Restarts go back, and a few lines may be of another process. */
const ADVANCING = 0.9

interface CounterSeries {
  readonly values: { readonly value: number; readonly total: number | null; readonly epoch: number | null }[]
  covered: number
  /** By name: the steps that it stood at, with the split that it was last of. */
  readonly steps: Map<string, Map<number, string | null>>
  readonly apart: Map<string, Set<string>>
}

export function planSteps(lines: readonly PrintedLine[], context: string): StepPlan | PlanRefusal {
  const series = new Map<CounterKey, CounterSeries>()
  let heading: PrintedLine | null = null
  let isFirstHeading = true
  let epoch: number | null = null
  let valueLines = 0
  for (const line of lines) {
    epoch = line.counters.find(({ key }) => key === 'epoch')?.value ?? epoch
    if (line.values.length === 0) {
      if (isFirstHeading) heading = line
      isFirstHeading = false
      continue
    }
    isFirstHeading = true
    valueLines += 1
    const counters: PrintedLine['counters'] = line.counters.length > 0 ? line.counters : (heading?.counters ?? [])
    for (const { key, value, total } of counters) {
      const known: CounterSeries = series.get(key) ?? { values: [], covered: 0, steps: new Map(), apart: new Map() }
      series.set(key, known)
      known.covered += 1
      known.values.push({ value, total, epoch: key === 'epoch' ? null : epoch })
      for (const { name } of line.values) noteName(known, name, value, line.split)
    }
  }
  // A few numbers behind such words stand in any text.
  if (lines.length < FEWEST_STEPS || series.size === 0)
    return valueLines === 0 && lines.length >= FEWEST_BARE ? 'no-values' : 'no-counter'
  return chooseAxis(series, lines, context)
}

function noteName({ steps, apart }: CounterSeries, name: string, step: number, split: string | null): void {
  const places = steps.get(name) ?? new Map<number, string | null>()
  const before = places.get(step)
  if (split !== null && before != null && before !== split) {
    apart.set(name, (apart.get(name) ?? new Set()).add(before).add(split))
  }
  steps.set(name, places.set(step, split))
}

function chooseAxis(
  series: ReadonlyMap<CounterKey, CounterSeries>,
  lines: readonly PrintedLine[],
  context: string,
): StepPlan | PlanRefusal {
  const steady = [...series].filter(([, { values }]) => advances(values, 1))
  const advancing = steady.length > 0 ? steady : [...series].filter(([, { values }]) => advances(values, ADVANCING))
  const most = Math.max(0, ...advancing.map(([, { covered }]) => covered))
  const [axis, chosen] =
    advancing
      .filter(([, { covered }]) => 2 * covered >= most)
      .toSorted(([one], [other]) => COUNTER_KEYS.indexOf(one) - COUNTER_KEYS.indexOf(other))[0] ?? []
  if (axis === undefined || chosen === undefined) return 'not-advancing'
  const aliases = STEP_LIKE.includes(axis) ? STEP_LIKE.filter(key => key !== axis && isAlias(key, axis, lines)) : []
  const counted = [axis, ...aliases].flatMap(key => series.get(key) ?? [])
  const apart = new Map(counted.flatMap(one => [...one.apart]))
  const names = counted.flatMap(({ steps }) =>
    [...steps].flatMap(([name, places]) => (places.size >= FEWEST_STEPS ? [name] : [])),
  )
  if (!isTraining(names, lines, context)) return 'no-training'
  const shown = names.flatMap(name =>
    [...(apart.get(name) ?? [])].map(split => `${split}/${name}`).concat(apart.has(name) ? [] : name),
  )
  return {
    axis,
    aliases,
    names: [...new Set([...names, ...shown])],
    apart: new Set(apart.keys()),
    announced: announcements(axis, lines),
  }
}

function announcements(axis: CounterKey, lines: readonly PrintedLine[]): number {
  const counting = lines.flatMap(({ counters, values }) => {
    const value = counters.find(({ key }) => key === axis)?.value
    return value === undefined || values.length === 0 ? [] : [{ value, names: values.map(({ name }) => name) }]
  })
  const back = counting.findIndex(({ value }, at) => value < (counting[at - 1]?.value ?? value))
  const names = new Set(counting.slice(0, back).flatMap(line => line.names))
  return back > 0 && !counting.slice(back).some(line => line.names.some(name => names.has(name))) ? back : 0
}

function isAlias(key: CounterKey, axis: CounterKey, lines: readonly PrintedLine[]): boolean {
  const has = ({ counters }: PrintedLine, wanted: CounterKey): boolean =>
    counters.some(counter => counter.key === wanted)
  const own = lines.filter(line => line.values.length > 0 && has(line, key))
  return own.length > 0 && !own.some(line => has(line, axis))
}

function advances(values: CounterSeries['values'], share: number): boolean {
  if (new Set(values.map(({ value }) => value)).size < FEWEST_STEPS) return false
  let forth = 0
  for (const [at, { value, total, epoch }] of values.entries()) {
    const before = values[at - 1]
    const isNewEpoch = total !== null && epoch !== null && before?.epoch !== null && epoch > (before?.epoch ?? epoch)
    if (before === undefined || value >= before.value || isNewEpoch) forth += 1
  }
  const exceptions = values.length - forth
  return forth >= share * values.length || (exceptions === 1 && (share < 1 || values.length >= FEWEST_BARE))
}

/** What trainings call their numbers, as a word of a name or grown together with others (`valloss`). */
const TRAINED =
  /loss|rewards?|return|accurac|entropy|perplex|learning.?rate|(?:^|[^a-z])(?:acc|acc@\d|top-?[15]|rew|ret|kl|lr|ppl|nll|bpb|bpc|elbo|mse|rmse|mae|auc|f1|map|m?iou|bleu|rouge|wer|cer|psnr|ssim|fid|epsilon|eps|ε|ϵ|q_?val(?:ue)?s?|ep_?(?:rew|ret|len)\w*|win_?rate|success_?rate|score|grad_?norm|mfu|logloss|dice|precision|recall)(?![a-z])|(?:ep|avg|mean|average)(?:rew|ret|score)|eprew|epret|损失|准确率|奖励|回报|学习率|困惑度|得分/i

export function isTrainingName(name: string): boolean {
  return TRAINED.test(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'))
}

const CONTEXT =
  /\b(?:train(?:ing|er)?|optimizer|learning[_ ]rate|n_?params|parameters|torch|cuda|gpt|model|policy|batch[_ ]size|epochs?|episodes?|replay|buffer)\b/gi
const FEWEST_BARE = 5

/** Names of one's own (`tel:6.31`) pass where lines hold nothing else and the text around them is of a training. */
function isTraining(names: readonly string[], lines: readonly PrintedLine[], context: string): boolean {
  if (names.some(isTrainingName)) return true
  const pure = lines.filter(({ isPure, values, counters }) => isPure && values.length > 0 && counters.length > 0)
  if (names.length === 0 || pure.length < FEWEST_BARE || pure.length < 0.8 * lines.length) return false
  return new Set((context.match(CONTEXT) ?? []).map(word => word.toLowerCase())).size >= 2
}
