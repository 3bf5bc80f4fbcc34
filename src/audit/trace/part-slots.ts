import type { PrintedFigure } from './figure.js'
import { isExtreme, type PartMention } from './part-mentions.js'
import type { FigureSentence } from './sentence.js'

/** Figures in a list with what is named around them, and which part of a curve each of them is. */

export type TextSpan = { readonly from: number; readonly to: number }

/** Where the figures of a list stand, and between which others. */
export interface Window extends TextSpan {
  readonly chunk: readonly PrintedFigure[]
  /** Where the figure before ends, and the next one begins. */
  readonly start: number
  readonly end: number
}

export interface Named<Item> {
  readonly fresh: readonly Item[]
  readonly behind: readonly Item[]
}

export const plainOf = (chunk: readonly PrintedFigure[]): readonly PrintedFigure[] =>
  chunk.filter(({ quantity }) => !quantity.plusMinus)

const GLUE =
  /^\s*(?:,|、|，|and|, and|和|与|及|以及|vs\.?|versus|against|&|\/|or)\s*(?:the |for |with |in |of |seed )?$/i

/** Mentions with nothing but "and" between them. */
export function listsOf<Item extends TextSpan>(mentions: readonly Item[], text: string): readonly (readonly Item[])[] {
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
export function zipped<Item extends TextSpan>(
  { fresh, behind }: Named<Item>,
  { chunk }: Window,
  figure: PrintedFigure,
  text: string,
): Item | null {
  const plain = plainOf(chunk)
  const place = plain.filter(({ from }) => from <= figure.from).length - 1
  const lists = [...listsOf(fresh, text).slice(-1), behind]
  return (plain.length < 2 ? undefined : lists.find(({ length }) => length === plain.length))?.[place] ?? null
}

const LATER = /(?<![a-z])(?:later|earlier|then|afterwards)(?![a-z])|之后|以后|随后|此后/i

/** The words for a part, and whether they can mean no other. */
interface PartSlot {
  readonly value: readonly PartMention[]
  readonly isSure: boolean
}

/** What part a figure is: said before it, attached behind it, an end of a way, or that of the figure before it. */
export function partSlot(
  sentence: FigureSentence,
  window: Window,
  figure: PrintedFigure,
  named: Named<PartMention>,
  carried: PartSlot | null,
  isOfRuns: boolean,
): PartSlot | null {
  const { text } = sentence
  if (figure.quantity.plusMinus) return carried
  const own = zipped(named, window, figure, text)
  if (own !== null) return { value: [own], isSure: true }
  const end = endOf(named.fresh, window, figure)
  if (end !== null) return { value: [end], isSure: false }
  const clause = text.slice(window.start, window.from).search(/[,;，；。:：](?!\d)[^,;，；。:：]*$/)
  const near = clause < 0 ? named.fresh : named.fresh.filter(({ to }) => to > window.start + clause)
  const far = named.fresh.filter(one => !near.includes(one))
  const way = stretchEnd(wayEnd(text, figure), named.fresh, sentence)
  const level = near.filter(isLevel)
  const behind = figure === window.chunk.at(-1) ? named.behind : []
  const across = named.fresh.filter(one => !isLevel(one))
  const isLater = LATER.test(text.slice(window.start, figure.from))
  if (way !== null && level.length === 0) {
    const own = behind.filter(isLevel)
    const isSure = own.length > 0 || (way.isGuess !== true && !isBetween(sentence, figure))
    return { value: [...across, ...(own.length > 0 ? own : [way])], isSure }
  }
  if (way !== null && level.every(({ word }) => word === way.word))
    return { value: [...across, ...level], isSure: !isBetween(sentence, figure) }
  // "The final KL drops from 0.45 (kl-0.0) to 0.27 (kl-0.3)" compares two runs, and is no way of one.
  if (way !== null && !isOfRuns) {
    // "The final accuracy rises from a to b": of two runs, unless a word says that it is one.
    const isFinal = level.some(({ word, steps }) => word === 'last' || steps !== null)
    return { value: isFinal ? [...across, way, ...level] : [...across, ...level, way], isSure: false }
  }
  if (level.length > 0) {
    // "Peaks at 0.9 at step 40": the step is said of the peak, and does not say another part.
    const more = level.some(isExtreme) ? [] : behind.filter(({ steps }) => steps !== null)
    const isGuess = near.some(one => one.isGuess === true)
    return { value: [...far.filter(one => !isLevel(one)), ...near, ...more], isSure: !isGuess }
  }
  if (behind.some(isLevel)) return { value: [...across, ...behind], isSure: true }
  const said = [...far.filter(isLevel), ...across, ...behind]
  if (said.some(isLevel)) return { value: said, isSure: !isLater }
  // "Averages 0.6": of one run that is all; of several, the mean of what was said before.
  if (carried === null) return said.length === 0 ? null : { value: said, isSure: true }
  // "The deviations: A 0.02, B 0.03" is said of all; "A has 0.5, a deviation of 0.02, B 0.6" of one.
  const isTopic = ({ from }: PartMention): boolean => from < (sentence.figures[0]?.from ?? 0)
  const kept = carried.value.filter(one => (one.word !== 'std' || isTopic(one)) && (said.length === 0 || isLevel(one)))
  return { value: [...kept, ...said], isSure: said.length > 0 || (carried.isSure && !isLater) }
}

/** "From a to b" may lead from one run of its clause to another, or along a stretch that it names. */
function isBetween({ runs, parts, text }: FigureSentence, { from, to }: TextSpan): boolean {
  const start = Math.max(...[';', '；', '。'].map(mark => text.lastIndexOf(mark, from)))
  const end = text.slice(to).search(/[;；。]/)
  const isHere = (one: TextSpan): boolean => one.from > start && (end < 0 || one.to < to + end)
  const [run, ...others] = runs.filter(isHere)
  return (
    others.some(one => one.runs.length !== run?.runs.length || one.runs[0] !== run.runs[0]) ||
    parts.some(one => isHere(one) && (one.word === 'tail' || one.word === 'over'))
  )
}

/** "Between steps 100 and 400 it climbs from a to b, and the other from c to d": the ends of the stretch. */
function stretchEnd(
  way: PartMention | null,
  fresh: readonly PartMention[],
  { parts, text }: FigureSentence,
): PartMention | null {
  const isStretch = ({ word, isGuess, from }: PartMention): boolean =>
    word === 'over' && isGuess === true && /^(?:between|from|第)/i.test(text.slice(from))
  const span = fresh.find(isStretch) ?? parts.find(one => isStretch(one) && one.from < (way?.from ?? 0))
  const step = span?.steps?.[way?.word === 'first' ? 0 : 1]
  return way === null || step === undefined ? way : { ...way, word: 'at', steps: [step, step] }
}

/** "From step 100 to step 250 it hardly moves: 0.78 and 0.81": the two ends. */
function endOf(parts: readonly PartMention[], { chunk }: Window, figure: PrintedFigure): PartMention | null {
  const span = parts.find(({ word, isGuess }) => word === 'over' && isGuess === true)
  const place = plainOf(chunk).indexOf(figure)
  const step = chunk.length === 2 ? span?.steps?.[place] : undefined
  return span === undefined || step === undefined ? null : { ...span, word: 'at', steps: [step, step] }
}

const ACROSS_RUNS: ReadonlySet<PartMention['word']> = new Set(['mean', 'std', 'whole', 'ofRuns', 'range', 'curve'])

/** Which part of a curve, and not what is made of several. */
export const isLevel = ({ word }: PartMention): boolean => !ACROSS_RUNS.has(word)

const FROM = /(?:from|从|由|自)\s?(?:about |约 ?)?[^\d,，;；。]{0,10}$/i
const TO = /(?:\bto\b|(?<!达)到|至|→|->|变为|变成|降为|升为)\s?(?:about |约 ?)?[^\d,，;；。]{0,4}$/i
const FROM_ANY = /(?<![a-z])from(?![a-z])|[从由自]|→|->/i
/** No "from" before the first figure. */
const BARE_WAY = /(?<!(?:from|从|由|自|down|up)[^\d,，;；。]{0,24})(?<![\d.])\d[\d.,]*\s?%?\s?(?:to|到|至)\s?$/i

/** "From a to b" without another word: from the first to the last. */
export function wayEnd(text: string, figure: PrintedFigure): PartMention | null {
  const before = text.slice(Math.max(0, figure.from - 20), figure.from)
  const behind = text.slice(figure.to, figure.to + 6)
  const made = (word: 'first' | 'last', isGuess: boolean): PartMention => ({
    from: figure.from,
    to: figure.from,
    word,
    steps: null,
    ...(isGuess ? { isGuess } : {}),
  })
  if (FROM.test(before) || /^\s?(?:→|->)/.test(behind)) return made('first', false)
  if (/^\s?(?:to \d|[到至]\s?\d)/.test(behind)) return made('first', true)
  if (!TO.test(before)) return null
  const since = text.slice(Math.max(0, figure.from - 80), figure.from)
  return made('last', !FROM_ANY.test(since) || BARE_WAY.test(since.slice(-48)))
}

const SPAN =
  /(?:rang\w*|runs(?= from)|between|spread\w*|var(?:y|ies|ied)|wobbl\w*|swing\w*|lies?|介于|分布在|散)[, ]*\s?(?:from|between|in|在|从)?\s?$/i
const SPAN_END =
  /(?:rang\w*|runs(?= from)|between|spread\w*|var(?:y|ies|ied)|wobbl\w*|swing\w*|lies?|介于|分布在|散)[^,;，；。]{0,24}(?:to|and|到|至|和|与|~|–|-)\s?$/i

/** "Ranges from a to b across seeds": the lowest and the highest of them. */
export function spanEnd(text: string, { from }: PrintedFigure): 'min' | 'max' | null {
  const before = text.slice(Math.max(0, from - 48), from)
  return SPAN.test(before) ? 'min' : SPAN_END.test(before) ? 'max' : null
}

export function isArrowed(text: string, { from, to }: TextSpan): boolean {
  return /^\s?(?:→|->)/.test(text.slice(to, to + 3)) || /(?:→|->)\s?$/.test(text.slice(Math.max(0, from - 3), from))
}
