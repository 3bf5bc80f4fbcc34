import { FEWEST_EVALUATIONS, intervalOf, pairedMean } from '../stats/paired-mean.js'
import { spreadRatio } from '../stats/stability.js'
import { figure } from '../text/figure.js'
import { type CurvePair, curvePair } from './curves.js'
import type { AuditDocument, Statement } from './document.js'
import { decimalsOf, signed } from './figures.js'
import { titlesAbove } from './table-view.js'

/** What the report's own two curves can say to an untested claim about them. */

export interface MeanDifference {
  readonly params: {
    readonly shared: number
    readonly mean: string
    readonly low: string
    readonly high: string
    readonly margin: string
  }
  readonly isShown: boolean
}

export function meanDifference(document: AuditDocument): MeanDifference | null {
  const pair = curvePair(document)
  if (pair === null || pair.shared.length < FEWEST_EVALUATIONS) return null
  const estimate = pairedMean(pair.shared.map(({ first, second }) => second.value - first.value))
  const interval = intervalOf(estimate)
  const narrow = intervalOf(estimate, 0.9)
  const decimals = pair.shared.reduce((most, { first }) => Math.max(most, decimalsOf(first)), 0)
  return {
    params: {
      shared: pair.shared.length,
      mean: signed(interval.estimate, decimals),
      low: signed(interval.low, decimals),
      high: signed(interval.high, decimals),
      margin: Math.max(Math.abs(narrow.low), Math.abs(narrow.high)).toFixed(decimals),
    },
    isShown: interval.low > 0 || interval.high < 0,
  }
}

export interface Spreads {
  readonly params: {
    readonly first: string
    readonly second: string
    readonly ratio: string
    readonly low: string
    readonly high: string
    readonly shared: number
  }
  readonly isShown: boolean
}

/** The spread of the first curve over that of the second, detrended. */
export function spreads(document: AuditDocument): Spreads | null {
  const pair = curvePair(document)
  if (pair === null || pair.shared.length < FEWEST_EVALUATIONS) return null
  const { ratio } = spreadRatio(values(pair, 'first'), values(pair, 'second'))
  if (!Number.isFinite(ratio.estimate)) return null
  return {
    params: {
      first: pair.first.subject,
      second: pair.second.subject,
      ratio: figure(ratio.estimate),
      low: figure(ratio.low),
      high: figure(ratio.high),
      shared: pair.shared.length,
    },
    isShown: ratio.low > 1 || ratio.high < 1,
  }
}

function values({ shared }: CurvePair, side: 'first' | 'second'): readonly number[] {
  return shared.map(point => point[side].value)
}

const OUTCOME =
  /性能|效果|表现|结果|奖励|得分|准确率|策略|损失|散度|模型|指标|performance|results?|reward|score|accuracy|(?<![a-z])acc(?![a-z])|loss|quality|policy|policies|(?<![A-Za-z])KL(?![A-Za-z])|models?|runs?(?![a-z])|curves?/i
const COST = /吞吐|显存|内存|耗时|时间|效率|速度|mfu|throughput|memory|latency|speed|time|efficien|cost/i

/** The sentence, or what it stands under, speaks of results rather than of cost or set-up. */
export function isAboutOutcome({ text, leads, section }: Statement): boolean {
  if (COST.test(text)) return false
  return [text, ...leads, ...titlesAbove(section).slice(0, 1)].some(words => OUTCOME.test(words))
}

/** A metric other than the one the curves show: their numbers do not speak about it. */
export function namesOtherMetric({ text }: Statement, document: AuditDocument): boolean {
  const pair = curvePair(document)
  if (pair === null) return true
  const shown = [pair.first.subject, pair.second.subject, ...titlesAbove(pair.first.table.section)].join(' ')
  return [...text.matchAll(METRIC)].some(([word]) => !shown.toLowerCase().includes(word.toLowerCase()))
}

/** 性能损失 is a price, not a metric. */
const METRIC = /entropy|loss|grad(?:ient)?|length|accuracy|(?<!性能)损失|熵|梯度|长度|准确率/gi
