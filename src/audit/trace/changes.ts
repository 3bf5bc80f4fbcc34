import type { Quantity } from '../../logs/document/quantity.js'
import { CLAUSE, type FigureSlots } from './binding.js'
import type { PrintedFigure } from './figure.js'
import { type Log, type LogMetric, type LogRun, nameOf, type Part } from './log.js'
import { partsMeant } from './part-mentions.js'
import { isLevel, type TextSpan } from './part-slots.js'
import { computedReadings, type FigureReading } from './reading.js'
import { type FigureSentence, isSame } from './sentence.js'

/** Figures that say how much something changed, or how far two runs are apart, and what they are computed from. */

const CHANGE_BEFORE =
  /(?:(?<![a-z])by|(?:gap|difference|differ(?:s|ed)?|gain|rise|drop|fall|increase|decrease|improvement|(?<=\ba )loss|change|margin|lead)(?: is| was|s)?(?: of| by)?|(?:gain|improv|ris|ros|drop|fell|fall|increas|decreas|lead|exceed)\w* by|gain(?:s|ed)|los(?:es|t)|(?<!最)(?:高出?|低|差|多|少)(?:了|约|出)?|相差|差异(?:仅|只有|为|是|约)*|差距(?:为|是)?|提升了?|提高了?|上升了?|下降了?|降低了?|增加了?|减少了?|上涨了?|涨了?|跌了?|反超了?|变化了?|变化为?|降幅(?:为|达|约)?|涨幅(?:为|达|约)?|升幅(?:为)?|领先|落后|(?<!最)[快慢]了?)\s?(?:only |about |约 ?)?$/i
const CHANGE_BEHIND =
  /^\s?(?:%|percent|个?百分点|points?|pp)?\s?(?:(?:points? )?(?:higher|lower|above|below|more|less|better|worse|ahead|behind|over(?! ))|(?:的?(?:提升|增长|下降|差距)(?!了?[至到为])))/i

/** Whether a figure is a change: by its sign, its unit, or the word right before or behind it. */
export function changeOf(
  text: string,
  { from, to, quantity: { unit, signed, plusMinus }, isStep }: PrintedFigure,
): boolean {
  const before = text.slice(Math.max(0, from - 32), from)
  if (isStep || plusMinus || /(?:std|standard deviation|标准差)\S{0,3}(?: (?:is|of|was))? ?$/i.test(before))
    return false
  if (unit === 'points' || unit === 'times' || (signed && unit !== null)) return true
  return (
    CHANGE_BEFORE.test(before) ||
    CHANGE_BEHIND.test(text.slice(to, to + 24)) ||
    CHANGE_BEHIND.test(text.slice(to - 8, to + 16).replace(/^.*?(?=%|个?百分点|points?)/, ''))
  )
}

/** Between two runs that are named, or between two parts of one. */
export function changes(
  log: Log,
  sentence: FigureSentence,
  figure: PrintedFigure,
  runs: readonly LogRun[],
  metric: LogMetric,
  { parts, runs: candidates }: FigureSlots,
  { rank, isNamed: isSaid }: Pick<FigureReading, 'rank' | 'isNamed'>,
): readonly FigureReading[] {
  const isNamed = isSaid && !isBehindArrow(sentence, figure)
  const levelOf = (of: readonly LogRun[], part: Part): number | undefined =>
    log.at({ runs: of, metric: metric.name, part, across: of.length > 1 ? 'mean' : null })[0]?.value
  const meant = [
    ...partsMeant(parts.value, metric, runs.length > 1),
    ...partsMeant(sentence.parts, metric, runs.length > 1),
  ].map(({ part }) => part)
  const distinct = meant.filter(
    (part, i) => meant.findIndex(other => JSON.stringify(other) === JSON.stringify(part)) === i,
  )
  const level: readonly Part[] = distinct.length > 0 ? distinct : USUAL
  const isPartSure = parts.isSure || sentence.parts.filter(isLevel).length === 1
  const stop = sentence.text.slice(figure.to).search(CLAUSE)
  const reach = stop < 0 ? sentence.text.length : figure.to + stop
  const spoken = sentence.runs
    .filter(({ from }) => from < reach)
    .toSorted((a, b) => distance(a, figure) - distance(b, figure))
  const named = [...spoken.map(mention => mention.runs), ...candidates.map(({ value }) => value)]
  const others = named.filter((other, i) => !isSame(other, runs) && named.findIndex(one => isSame(one, other)) === i)
  // A sentence about one run compares it with itself before any that was named earlier.
  const isAlone = !others.some(other => spoken.some(mention => isSame(mention.runs, other)))
  const between = others.flatMap((other, i) =>
    level.flatMap((part, j) => {
      const [a, b] = [levelOf(other, part), levelOf(runs, part)]
      if (a === undefined || b === undefined) return []
      const address = { runs, metric: metric.name, part, across: runs.length > 1 ? ('mean' as const) : null }
      return computedReadings(figure, metric, [a, b], {
        words: `${nameOf(runs)} − ${nameOf(other)}`,
        rank: rank + i + j + (isAlone ? 2 : 0),
        isNamed: isNamed && !isAlone && i + j === 0 && isPartSure,
        address,
      })
    }),
  )
  const whole: readonly [Part, Part] = [{ kind: 'first' }, { kind: 'last' }]
  const ends = [
    whole,
    ...pairs(distinct).filter(pair => !pair.every(({ kind }) => kind === 'first' || kind === 'last')),
  ]
  // "It costs 3 points" is no way of one run; "from a to b" and "ends at b, a gain of" are.
  const isWay =
    (WAY.test(sentence.text) ||
      (figure.quantity.unit !== 'times' && sentence.parts.some(({ word }) => word === 'first' || word === 'last'))) &&
    !isAgainst(sentence.text, figure)
  const within = ends.flatMap(([from, to], i) => {
    const [a, b] = [levelOf(runs, from), levelOf(runs, to)]
    if (a === undefined || b === undefined) return []
    return computedReadings(figure, metric, [a, b], {
      words: `${nameOf(runs)}: ${from.kind} → ${to.kind}`,
      rank: rank + i + (isAlone ? 0 : 2),
      isNamed: isNamed && isAlone && i === 0 && isWay && !parts.value.some(({ word }) => word === 'at'),
    })
  })
  return [...between, ...within]
}

