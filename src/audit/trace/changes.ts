import type { Quantity } from '../../logs/document/quantity.js'
import type { Conventions } from './conventions.js'
import type { PrintedFigure } from './figure.js'
import type { LogMetric, Part } from './log.js'
import { isExtreme, partsMeant } from './part-mentions.js'
import { computedReadings, type FigureReading } from './reading.js'
import type { FigureSentence } from './sentence.js'

/** Figures that say how much something changed, or how far two runs are apart, and what they are computed from. */

const CHANGE_BEFORE =
  /(?:(?<![a-z])by|(?<![a-z])(?:costs?|cost us|gives? up|gave up|add(?:s|ed)?|sav(?:es|ed|ing))(?: (?:about|roughly|only|another|an extra|a|the))?|(?:gap|difference|differ(?:s|ed)?|gain|rise|drop|fall|increase|decrease|improvement|(?<=\ba |relative |net |total )loss|change|margin|lead)(?: is| was|s)?(?: of| by)?|(?:gain|improv|ris|ros|drop|fell|fall|increas|decreas|lead|exceed|multipl|chang)\w*(?: [a-z]+){0,3} by|gain(?:s|ed)|los(?:es|t)|(?<!最)(?:高出?|低|差|多|少)(?:了|约|出)?|相差|差异(?:仅|只有|为|是|约)*|差距(?:为|是)?|提升了?|提高了?|上升了?|下降了?|降低了?|增加了?|减少了?|上涨了?|涨了?|跌了?|反超了?|变化了?|变化为?|降幅(?:为|达|约)?|涨幅(?:为|达|约)?|升幅(?:为)?|领先|落后|(?<!最)[快慢]了?|回落了?|再?[涨跌]了?|缩小了?|拉开了?|[多少省]了|节省了?|掉了?)\s?(?:only |about |约 ?)?$/i
const CHANGE_BEHIND =
  /^\s?(?:%|percent|个?百分点|points?|pp)?\s?(?:(?:points? )?(?:higher|lower|above|below|more|less|better|worse|ahead|behind|over(?! ))|(?:的?(?:提升|增长|下降|差距)(?!了?[至到为])))/i

const WAY_END = /(?:from|to|由|从|到|至|→)\s?$/i

/** Whether a figure is a change: by its sign, its unit, or the word right before or behind it. */
export function changeOf(
  text: string,
  { from, to, quantity: { unit, signed, plusMinus, decimals }, isStep }: PrintedFigure,
): boolean {
  const before = text.slice(Math.max(0, from - 32), from)
  if (isStep || plusMinus || /(?:std|standard deviation|标准差)\S{0,3}(?: (?:is|of|was))? ?$/i.test(before))
    return false
  if (
    unit === 'points' ||
    unit === 'times' ||
    (signed &&
      (unit !== null || /^\s*\+/.test(text.slice(from, to)) || decimals > 1) &&
      !WAY_END.test(before) &&
      !/^\s?(?:到|至|to\b|→)/.test(text.slice(to)))
  )
    return true
  return (
    CHANGE_BEFORE.test(before) ||
    CHANGE_BEHIND.test(text.slice(to, to + 24)) ||
    CHANGE_BEHIND.test(text.slice(to - 8, to + 16).replace(/^.*?(?=%|个?百分点|points?)/, ''))
  )
}

/** "88 % of the 0.451", "自由组的 50%": one value as a share of another. */
export function isShare(text: string, { from, to, quantity: { unit } }: PrintedFigure): boolean {
  if (unit !== '%') return false
  return (
    /^\s?(?:%|percent)?\s?of (?:the|that|what|its|their|free|`|a )/i.test(text.slice(to)) ||
    /^%?\s?of (?:the|that|what|its|their|free|`|a )/i.test(text.slice(to - 1)) ||
    /(?:[^\s\d.)）步次]\s?的|之比为?|相当于|压到|缩小?至)\s?(?:约|大约|近|不到)?\s?$/.test(
      text.slice(Math.max(0, from - 12), from),
    )
  )
}

/** What it costs to believe that a change is one between runs, or between parts of one curve, or between metrics. */
export function betweenWhat(
  { text, lead, runs, parts, metrics }: FigureSentence,
  figure: PrintedFigure,
): { readonly runs: number; readonly parts: number; readonly metrics: number } {
  const named = runs.filter(({ isLoose }) => isLoose !== true)
  const isOfRuns = named.length > 1 || COMPARED.test(text)
  // "It costs 3 points" is no way of one run; "from a to b" and "ends at b, a gain of" are.
  const isWay = (WAY.test(text) || parts.some(({ word }) => word === 'first')) && !isAgainst(text, figure)
  return {
    runs: isOfRuns || !isWay ? 0 : 1,
    parts: isWay ? (isOfRuns ? 0.7 : 0) : FALL.test(text) ? 0.3 : 1,
    metrics: GAP.test(text) || GAP.test(lead) ? 0 : metrics.length > 1 ? 1 : 2.5,
  }
}

const COMPARED =
  /(?<![a-z])(?:than|against|versus|vs|relative to|compared|above|below|behind|ahead)(?![a-z])|比|相比|较|相对|高于|低于/i
const FALL = /回落|落差|(?<![a-z])(?:loses?|lost|fell|drop(?:s|ped)?|added|adds)(?![a-z])|再涨|提高|提升/i
/** A change that is called so somewhere before its figure. */
const CHANGE_NOUN =
  /(?<![a-z])(?:gap|difference|gain|drop|excess|loss of|cost)s?(?![a-z])|落差|差距|差值|降幅|涨幅|增幅|提升幅度/i

