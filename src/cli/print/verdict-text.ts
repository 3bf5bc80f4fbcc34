import type { CompareAnswer } from '../../ask/compare.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import type { Axis } from '../../model/axis.js'
import { decimalsFor, figure, signed, signedFigure } from '../../text/numbers.js'
import type { Context } from '../context.js'
import { shortNumber } from './style.js'

/** A verdict in words and numbers: its colour, how large the difference is, and what margin it would pass. */

export const ANSWER_COLOURS = {
  better: 'green',
  worse: 'red',
  same: 'cyan',
  'different-but-small': 'cyan',
  undetermined: 'yellow',
  higher: 'cyan',
  lower: 'cyan',
} as const

export function shareText(context: Context, share: number): string {
  return context.say('compare.share', { percent: signed(100 * share, 1) })
}

export function differenceText(context: Context, verdict: VerdictAnswer, share = ''): string {
  const [estimate, interval] = numbersOf(verdict)
  if (estimate === null) return interval === null ? '' : intervalText(context, interval)
  if (interval === null) return `${shortNumber(estimate)}${share}`
  return `${signed(estimate, decimalsFor(interval))}${share}    ${intervalText(context, interval)}`
}

function numbersOf({
  estimate,
  interval,
}: VerdictAnswer): readonly [estimate: number | null, interval: readonly [number, number] | null] {
  return [
    estimate === null ? null : Number(estimate),
    interval === null ? null : [Number(interval[0]), Number(interval[1])],
  ]
}

function intervalText(context: Context, interval: readonly [number, number]): string {
  const [low, high] = interval.map(end => signed(end, decimalsFor(interval)))
  return context.say('compare.interval', { low, high })
}

/** A margin in the unit in which it was set: percent stays percent. */
export function marginText(
  context: Context,
  verdict: VerdictAnswer,
  level: number,
  margin: CompareAnswer['margin'],
): string | null {
  if (verdict.smallestMargin === null || verdict.interval === null) return null
  const inShare = margin === null || 'share' in margin
  const size = (value: number): string =>
    inShare && level !== 0
      ? context.say('compare.percent', { percent: figure((100 * value) / Math.abs(level), 2) })
      : shortNumber(value)
  const smallest = size(verdict.smallestMargin)
  if (verdict.margin === null) {
    return verdict.answer === 'undetermined' ? context.say('compare.smallest', { smallest }) : null
  }
  if (verdict.answer === 'undetermined')
    return context.say('compare.not-same', { margin: size(verdict.margin), smallest })
  return verdict.answer === 'same' ? context.say('compare.within', { margin: size(verdict.margin) }) : null
}

export function restText(context: Context, by: Axis, verdict: VerdictAnswer): string {
  const { question } = verdict
  const [estimate, interval] = numbersOf(verdict)
  if (question === 'speed' && by !== 'steps') {
    const ends = interval ?? (estimate === null ? [] : [estimate])
    return ends.length === 0
      ? ''
      : context.say(`compare.apart.${by}`, { size: ends.map(end => signedFigure(end, 3)).join(' … ') })
  }
  if (question === 'speed') {
    if (interval === null) return estimate === null ? '' : context.say('compare.steps', { steps: signed(estimate, 0) })
    return context.say('compare.steps-apart', { low: signed(interval[0], 0), high: signed(interval[1], 0) })
  }
  if (question === 'stability') return ''
  return differenceText(context, verdict)
}