const WAY = /(?<![a-z])from(?![a-z])|[从由自]/i

const START = /start|initial|before|begin|first (?:eval|step|value)|训练前|初始|起始|开始|首次|起点|之前/i

/** "1.6 above the first attempt", "比上一版高 1.6": than something else, unless it is its own start. */
function isAgainst(text: string, { from, to }: PrintedFigure): boolean {
  const behind = /^[\w% ]{0,12}?(?:above|below|over|than|ahead of|behind) .{0,32}/i.exec(text.slice(to))?.[0]
  const before = /[比较][^,;，；。]{1,24}$/.exec(text.slice(Math.max(0, from - 40), from))?.[0]
  return [behind, before].some(words => words !== undefined && !START.test(words))
}

/** "a → b (+p %)" speaks of these two, wherever on the curve they are. */
function isBehindArrow({ figures, text }: FigureSentence, figure: PrintedFigure): boolean {
  const [a, b] = figures.slice(0, figures.indexOf(figure)).slice(-2)
  return (
    a !== undefined &&
    b !== undefined &&
    /→|->/.test(text.slice(a.to, b.from)) &&
    /^[\s,，(（]*$/.test(text.slice(b.to, figure.from))
  )
}

const distance = (one: TextSpan, figure: TextSpan): number =>
  Math.min(Math.abs(figure.from - one.to), Math.abs(one.from - figure.to))

function pairs(parts: readonly Part[]): readonly (readonly [Part, Part])[] {
  return parts.flatMap((a, i) => parts.slice(i + 1).map(b => [a, b] as const))
}

/** From figures that are printed in this sentence or the last. */
export function fromPrinted(
  figure: PrintedFigure,
  { figures }: FigureSentence,
  metric: LogMetric | undefined,
  printed: readonly Quantity[],
): readonly FigureReading[] {
  const levels = [
    ...printed.slice(-3),
    ...figures.filter(one => one.to <= figure.from && !one.isStep).map(({ quantity }) => quantity),
  ].slice(-4)
  const own = levels.filter(({ plusMinus, unit }) => !plusMinus && unit !== 'points' && unit !== 'step')
  return own.flatMap((a, i) =>
    own.slice(i + 1).flatMap((b, j) => {
      const like = {
        name: metric?.name ?? '',
        spread: Math.abs(a.value - b.value) || 1,
        distinct: 100,
        isFraction: metric?.isFraction === true && a.unit === null && Math.abs(a.value) <= 1,
      }
      const isNear = own.length - i === 2
      return computedReadings(figure, like, [a.value, b.value], {
        words: `${a.value} → ${b.value}`,
        rank: isNear ? 0.5 : 1 + i + j,
        isNamed: false,
      }).map(one => ({ ...one, isNear }))
    }),
  )
}

const USUAL: readonly Part[] = [{ kind: 'last' }, { kind: 'max' }, { kind: 'mean' }]
