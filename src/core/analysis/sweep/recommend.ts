import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { json, list } from '../../../logs/model/schema.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean, variance } from '../../../stats/descriptive.js'
import { localLevel } from '../../../stats/local-level.js'
import { sentence } from '../../../text/answer-schema.js'
import { sentences } from '../../../text/sentences.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import { type Column, runSummary, type Setting } from './matrix.js'

/**
 * Which value to take, from how the metric responds to the dose: neighbouring doses lend each other strength, so that not
 * the luckiest setting is taken but the height of the course; where nothing speaks against the baseline, it is kept.
 */
export const settingRecommendation = z.object({
  value: json,
  /** Values, the baseline among them where it is one, between which nothing was shown to differ. */
  alike: list(json),
  /** Values that were shown to be worse than the baseline. */
  harmful: list(json),
  why: list(sentence),
})

export type SettingRecommendation = z.infer<typeof settingRecommendation>

const say = sentences({
  'sweep-take.keep': {
    en: 'keep {value}: no difference is shown from {low} to {high}',
    zh: '保持 {value}：{low} 到 {high} 之间没有显示出差异',
  },
  'sweep-take.keep-alone': { en: 'keep {value}', zh: '保持 {value}' },
  'sweep-take.change': { en: 'use {value}: it is better than {baseline}', zh: '改用 {value}：优于 {baseline}' },
  'sweep-take.move': {
    en: 'use {value}: the smoothed score over the values is highest there, though no single value was shown to beat {baseline}',
    zh: '改用 {value}：按取值排开的走势在此处最高，虽然单个取值尚未显示出优于 {baseline}',
  },
  'sweep-take.harm': { en: 'harm is shown at {values}', zh: '{values} 显示出损害' },
  'sweep-take.no-reference': {
    en: 'or 0, which saves the reference model and its forward pass',
    zh: '或取 0，可省去参考模型及其前向计算',
  },
})

interface Dose {
  readonly value: number
  readonly scores: readonly number[]
}

/**
 * Null unless one knob with an order was swept, with runs enough to speak of at least three of its values; runs that differ
 * from the baseline's first in something else too are left out.
 */
export function recommendSetting(
  key: string,
  settings: readonly Setting[],
  baseline: Setting,
  columns: readonly Column[],
  verdicts: readonly Verdict[],
  goal: Goal | null,
): SettingRecommendation | null {
  if (goal === null || baseline.values.length !== 1) return null
  const own = baseline.runs[0]?.block
  const doses = settings.flatMap((setting): Dose[] => {
    const [value] = setting.values
    const alike = setting.runs.filter(({ block }) => block === own)
    const scores = alike.map(run => runSummary(run, columns)).filter(summary => summary !== null)
    return typeof value === 'number' && scores.length >= RUNS_FOR_CONFIGS ? [{ value, scores }] : []
  })
  const from = doses.findIndex(({ value }) => value === baseline.values[0])
  if (doses.length < 3 || from < 0 || doses.some(({ scores }) => !(variance(scores) > 0))) return null
  const answered = (answer: Verdict['answer']): readonly number[] =>
    doses.flatMap(({ value }) =>
      verdicts.some(
        ({ other, ...verdict }) =>
          verdict.answer === answer && verdict.scope === 'configs' && other === `${key}=${value}`,
      )
        ? [value]
        : [],
    )
  const [better, harmful] = [answered('better'), answered('worse')]
  const sign = goal === 'max' ? 1 : -1
  const error = mean(doses.map(({ scores }) => variance(scores) / scores.length))
  const course = localLevel(
    doses.map((_, i) => i),
    doses.map(({ scores }) => sign * mean(scores)),
    error,
  )
  const open = doses.flatMap(({ value }, i) =>
    (better.length > 0 ? better.includes(value) : !harmful.includes(value)) ? [i] : [],
  )
  const top = open.reduce((best, i) => (course[i] > course[best] ? i : best))
  const isKept = open.includes(from) && course[from] >= course[top] - Math.sqrt(error)
  const value = doses[isKept ? from : top].value
  const alike = better.length > 0 ? better : open.map(i => doses[i].value)
  return { value, alike, harmful, why: [...reason(), ...harm(), ...spared()] }

  function reason(): Message[] {
    const kept = String(doses[from].value)
    if (!isKept) {
      const said = better.length > 0 ? 'sweep-take.change' : 'sweep-take.move'
      return [say(said, { value: String(value), baseline: kept })]
    }
    if (alike.length < 2) return [say('sweep-take.keep-alone', { value: kept })]
    return [say('sweep-take.keep', { value: kept, low: String(Math.min(...alike)), high: String(Math.max(...alike)) })]
  }
  function harm(): Message[] {
    return harmful.length === 0 ? [] : [say('sweep-take.harm', { values: harmful.join(', ') })]
  }
  /** A coefficient of nothing is not only as good: it is cheaper. */
  function spared(): Message[] {
    const isSpared = key === 'kl.loss.coef' && value !== 0 && alike.includes(0)
    return isSpared ? [say('sweep-take.no-reference', {})] : []
  }
}
