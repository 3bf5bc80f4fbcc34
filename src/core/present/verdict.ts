import type { Axis } from '../../logs/model/axis.js'
import type { VerdictAnswer } from '../../logs/model/verdict.js'
import { comparisonSentences } from '../../text/compare.js'
import { decimalsFor, figure as figureText, fixed, signed, signedFigure } from '../../text/numbers.js'
import { metricLabel } from '../../text/vocabulary.js'
import {
  ANSWER_TONES,
  type Difference,
  differenceText,
  figure,
  type Inline,
  inlineText,
  toned,
  type VerdictBlock,
} from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** A verdict in words and figures, the same in every rendering. */

/** As it was asked for: percent stays percent. */
type AskedMargin = { readonly share: number } | { readonly absolute: number } | null

interface VerdictContext {
  readonly margin?: AskedMargin
  readonly by?: Axis
}

export function verdictBlock(
  verdict: VerdictAnswer,
  speaker: Speaker,
  { margin = null, by = 'steps' }: VerdictContext = {},
): VerdictBlock {
  const say = saying(speaker, comparisonSentences)
  const said = verdict.question === 'level' ? ['compare.paired'] : []
  return {
    kind: 'verdict',
    answer: verdict.answer,
    word: say(`answer.${verdict.answer}`, {}),
    sentence: verdictSentence(verdict, speaker),
    scope: say(`scope.${verdict.scope}`, {}),
    difference: differenceOf(verdict, speaker, by),
    margin: marginText(verdict, speaker, margin),
    // Over all shared steps the headline says how many they are.
    reasons: verdict.reasons.filter((_, i) => !said.includes(verdict.reasonKeys[i])).map(speaker.sentence),
    tags: tagsOf(verdict, speaker).map(({ name, text }) => ({ name, text: speaker.sentence(text) })),
  }
}

/** One that begins with the name of a run keeps the name as it is. What holds for the prompts asked only says so at once. */
export function verdictSentence(
  { other, baseline, interval, answer, reasonKeys }: VerdictAnswer,
  speaker: Speaker,
): string {
  const say = saying(speaker, comparisonSentences)
  const said = say(interval === null ? 'says.no-interval' : `says.${answer}`, { other, baseline })
  const isOfPrompts = answer !== 'undetermined' && reasonKeys.includes('compare.these-prompts')
  const text = isOfPrompts ? say('says.on-these-prompts', { said }) : said
  return text.startsWith(other) || text.startsWith(baseline) ? text : speaker.sentence(text)
}

/** Other minus baseline in the unit of its question, with its share of the baseline's level; null where it is unknown. */
export function differenceOf(verdict: VerdictAnswer, speaker: Speaker, by: Axis = 'steps'): Difference | null {
  const { estimate, interval, metric, other, baseline, reasons, question, level } = verdict
  if (estimate === null) return null
  const ends = intervalEnds(verdict)
  const source = saying(speaker, comparisonSentences)('verdict.source', {
    metric,
    runs: `${other} − ${baseline}`,
    aggregate: speaker.clauses(reasons),
  })
  const isShare = level !== null && level !== 0 && Number.isFinite(level) && !OF_NO_LEVEL.has(question)
  return {
    of: `${other} − ${baseline}`,
    size: figure(sizeText(verdict, Number(estimate), speaker, by), source),
    share: isShare ? inBrackets(speaker, speaker.percent(Number(estimate) / Math.abs(level))) : null,
    interval: interval === null ? null : intervalText(verdict, ends, speaker, by),
  }
}

/** How sure a difference is, in a few letters: half of its interval where that lies evenly around it, else both ends. */
export function aroundText(verdict: VerdictAnswer): string {
  if (verdict.interval === null || verdict.estimate === null) return ''
  const [low, high] = intervalEnds(verdict)
  const [below, above] = [Number(verdict.estimate) - low, high - Number(verdict.estimate)]
  const decimals = decimalsFor([low, high])
  const isEven = Math.abs(above - below) <= UNEVEN * (high - low) && !OF_NO_LEVEL.has(verdict.question)
  return isEven ? `± ${fixed((high - low) / 2, decimals)}` : `(${signed(low, decimals)} … ${signed(high, decimals)})`
}

const UNEVEN = 0.02

/** A part of a verdict as text, for who puts it into a sentence of his own. */
export function verdictPart(
  verdict: VerdictAnswer,
  part: 'difference' | 'estimate' | 'interval' | 'verdict',
  speaker: Speaker,
): string {
  if (part === 'verdict') return saying(speaker, comparisonSentences)(`answer.${verdict.answer}`, {}).toLowerCase()
  const difference = differenceOf(verdict, speaker)
  if (difference === null) return '–'
  if (part === 'interval') return (difference.interval ?? '–').replace(/\s+/g, ' ')
  return part === 'estimate' ? inlineText(difference.size) : differenceText(difference)
}

/** Steps sooner or later, a ratio and seconds are no share of a score. */
const OF_NO_LEVEL = new Set<VerdictAnswer['question']>(['speed', 'stability', 'cost'])

function inBrackets({ language }: Speaker, text: string): string {
  return language === 'zh' ? `（${text}）` : `(${text})`
}

function intervalEnds({ interval }: VerdictAnswer): readonly [number, number] {
  return interval === null ? [Number.NaN, Number.NaN] : [Number(interval[0]), Number(interval[1])]
}

