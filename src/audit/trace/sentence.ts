import type { Statement } from '../../logs/document/document.js'
import { countAt, type Quantity, readTokens, type StepMark } from '../../logs/document/quantity.js'
import type { PrintedFigure } from './figure.js'
import type { Log, LogMetric, LogRun } from './log.js'
import type { MetricMention, MetricNames } from './metric-mentions.js'
import { atStep, isCrossedAt, isExtreme, type PartMention, partsIn } from './part-mentions.js'
import { OTHER_RUN, type RunMention, type RunNames, type SeedMention } from './run-mentions.js'

/** A sentence as its mentions and figures: what may tell a figure's run, metric and part, in the order of the text. */
export interface FigureSentence {
  readonly text: string
  /** What it stands under: the item or label above. */
  readonly lead: string
  readonly runs: readonly RunMention[]
  readonly seeds: readonly SeedMention[]
  readonly metrics: readonly MetricMention[]
  /** Steps that are addresses are among them. */
  readonly parts: readonly PartMention[]
  readonly figures: readonly PrintedFigure[]
  readonly steps: readonly StepFigure[]
}

/** A step that is claimed ("the best is at step 355"), or at which a figure is said to stand. */
export interface StepFigure {
  readonly figure: PrintedFigure
  readonly mark: StepMark
  readonly extreme: PartMention | null
  readonly of: PrintedFigure | null
  /** It says where figures stand, and is claimed of none. */
  readonly isAddress: boolean
}

/** What stands before a sentence and may tell what it leaves out. */
export interface ReadingContext {
  /** Runs named before, the last one last. */
  readonly runs: readonly RunMention[]
  /** The one run or group that the sentence before, in the same paragraph, is about. */
  readonly subject: RunMention | null
  /** The different metrics that the paragraph spoke of, the last one last. */
  readonly metrics: readonly MetricMention[]
  /** What part the last sentence with a metric spoke of. */
  readonly parts: readonly PartMention[]
  /** The different metrics that its figures were traced to, one of each. */
  readonly turn: readonly LogMetric[]
  /** What the whole report is mostly about. */
  readonly topics: readonly LogMetric[]
  /** Runs that tables or sentences before go through, the last one last. */
  readonly listings: readonly (readonly (readonly LogRun[])[])[]
  /** Metrics that the columns of tables go through. */
  readonly measures: readonly (readonly LogMetric[])[]
  /** The stretch of steps that was named last. */
  readonly window: PartMention | null
  /** The first sentence of its paragraph or list item. */
  readonly isNew: boolean
}

export const NO_CONTEXT: ReadingContext = {
  runs: [],
  subject: null,
  metrics: [],
  parts: [],
  turn: [],
  topics: [],
  listings: [],
  measures: [],
  window: null,
  isNew: true,
}

export interface LogNames {
  readonly log: Log
  /** As it was written: a name in backquotes is no word. */
  readonly raw: string
  /** What the report writes in backquotes. */
  readonly marked: ReadonlySet<string>
  readonly runs: RunNames
  readonly metrics: MetricNames
}

