import type { PrintedFigure } from './figure.js'
import type { Log, LogRun } from './log.js'
import type { MetricMention } from './metric-mentions.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import type { RunMention } from './run-mentions.js'
import { isSame, type ReadingContext, type Sentence } from './sentence.js'

/**
 * Which run, metric and part a figure of a sentence belongs to. Of each slot the candidates come in the order in which a
 * reader takes them: what stands between the last figure and this one, what stands right behind it, what the sentence
 * named before, what stands above. Lists of equal length belong together one by one.
 */

/** What stands above a sentence: labels, leads and titles, the nearest first. */
export interface Above {
  readonly runs: readonly RunMention[]
  /** Of titles. */
  readonly metrics: readonly MetricMention[]
  /** Of leads and labels: nearer than what the sentence before says. */
  readonly labels: readonly MetricMention[]
  readonly parts: readonly PartMention[]
}

export interface SlotCandidate<Value> {
  readonly value: Value
  readonly rank: number
  readonly isNamed: boolean
  readonly isGuess?: boolean
}

export type TextSpan = { readonly from: number; readonly to: number }

export interface FigurePlace {
  readonly figure: PrintedFigure
  readonly chunk: readonly PrintedFigure[]
  readonly at: number
  /** Where the stretch before the figure's list begins, and the one behind it ends. */
  readonly start: number
  readonly end: number
}

export interface FigureSlots {
  readonly runs: readonly SlotCandidate<readonly LogRun[]>[]
  readonly metrics: readonly SlotCandidate<MetricMention>[]
  readonly parts: {
    readonly words: readonly PartMention[]
    readonly isNamed: boolean
    readonly isGuess?: boolean
    /** Only what is made of several runs is said, and not of which part. */
    readonly isOfGroup?: boolean
    readonly more: readonly PartMention[]
  }
}

const LISTED = /^\s*(?:,|、|，|and|, and|和|与|及|以及|vs\.?|versus|against|对|\/|;|；|或)\s*(?:only |about |约 ?)?$/i

/** Figures that follow each other with nothing but "and" between them. A claimed step is none of them. */
export function chunksOf(figures: readonly PrintedFigure[], text: string): readonly (readonly PrintedFigure[])[] {
  const chunks: PrintedFigure[][] = []
  for (const figure of figures) {
    const last = chunks.at(-1)
    const before = last?.at(-1)
    if (figure.quantity.plusMinus && before !== undefined) last?.push(figure)
    else if (
      last !== undefined &&
      before !== undefined &&
      !figure.isStep &&
      !before.isStep &&
      LISTED.test(text.slice(before.to, figure.from))
    )
      last.push(figure)
    else chunks.push([figure])
  }
  return chunks
}

export function endBefore(
  figures: readonly PrintedFigure[],
  chunk: readonly PrintedFigure[],
  figure: PrintedFigure,
  i: number,
): number {
  const first = chunk[0] ?? figure
  const before = figures.slice(0, i).findLast(one => one.to <= first.from && !one.isStep)
  return before?.to ?? 0
}

export function startBehind(
  figures: readonly PrintedFigure[],
  chunk: readonly PrintedFigure[],
  figure: PrintedFigure,
  i: number,
  length: number,
): number {
  const last = chunk.at(-1) ?? figure
  return figures.slice(i).find(one => one.from >= last.to && !one.isStep)?.from ?? length
}

export const CLAUSE = /[,;，；。]/