function sizeText(verdict: VerdictAnswer, value: number, speaker: Speaker, by: Axis): string {
  const { question, metric, interval } = verdict
  const say = saying(speaker, comparisonSentences)
  if (question === 'stability') return `× ${fixed(value, 2)}`
  if (question === 'speed') {
    return by === 'steps'
      ? say('compare.steps', { steps: signed(value, 0) })
      : say(`compare.apart.${by}`, { size: signedFigure(value, 3) })
  }
  const size = interval === null ? figureText(value, 4) : signed(value, decimalsFor(intervalEnds(verdict)))
  return question === 'cost' ? `${size}${COST_UNITS[metric] ?? ''}` : size
}

const COST_UNITS: { readonly [metric: string]: string } = {
  'time.step': ' s',
  throughput: ' tokens/s/GPU',
  tokens: ' tokens',
}

/** What is possible of a speed is no interval of a mean, and is not called one. */
function intervalText(verdict: VerdictAnswer, ends: readonly [number, number], speaker: Speaker, by: Axis): string {
  const say = saying(speaker, comparisonSentences)
  if (verdict.question === 'speed') {
    const [low, high] = ends.map(end => (by === 'steps' ? signed(end, 0) : signedFigure(end, 3)))
    return by === 'steps'
      ? say('compare.steps-apart', { low, high })
      : say(`compare.apart.${by}`, { size: `${low} … ${high}` })
  }
  const isRatio = verdict.question === 'stability'
  const [low, high] = ends.map(end => (isRatio ? `× ${fixed(end, 2)}` : signed(end, decimalsFor(ends))))
  return say('compare.interval', { low, high })
}

/** In the unit in which it was set: percent stays percent. */
function marginText(
  { smallestMargin, margin, answer, interval, level }: VerdictAnswer,
  speaker: Speaker,
  asked: AskedMargin,
): string | null {
  if (smallestMargin === null || interval === null) return null
  const say = saying(speaker, comparisonSentences)
  const isShare = (asked === null || 'share' in asked) && level !== null && level !== 0
  const size = (value: number): string =>
    isShare ? say('compare.percent', { percent: figureText((100 * value) / Math.abs(level), 2) }) : figureText(value, 4)
  const smallest = size(smallestMargin)
  if (margin === null) return answer === 'undetermined' ? say('compare.smallest', { smallest }) : null
  if (answer === 'undetermined') {
    // Within the margin and still no claim: something else forbids it, which the reasons say.
    const key = smallestMargin <= margin ? 'compare.same-not-claimed' : 'compare.not-same'
    return say(key, { margin: size(margin), smallest })
  }
  return answer === 'same' ? say('compare.within', { margin: size(margin) }) : null
}

/** What limits a claim. A tag that one of its reasons states already is not said twice. */
function tagsOf({ tags, reasonKeys }: VerdictAnswer, speaker: Speaker): VerdictBlock['tags'] {
  const say = saying(speaker, comparisonSentences)
  return tags
    .filter(name => !(STATED_BY[name] ?? []).some(key => reasonKeys.includes(key)))
    .map(name => ({ name, text: isTag(name) ? say(`tag.${name}`, {}) : name }))
}

const STATED_BY: { readonly [tag: string]: readonly string[] } = {
  fragile: ['compare.noise-in-phases'],
  'these-prompts': ['compare.these-prompts', 'compare.same-prompts'],
  'house-noise': ['compare.house-noise', 'compare.house-noise-few'],
  overoptimised: ['optimised.overoptimised'],
}

const TAGS = ['looked-once', 'fragile', 'these-prompts', 'house-noise', 'optimised-reward', 'overoptimised'] as const

function isTag(name: string): name is (typeof TAGS)[number] {
  return TAGS.some(tag => tag === name)
}

/** What was asked: a question about the metric, or what a run costs. */
export function questionText({ question, metric }: VerdictAnswer, speaker: Speaker): string {
  if (question === 'cost') return metricLabel(metric, speaker.language)
  return saying(speaker, comparisonSentences)(`question.${question === 'trend' ? 'level' : question}`, {})
}

export function answerWord({ answer }: Pick<VerdictAnswer, 'answer'>, speaker: Speaker): Inline {
  return toned(saying(speaker, comparisonSentences)(`answer.${answer}`, {}), ANSWER_TONES[answer])
}

/** How `klens fill` asks for a part of a verdict again. */
export type VerdictReference = (verdict: VerdictAnswer, part: 'estimate' | 'interval') => string | undefined

interface VerdictRowOptions {
  readonly name?: string
  readonly by?: Axis
  readonly reference?: VerdictReference | undefined
}

/** A row of a table of verdicts: what was asked, the answer, how large, how sure, about what, and why. */
export function verdictRow(
  verdict: VerdictAnswer,
  speaker: Speaker,
  { name = questionText(verdict, speaker), by = 'steps', reference }: VerdictRowOptions = {},
): readonly Inline[] {
  const difference = differenceOf(verdict, speaker, by)
  const figureOf = (part: 'estimate' | 'interval'): Inline => {
    if (difference === null || (part === 'interval' && difference.interval === null)) return ''
    const asked = reference?.(verdict, part)
    const plain = part === 'estimate' ? difference.size : (difference.interval ?? '')
    if (asked === undefined) return plain
    return { figure: verdictPart(verdict, part, speaker), source: '', reference: asked, verdict: verdict.answer }
  }
  const caveats = tagsOf(verdict, speaker).map(({ text }) => text)
  return [
    name,
    answerWord(verdict, speaker),
    figureOf('estimate'),
    figureOf('interval'),
    saying(speaker, comparisonSentences)(`scope.${verdict.scope}`, {}),
    toned(speaker.clauses([...verdict.reasons, ...caveats]), 'quiet'),
  ]
}