export function readSentence(
  names: LogNames,
  statement: Pick<Statement, 'text' | 'quantities' | 'steps' | 'offsetOf'>,
  context: ReadingContext,
  lead = '',
): FigureSentence {
  const { text } = statement
  const seeds = names.runs.seedsIn(text)
  const runs = resolved(names, statement, context)
  // The `kl` of `kl-late` is no metric, whatever runs are meant.
  const spelt = names.runs
    .namedIn(text)
    .filter(({ from, to, refers }) => refers === null && /[-_./=\d]/.test(text.slice(from, to)))
  const bare = masked(text, [...runs.filter(({ refers }) => refers === null), ...spelt])
  const metrics = names.metrics.namedIn(bare)
  // The "std" of `frac_reward_zero_std` is no deviation.
  const read = partsIn(masked(bare, metrics))
  // "First above 0.8 at steps 14, 17 and 22" claims three steps.
  const listed = read.filter(
    one => one.word === 'at' && one.steps !== null && isCrossedAt(text, { from: one.from, to: text.length }),
  )
  const words = read
    .filter(one => !listed.includes(one))
    .flatMap((one): readonly PartMention[] => {
      if (one.word !== 'same') return [one]
      return context.window === null ? [] : [{ ...context.window, from: one.from, to: one.to }]
    })
  const isTaken = (one: { readonly from: number; readonly to: number }): boolean =>
    [...runs, ...seeds, ...listed, ...words.filter(({ steps }) => steps !== null), ...metrics].some(
      other => other.from < one.to && one.from < other.to,
    )
  // "The 3e-4 runs" names some of them.
  const isLabel = ({ to, decimals }: Quantity): boolean =>
    decimals > 0 && /^ (?:runs?|arms?|jobs?)(?![a-z])/.test(text.slice(to))
  const quantities = statement.quantities
    .flatMap(one => bothEnds(text, one))
    .filter(one => !isTaken(one) && !isLabel(one))
  const claims = listed.map(({ from, to, steps }) => ({ from, to, first: steps?.[0] ?? 0, last: steps?.[0] ?? 0 }))
  const own = [...statement.steps, ...afterSteps(text, quantities)]
  const marks = [
    ...own.filter(one => !claims.some(({ from, to }) => from < one.to && one.from < to)),
    ...claims,
  ].filter(({ from, to }) => !words.some(one => one.steps !== null && one.from < to && from < one.to))
  const figureOf = (quantity: Quantity, isStep: boolean): PrintedFigure => {
    const { from, to } = quantity
    return { offset: statement.offsetOf(from), text: text.slice(from, to).trim(), from, to, quantity, isStep }
  }
  // "Never exceeds 0.9" says the highest, and no bound of it.
  const isEnd = ({ from }: Quantity): boolean =>
    words.some(one => isExtreme(one) && one.to <= from && text.slice(one.to, from).trim() === '')
  const figures = quantities.map(one => figureOf(isEnd(one) ? { ...one, bound: null } : one, false))
  let earlier: StepMark | undefined
  const steps = marks.flatMap((mark): StepFigure[] => {
    if (mark.first !== mark.last || mark.from === mark.to) return []
    const at = text.slice(mark.from, mark.to).search(/\d/)
    const digits = /^\d[\d,]*/.exec(text.slice(mark.from + at))?.[0] ?? ''
    const count = countAt({ from: mark.from + at, to: mark.from + at + digits.length }, mark.first)
    const isAbout = /(?:about|around|roughly|approximately|near|约|左右|~)\s?$/i.test(text.slice(0, mark.from))
    const figure = figureOf(isAbout ? { ...count, hedge: 'about' } : count, true)
    const extreme = claimedBy(text, mark, words, quantities, earlier)
    if (extreme !== null) earlier = mark
    const of = besides(masked(text, [...runs, ...metrics]), mark, figures, words)
    const isAddress = extreme === null && of === null && !isCrossedAt(text, mark)
    return [{ figure, mark, extreme, of, isAddress }]
  })
  const claimed = new Set(
    steps
      .filter(({ extreme, of, isAddress }) => extreme !== null || (of === null && !isAddress))
      .map(({ mark }) => mark),
  )
  const parts = [...words, ...marks.filter(mark => !claimed.has(mark)).map(atStep)].sort((a, b) => a.from - b.from)
  return { text, lead, runs, seeds, metrics, parts, figures, steps }
}

