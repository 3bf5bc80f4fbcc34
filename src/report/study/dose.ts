import { mean, standardDeviation } from '../../stats/descriptive.js'
import { type DoseCell, doseTrend } from '../../stats/dose-response.js'
import { intervalOf, pValueOf, type StudentEstimate } from '../../stats/paired-mean.js'
import { chance, decimalsFor, figure as short, signed } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { settingLabel } from '../../text/vocabulary.js'
import { type Block, heading, type Inline, paragraph, table } from '../blocks.js'
import type { Voice } from '../voice.js'
import { column } from './columns.js'
import { type ArmFacts, type StudyFacts, scoresOf } from './facts.js'

/** Arms that differ in one number are doses of it: what each came to, and how the score changes with the dose. */

const say = sentences({
  'report.study.head.dose': { en: 'Dose and response', zh: '剂量与响应' },
  'report.study.dose-trend': {
    en: 'From the lowest {setting} to the highest the score changes by {change} ({low} … {high}), p {p}.',
    zh: '{setting} 从最低到最高，分数变化 {change}（{low} … {high}），p {p}。',
  },
  'report.study.dose-none': {
    en: 'The arms do not differ in one number alone, so there is no dose.',
    zh: '各 arm 并非只差一个数值，因此没有剂量可言。',
  },
})

export function doseBlocks(voice: Voice, { arms }: StudyFacts): readonly Block[] {
  const head = heading(voice.render(say('report.study.head.dose', {})))
  const dose = doseOf(arms)
  if (dose === null) return [head, paragraph(voice.render(say('report.study.dose-none', {})))]
  const { key, points, trend } = dose
  const setting = settingLabel(key, voice.language)
  const shown = table(
    [setting, ...(['mean', 'spread', 'count'] as const).map(name => column(voice, name))],
    points.map(({ value, scores }): Inline[] => [
      String(value),
      scores.length === 0 ? '×' : short(mean(scores), 4),
      scores.length < 2 ? '–' : short(standardDeviation(scores), 2),
      String(scores.length),
    ]),
  )
  if (trend === null) return [head, shown]
  const { low, high } = intervalOf(trend)
  const decimals = decimalsFor([low, high])
  const said = say('report.study.dose-trend', {
    setting,
    change: signed(trend.mean, decimals),
    low: signed(low, decimals),
    high: signed(high, decimals),
    p: chance(pValueOf(trend)),
  })
  return [head, shown, paragraph(voice.render(said))]
}

interface Dose {
  readonly key: string
  /** Rising. */
  readonly points: readonly { readonly value: number; readonly scores: readonly number[] }[]
  /** The change from the lowest dose to the highest, by rank; null where too little is there to tell. */
  readonly trend: StudentEstimate | null
}

/** Null where arms differ in several settings, or in one that is no number. */
function doseOf(arms: readonly ArmFacts[]): Dose | null {
  const keys = new Set(arms.flatMap(({ settings }) => Object.keys(settings)))
  const varying = [...keys].filter(key => new Set(arms.map(({ settings }) => JSON.stringify(settings[key]))).size > 1)
  const [key, ...more] = varying
  if (key === undefined || more.length > 0) return null
  const points: { value: number; scores: readonly number[] }[] = []
  for (const arm of arms) {
    const value = arm.settings[key]
    if (typeof value !== 'number') return null
    points.push({ value, scores: scoresOf(arm) })
  }
  points.sort((a, b) => a.value - b.value)
  const cells = points.flatMap(({ scores }, rank): readonly DoseCell[] =>
    scores.length === 0 ? [] : [{ score: rank, block: '', values: scores }],
  )
  return { key, points, trend: cells.length < 3 ? null : doseTrend(cells) }
}