/** Words of the figure's own clause before it, else behind it, else of the clauses since the last figure. */
export function ownParts(
  { parts, text }: Sentence,
  { figure, chunk, at, start, end }: FigurePlace,
  before: PrintedFigure | undefined,
  consumed: number,
): readonly PartMention[] {
  if (figure.quantity.plusMinus) return []
  if (figure.isStep)
    return [parts.findLast(one => isExtreme(one) && one.to <= figure.from) ?? parts.find(isExtreme)].filter(
      one => one !== undefined,
    )
  const last = chunk.at(-1) ?? figure
  const from = Math.max(
    start,
    at > 0 && !isMixed(text, chunk)
      ? start
      : Math.max(consumed, before === undefined || before.isStep ? start : before.to),
  )
  const own = parts.filter(one => one.from >= from && one.to <= figure.from)
  const zipped = zip(listsOf(own, text), chunk, at)
  if (zipped !== null) return [zipped]
  const stop = text.slice(last.to, end).search(CLAUSE)
  const bracket = text.slice(last.to + 2, end).search(/[(（]/)
  const limit = last.to + Math.min(stop < 0 ? end - last.to : stop, bracket < 0 ? end - last.to : bracket + 2)
  const behind = parts.filter(one => one.from >= last.to && one.to <= limit)
  const steps = behind.filter(({ steps: marks, from: mark }) => marks !== null && mark - last.to < 14).slice(0, 1)
  // A word that leads on to another figure of the clause is that figure's.
  const trailing =
    limit < end || end === text.length || /^\s?[(（]/.test(text.slice(last.to))
      ? behind.filter(({ word }) => word !== 'at').slice(0, 1)
      : []
  const implied = fromTo(text, figure)
  const clause = own.filter(one => !CLAUSE.test(text.slice(one.to, (chunk[0] ?? figure).from)))
  const isOfName = own.length > 0 && own.every(({ word }) => word === 'mean')
  if (implied.length > 0 && (clause.length === 0 || isOfName))
    return [...own.filter(({ word }) => word === 'mean'), ...(steps.length > 0 ? steps : implied)]
  const isBare = clause.every(({ word }) => word === 'mean' || word === 'std')
  if (clause.length > 0 && isBare) return [...clause, ...trailing.filter(({ word }) => word !== 'mean'), ...steps]
  if (clause.length > 0) return clause.some(({ steps: marks }) => marks !== null) ? clause : [...clause, ...steps]
  if (steps.length + trailing.length > 0) return [...trailing, ...steps]
  return own
}

const isMixed = (text: string, chunk: readonly PrintedFigure[]): boolean =>
  chunk.some((one, i) => i > 0 && /→|->/.test(text.slice(chunk[i - 1]?.to, one.from)))

const FROM = /(?:from|从|由|自)\s?(?:about |约 ?)?[^\d,，;；。]{0,10}$/i
const TO = /(?:\bto\b|(?<!达)到|至|→|->|变为|变成|降为|升为)\s?(?:about |约 ?)?[^\d,，;；。]{0,4}$/i

/** No "from" before the first figure. */
const BARE_WAY = /(?<!(?:from|从|由|自|down|up)[^\d,，;；。]{0,24})(?<![\d.])\d[\d.,]*\s?%?\s?(?:to|到|至)\s?$/i

/** "From a to b" without another word: from the first to the last. */
function fromTo(text: string, figure: PrintedFigure): readonly PartMention[] {
  const before = text.slice(Math.max(0, figure.from - 20), figure.from)
  const behind = text.slice(figure.to, figure.to + 6)
  const made = (word: 'first' | 'last', isGuess: boolean): readonly PartMention[] => [
    { from: figure.from, to: figure.from, word, steps: null, ...(isGuess ? { isGuess } : {}) },
  ]
  if (FROM.test(before) || /^\s?(?:→|->)/.test(behind)) return made('first', false)
  if (/^\s?(?:to \d|[到至]\s?\d)/.test(behind)) return made('first', true)
  if (!TO.test(before)) return []
  return made('last', BARE_WAY.test(text.slice(Math.max(0, figure.from - 48), figure.from)))
}

const GLUE = /^\s*(?:,|、|，|and|, and|和|与|及|以及|vs\.?|versus|against|&|\/|or)\s*(?:the |for |with |in |of )?$/i

/** Mentions with nothing but "and" between them. */
function listsOf<Item extends TextSpan>(mentions: readonly Item[], text: string): readonly (readonly Item[])[] {
  const lists: Item[][] = []
  for (const one of mentions) {
    const last = lists.at(-1)
    const before = last?.at(-1)
    if (before !== undefined && (before.from === one.from || GLUE.test(text.slice(before.to, one.from))))
      last?.push(one)
    else lists.push([one])
  }
  return lists
}

/** The item of a list that is as long as the list of figures. */
function zip<Item>(lists: readonly (readonly Item[])[], chunk: readonly PrintedFigure[], at: number): Item | null {
  const size = chunk.filter(({ quantity }) => !quantity.plusMinus).length
  const place = chunk.slice(0, at + 1).filter(({ quantity }) => !quantity.plusMinus).length - 1
  const list = size < 2 ? undefined : lists.findLast(({ length }) => length === size)
  return list?.[place] ?? null
}

/** Before, behind, further before: in this order unless every figure of the sentence has its name behind it. */
function nearby<Item extends TextSpan>(
  mentions: readonly Item[],
  { text, figures }: Sentence,
  { figure, chunk, at, start, end }: FigurePlace,
): readonly Item[] {
  const [first, last] = [chunk[0] ?? figure, chunk.at(-1) ?? figure]
  const lists = listsOf(mentions, text)
  // "… (all of run A)": one name behind all figures is that of each.
  const [only] = lists
  if (lists.length === 1 && only?.length === 1 && only[0] !== undefined && only[0].from > (figures.at(-1)?.from ?? 0))
    return only
  const before = lists.filter(list => (list.at(-1)?.to ?? 0) <= first.from)
  const stop = text.slice(last.to, end).search(CLAUSE)
  const behind = lists.filter(
    list => (list[0]?.from ?? 0) >= last.to && (list[0]?.from ?? 0) < (stop < 0 ? end : last.to + stop),
  )
  const own = before.filter(list => (list.at(-1)?.from ?? 0) >= start)
  const zipped = zip(
    [...before.slice(-1), ...behind.slice(0, 1)].filter(list => list.length > 1),
    chunk,
    at,
  )
  const one = (list: readonly Item[] | undefined, isBehind: boolean): readonly Item[] => {
    const item = list === undefined ? undefined : isBehind ? list[0] : list.at(-1)
    return item === undefined ? [] : [item]
  }
  const trailing = figures.filter(({ isStep }) => !isStep)
  const leads = mentions.length > 0 && (mentions[0]?.from ?? 0) > (trailing[0]?.from ?? 0)
  const isClose =
    behind.length > 0 &&
    /^\s?[(（]?(?:for|in|of|with|by|on|from)?\s?(?:the )?$/i.test(text.slice(last.to, behind[0]?.[0]?.from))
  // "0.853 on short lists, and 0.563 on the long ones": the last of a list has the name right behind it.
  const isLastOfList = isClose && chunk.length > 1 && figure === last && own.length > 0
  const ordered =
    own.length > 0 && !leads && !isLastOfList
      ? [...one(own.at(-1), false), ...one(behind[0], true)]
      : behind.length > 0 && (leads || isClose || isLastOfList)
        ? [...one(behind[0], true), ...one(before.at(-1), false)]
        : [...one(before.at(-1), false), ...one(behind[0], true)]
  return [...(zipped === null ? [] : [zipped]), ...ordered.filter(item => item !== zipped)]
}

export function runCandidates(
  log: Log,
  sentence: Sentence,
  place: FigurePlace,
  context: ReadingContext,
  above: Above,
): FigureSlots['runs'] {
  const { chunk, at } = place
  const near = nearby(withoutLater(sentence.runs, place), sentence, place)
  const figures = chunk.filter(({ quantity }) => !quantity.plusMinus)
  const position = Math.min(at, figures.length - 1)
  const members = (runs: readonly LogRun[]): readonly (readonly LogRun[])[] => {
    const [run] = runs
    const isEach = figures.length > 1 && runs.length === figures.length && chunk[position] !== undefined
    const each = isEach
      ? runs.toSorted((a, b) => (a.seed ?? 0) - (b.seed ?? 0) || a.name.localeCompare(b.name))[position]
      : undefined
    return each === undefined || run === undefined ? [runs] : [[each], runs]
  }
  const said = near
    .flatMap(one => {
      const isNamed = !OTHER.test(sentence.text.slice(one.to, place.figure.from))
      return members(one.runs).map(value => ({ value, isNamed, isGuess: one.isLoose === true }))
    })
    .map((one, i) => ({ ...one, rank: i }))
  if (said.length > 0) return said
  // Nothing in the sentence: "respectively" looks back at as many runs as there are figures.
  const back = lastDistinct(context.runs)
  const listed = figures.length > 1 && back.length >= figures.length ? back.slice(-figures.length)[position] : undefined
  const upper = above.runs.map(({ runs }) => runs)
  const all = [
    ...(listed === undefined ? [] : [listed.runs]),
    ...upper.slice(0, 1),
    ...back.slice(-1).map(({ runs }) => runs),
  ].flatMap(members)
  const only = log.groups.size === 1 || log.runs.length === 1 ? [log.runs] : []
  // What stands above, or is the only one that was spoken of, is the subject; of several, a run named before may not be.
  const isAlone = (only.length > 0 && sentence.metrics.length > 0) || (back.length === 1 && back[0]?.isLoose !== true)
  const isSubject =
    listed === undefined
      ? upper.length > 0 || (isAlone && (sentence.metrics[0]?.from ?? 99) < FIRST_WORDS)
      : IN_TURN.test(sentence.text)
  return [...all, ...only]
    .filter((runs, i, list) => list.findIndex(other => isSame(other, runs)) === i)
    .map((value, i) => ({ value, rank: i, isNamed: i === 0 && isSubject }))
}

/** Words that bring in another run than the one named before them. */
const OTHER =
  /(?<![a-z])(?:while|whereas|against|versus|vs|compared|than|others?|another|instead|rest|remaining|(?:un)?penali[sz]ed|strong(?:er|est)|weak(?:er|est)|larger|smaller|baseline|control|coefficients?|penalty)(?![a-z])|而|另|其余|其他|一组|对照|基线|系数|惩罚/i

/** A sentence that begins with the metric has no subject of its own. */
const FIRST_WORDS = 12
const IN_TURN = /respectively|in (?:this|that) order|分别|依次/i

/** A pronoun points back, never at a figure before it. */
function withoutLater(runs: readonly RunMention[], { figure }: FigurePlace): readonly RunMention[] {
  return runs.filter(({ refers, from }) => refers === null || from < figure.from)
}

function lastDistinct(mentions: readonly RunMention[]): readonly RunMention[] {
  return mentions.filter((one, i) => !mentions.slice(i + 1).some(other => isSame(other.runs, one.runs)))
}

export function metricCandidates(
  sentence: Sentence,
  place: FigurePlace,
  context: ReadingContext,
  above: Above,
): FigureSlots['metrics'] {
  const near = nearby(sentence.metrics, sentence, place)
  const said = near.map((value, i) => ({ value, rank: i, isNamed: true }))
  if (said.length > 0) return said
  const more = [...above.labels, ...(context.metric === null ? [] : [context.metric]), ...above.metrics.slice(0, 1)]
  return (
    more
      .filter((one, i) => more.findIndex(other => other.ranked[0] === one.ranked[0]) === i)
      // A metric of the sentence before goes on where this one has a run or a pronoun for its subject.
      .map((value, i) => ({
        value,
        rank: i,
        isNamed: i === 0 && (above.labels.length > 0 || sentence.runs.length > 0),
      }))
  )
}

/** Who takes the metric from the sentence before takes the part along. */
export function saidParts(
  { metrics }: Sentence,
  parts: readonly PartMention[],
  context: ReadingContext,
  above: Above,
): FigureSlots['parts'] {
  const isAlone = context.parts.filter(({ word }) => word !== 'mean' && word !== 'std').length === 1
  const inherited = above.parts.length > 0 ? above.parts : metrics.length === 0 || isAlone ? context.parts : []
  const isLevel = parts.some(({ word }) => word !== 'mean' && word !== 'std')
  if (parts.length > 0)
    return {
      words: isLevel ? parts : [...inherited.filter(({ word }) => word !== 'std' && word !== 'mean'), ...parts],
      isNamed: true,
      isGuess: parts.some(({ isGuess }) => isGuess === true),
      isOfGroup: !isLevel && above.parts.length === 0,
      more: inherited,
    }
  // A part of the sentence before is what a reader would take, and no more.
  const isAbove = above.parts.length > 0
  return { words: inherited, isNamed: isAbove || isAlone, isGuess: !isAbove, more: [] }
}