export const speaksOfChange = (text: string): boolean => CHANGE_NOUN.test(text)

/** From the first to the last, from the best to the last, over a stretch at the end, between steps that are named. */
export function waysOf(
  { parts }: FigureSentence,
  conventions: Conventions,
  earlier: readonly Part[],
): readonly { readonly value: readonly [Part, Part]; readonly cost: number }[] {
  const last: Part = { kind: 'last' }
  const at = (step: number): Part => ({ kind: 'at', step })
  const tails = parts.flatMap(({ word, steps }) => (word === 'tail' && steps !== null ? [steps[0]] : []))
  const steps = parts.flatMap(({ word, steps: at }) => (word === 'at' && at !== null ? [at[0]] : []))
  const [a, b] = steps
  const stretches = conventions.parts.filter(({ part }) => part.kind === 'over' || part.kind === 'tail')
  // From what the figure before it is to what the words say here.
  const said = parts.flatMap(one => partsMeant([one], { goal: null }, false).map(({ part }) => part))
  const onwards = earlier
    .slice(0, 2)
    .flatMap(from => [...said, last].map(to => ({ value: [from, to] as const, cost: 0.4 })))
  return [
    ...onwards,
    ...tails.map(count => ({ value: [{ kind: 'back', steps: count }, last] as const, cost: 0 })),
    ...(a === undefined ? [] : [{ value: [at(a), b === undefined ? last : at(b)] as const, cost: 0.4 }]),
    { value: [{ kind: 'first' }, last], cost: tails.length > 0 ? 1.5 : 0.3 },
    { value: [{ kind: 'max' }, last], cost: parts.some(isExtreme) ? 0 : 0.8 },
    { value: [{ kind: 'first' }, { kind: 'max' }], cost: parts.some(isExtreme) ? 0.8 : 2 },
    { value: [{ kind: 'min' }, last], cost: 2 },
    ...stretches.flatMap(({ part: a, cost }) =>
      stretches.flatMap(b =>
        isBefore(a, b.part) ? [{ value: [a, b.part] as const, cost: 0.3 * (cost + b.cost) }] : [],
      ),
    ),
  ]
}

/** A stretch at the end comes after any other. */
function isBefore(a: Part, b: Part): boolean {
  if (a.kind !== 'over') return false
  return b.kind === 'tail' || (b.kind === 'over' && a.last <= b.first)
}

const GAP = /(?<![a-z])gap(?![a-z])|差距|相差|之差/i

const WAY = /(?<![a-z])from(?![a-z])|[从由自]/i

const START = /start|initial|before|begin|first (?:eval|step|value)|训练前|初始|起始|开始|首次|起点|之前/i

/** "1.6 above the first attempt", "比上一版高 1.6": than something else, unless it is its own start. */
function isAgainst(text: string, { from, to }: PrintedFigure): boolean {
  const behind = /^[\w% ]{0,12}?(?:above|below|over|than|ahead of|behind) .{0,32}/i.exec(text.slice(to))?.[0]
  const before = /[比较][^,;，；。]{1,24}$/.exec(text.slice(Math.max(0, from - 40), from))?.[0]
  return [behind, before].some(words => words !== undefined && !START.test(words))
}

/** "a → b (+p %)" speaks of these two, wherever on the curve they are. */
export function isBehindArrow({ figures, text }: FigureSentence, figure: PrintedFigure): boolean {
  const [a, b] = figures.slice(0, figures.indexOf(figure)).slice(-2)
  return (
    a !== undefined &&
    b !== undefined &&
    /→|->/.test(text.slice(a.to, b.from)) &&
    /^[\s,，(（]*$/.test(text.slice(b.to, figure.from))
  )
}

const BESIDE =
  /^[^.。;；]{0,24}(?:→|->|(?<![a-z])(?:to|against|vs\.?|versus|and|from|than)(?![a-z])|[到至对与和比])[^.。;；]{0,24}$/i

/** From figures that are printed in this sentence or the last. */
export function* fromPrinted(
  figure: PrintedFigure,
  { figures, text }: FigureSentence,
  metric: LogMetric | undefined,
  printed: readonly Quantity[],
): Generator<FigureReading> {
  const levels = [
    ...printed.slice(-3),
    ...figures.filter(one => one.to <= figure.from && !one.isStep).map(({ quantity }) => quantity),
  ].slice(-4)
  const [one, two] = figures
    .slice(
      0,
      figures.findIndex(({ from }) => from === figure.from),
    )
    .slice(-2)
  const isBeside =
    one !== undefined && two !== undefined && figure.from - two.to < 40 && BESIDE.test(text.slice(one.to, two.from))
  const isCount = ({ unit, decimals }: Quantity): boolean => decimals === 0 && unit !== '%'
  const own = levels.filter(
    one => !one.plusMinus && one.unit !== 'points' && one.unit !== 'step' && !(isCount(one) && !levels.every(isCount)),
  )
  const pairs = own.flatMap((a, i) =>
    own.slice(i + 1).flatMap((b, j) => {
      const like = {
        name: metric?.name ?? '',
        spread: Math.abs(a.value - b.value) || 1,
        distinct: 100,
        isFraction: metric?.isFraction === true && a.unit === null && Math.abs(a.value) <= 1,
      }
      const isNear = own.length - i === 2 && isBeside
      return computedReadings(figure, like, [a.value, b.value], {
        words: `${a.value} → ${b.value}`,
        rank: isNear ? 0.5 : 2.5 + i + j,
        isNamed: false,
      }).map(one => ({ ...one, isNear, isPrinted: true }))
    }),
  )
  yield* pairs.sort((a, b) => a.rank - b.rank)
}