const BEHIND =
  /^(?:[\s|(（]|(?:at|in|on|by|around|about|near|reached|which|is|was|it|the|same|set|出现|在|于|即|集|上)(?![a-z]))*$/i

/** "0.9 at step 40", "第 40 步达到 0.9": the figure that is said to stand at a step. */
function besides(
  text: string,
  mark: StepMark,
  figures: readonly PrintedFigure[],
  words: readonly PartMention[],
): PrintedFigure | null {
  const before = figures.findLast(({ to }) => to <= mark.from)
  const next = figures.find(({ from }) => from >= mark.to)
  const gap = before === undefined ? null : text.slice(before.to, mark.from)
  if (gap !== null && BEHIND.test(gap.replace(/[(（]\|+,/, '('))) return before ?? null
  // "At step 60, and ends at 0.3": a figure that is said to be another part does not stand at the step.
  const isOther = words.some(
    one => !isExtreme(one) && one.word !== 'mean' && one.from >= mark.to && one.to <= (next?.from ?? 0),
  )
  const isNext =
    !isOther &&
    next !== undefined &&
    next.from - mark.to < 64 &&
    !/\d|[,;，；。)）]/.test(text.slice(mark.to, next.from))
  if (isNext) return next
  return gap !== null && BEHIND.test(gap.replace(/^[,，]/, '')) ? (before ?? null) : null
}

const WAY = /\s?(?:(?<![a-z])to(?![a-z])|到|至)\s?/i

/** "43.8 % to 52.1 %" is two figures. */
function bothEnds(text: string, quantity: Quantity): readonly Quantity[] {
  const { from, to, ends, decimals, unit } = quantity
  const way = ends === null || decimals === 0 ? null : WAY.exec(text.slice(from, to))
  if (way === null) return [quantity]
  const second = from + way.index + way[0].length
  const read = (start: number, end: number): readonly Quantity[] =>
    readTokens(text.slice(start, end)).quantities.map(one => ({
      ...one,
      from: one.from + start,
      to: one.to + start,
      unit: one.unit ?? unit,
      hedge: quantity.hedge,
      bound: quantity.bound,
    }))
  return [...read(from, from + way.index), ...read(second, to)]
}

const EXTREME = /(?:best|peak|highest|lowest|top|最)[^,;，；。]*$/i
const AFTER = /(?:after|at)\s?$/i

/** "After 200 steps it is 0.82" says a step as "at step 200" does; the step itself stays a figure. */
function afterSteps(text: string, quantities: readonly Quantity[]): readonly StepMark[] {
  return quantities
    .filter(
      ({ unit, from, decimals }) =>
        unit === 'step' && decimals === 0 && AFTER.test(text.slice(0, from)) && !EXTREME.test(text.slice(0, from)),
    )
    .map(({ to, value }) => ({ from: to, to, first: value, last: value }))
}

/** "On short lists kl-0.1 …": the `kl` of a name is no word of the metric before it. */
export function masked(text: string, names: readonly { readonly from: number; readonly to: number }[]): string {
  return names.reduce((left, { from, to }) => left.slice(0, from) + '|'.repeat(to - from) + left.slice(to), text)
}

function outside<Item extends { readonly from: number; readonly to: number }>(
  items: readonly Item[],
  taken: readonly { readonly from: number; readonly to: number }[],
): readonly Item[] {
  return items.filter(one => !taken.some(other => other.from < one.to && one.from < other.to))
}

/**
 * A step beside "best" or "lowest" is what the sentence claims; any other says where a figure stands. "A peaks with 0.9 at
 * step 40, B with 0.8 at step 60": the second is claimed as the first is.
 */
function claimedBy(
  text: string,
  { from, to }: StepMark,
  words: readonly PartMention[],
  quantities: readonly Quantity[],
  earlier: StepMark | undefined,
): PartMention | null {
  const extremes = words.filter(isExtreme)
  const last = extremes.filter(one => one.to <= from).at(-1)
  if (last !== undefined) {
    const since = earlier !== undefined && earlier.from > last.from ? earlier.to : last.to
    const between = quantities.filter(one => one.from >= since && one.to <= from)
    const isOther = words.some(
      ({ word, from: at }) => at >= last.to && at < from && (word === 'last' || word === 'first' || word === 'mean'),
    )
    // "The best is 0.9. At step 100 …", "最高 0.9，第 100 步为 0.7": a figure that follows the step at once stands there.
    const isAddress =
      (/^\s?(?:时|处)?\s?(?:的|为|是|有|升|降|上升|下降|it (?:is|was)|the|was|is|:)/.test(text.slice(to)) ||
        /(?:到|至|by|until|to)\s?$/i.test(text.slice(0, from))) &&
      (between.length > 0 || /^\s?的\s?\d/.test(text.slice(to)))
    return between.length <= 1 && !isOther && !isAddress ? last : null
  }
  const next = extremes.find(one => one.from >= to)
  return next !== undefined && next.from - to < 16 && !/[,;，；。]/.test(text.slice(to, next.from)) ? next : null
}

/** Runs may be called so, and sentences need the words. */
const EVERYDAY =
  /^(?:all|none|nothing|both|other|more|less|test|train|training|first|last|best|new|old|default|full|late|early)$/
const HEAD = /^[*\s]*([^*\n]{3,40}?)[.:。：]?\*\*/
const LONGEST_HEAD = 60
const CALLED_RUN = /^['’]?s? ?(?:runs?|arms?|groups?|settings?|variants?|组|配置)(?![a-z])/

/** Mentions with their runs: pronouns and seeds look at what was named before. */
function resolved(
  { log, runs: names, raw, marked }: LogNames,
  { text, offsetOf }: Pick<Statement, 'text' | 'offsetOf'>,
  context: ReadingContext,
): readonly RunMention[] {
  const seeds = names.seedsIn(text)
  const named = [...names.namedIn(text)].filter(({ from, to, refers }) => {
    const name = text.slice(from, to).toLowerCase()
    const isWord = refers === null && /^[a-z]+$/.test(name) && (marked.has(name) || EVERYDAY.test(name))
    return !isWord || raw[offsetOf(from) - 1] === '`' || CALLED_RUN.test(text.slice(to))
  })
  // "**Sparse reward.** Seed 0 …" heads what is said of `sick-sparse-reward`.
  const head = named.length > 0 ? undefined : HEAD.exec(raw.slice(offsetOf(0), offsetOf(0) + LONGEST_HEAD))?.[1]
  if (head !== undefined) named.push(...names.alikeIn(head.replace(/[.:。：]$/, '')).map(one => ({ ...one, to: 1 })))
  const behind = new Map(seeds.map(seed => [seed, groupBehind(text, named, seeds, seed)]))
  const found: RunMention[] = []
  const before = (): readonly RunMention[] => [...context.runs, ...found]
  // What a pronoun pointed at is not named once more: "the former … the latter".
  const distinct = (): readonly RunMention[] =>
    lastDistinct([...context.runs, ...found.filter(({ refers }) => refers === null)])
  const items = [...named, ...outside(seeds, named)].sort((a, b) => a.from - b.from)
  for (const item of items) {
    if ('seed' in item) {
      const here = found.findLast(({ runs }) => runs.length > 1) ?? behind.get(item)
      // "kl-0.1/seed1 ends at 0.9, seed 2 at 0.8".
      const sibling =
        here === undefined
          ? groupOfLast(
              log,
              found.filter(({ refers }) => refers === null),
            )
          : undefined
      const group = here ?? (sibling === undefined ? context.runs.findLast(({ runs }) => runs.length > 1) : undefined)
      const of = group?.runs ?? sibling ?? groupOfLast(log, before()) ?? log.runs
      const runs = of.filter(({ seed }) => seed === item.seed)
      const last = found.at(-1)
      if (runs.length === 0) continue
      if (last !== undefined && last === group && item.from - last.to <= 4 && !isList(seeds, item)) found.pop()
      // A seed belongs to the group that the sentence names, or to the only one that was named before.
      const isOnly = new Set(context.runs.flatMap(one => one.runs.map(run => run.group))).size === 1
      const isLoose =
        here === undefined && sibling === undefined
          ? !isOnly || OTHER_RUN.test(text.slice(0, item.from))
          : here?.isLoose
      found.push({ from: item.from, to: item.to, runs, refers: null, ...(isLoose ? { isLoose: true } : {}) })
    } else if (item.refers === null) found.push(item)
    else {
      const all = distinct()
      const pick =
        item.refers === 'one' || item.refers === 'latter'
          ? all.slice(-1)
          : item.refers === 'former'
            ? all.slice(-2, -1)
            : all.slice(-2)
      const isPossessive = item.refers === 'one' && found.length > 0 && found.at(-1)?.runs === pick[0]?.runs
      // A run of another paragraph is only a guess.
      const isNear = found.length > 0 || context.subject !== null || lastDistinct(context.runs).length === 1
      const loose = isNear ? {} : ({ isLoose: true } as const)
      if (!isPossessive)
        for (const one of pick) found.push({ ...one, ...loose, from: item.from, to: item.to, refers: item.refers })
    }
  }
  // A group that its seeds are named of is not meant itself.
  const isNarrowed = ({ runs, to }: RunMention): boolean =>
    runs.length > 1 &&
    seeds.some(seed => seed.from >= to && !/\d[.\d]/.test(text.slice(to, seed.from))) &&
    found.some(
      other =>
        other.from >= to &&
        other.runs.length === 1 &&
        runs.includes(other.runs[0] as LogRun) &&
        seeds.some(seed => seed.from === other.from),
    )
  const isOfSeeds = ({ runs }: RunMention): boolean => runs.length > 1 && seeds.length > 0
  // Beside seeds a group may stand for one of them.
  const heads = new Set(behind.values())
  return found
    .filter(one => !isNarrowed(one) && !heads.has(one))
    .map(one => (isOfSeeds(one) ? { ...one, isLoose: true } : one))
}

/** "Seeds 0 and 2 of kl-1.0": the group that seeds are named of. */
function groupBehind(
  text: string,
  named: readonly RunMention[],
  seeds: readonly SeedMention[],
  seed: SeedMention,
): RunMention | undefined {
  const last = seeds.filter(other => other === seed || isList(seeds, other)).findLast(({ from }) => from - seed.to < 24)
  const to = last?.to ?? seed.to
  return named.find(({ runs, from }) => runs.length > 1 && from > to && OF.test(text.slice(to, from)))
}

const OF = /^ (?:of|in|from)(?: the)? $/

function isList(
  seeds: readonly { readonly from: number; readonly to: number }[],
  item: { readonly from: number; readonly to: number },
): boolean {
  return seeds.some(
    other => other !== item && (Math.abs(other.from - item.to) < 7 || Math.abs(item.from - other.to) < 7),
  )
}

function groupOfLast(log: Log, mentions: readonly RunMention[]): readonly LogRun[] | undefined {
  const [run] = mentions.at(-1)?.runs ?? []
  return run === undefined ? undefined : log.groups.get(run.group)
}

function lastDistinct(mentions: readonly RunMention[]): readonly RunMention[] {
  const kept: RunMention[] = []
  for (const one of mentions.toReversed()) if (!kept.some(other => isSame(other.runs, one.runs))) kept.unshift(one)
  return kept
}

export function isSame(a: readonly LogRun[], b: readonly LogRun[]): boolean {
  return a.length === b.length && a.every(run => b.includes(run))
}

/** At most one run, and not many figures: the words can hardly mean anything else. */
export function isPlainly({ runs: [run, ...others], figures }: FigureSentence): boolean {
  const isOne = run === undefined || (run.isLoose !== true && others.every(one => isSame(one.runs, run.runs)))
  return isOne && figures.length < 8
}
