import { doseOf } from '../../analysis/dose.js'
import { mean, standardDeviation } from '../../stats/descriptive.js'
import { type DoseCell, doseTrend } from '../../stats/dose-response.js'
import { intervalOf, pValueOf, type StudentEstimate } from '../../stats/student-estimate.js'
import { chance, decimalsFor, figure as short, signed } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { settingLabel } from '../../text/vocabulary.js'
import { type Block, heading, type Inline, paragraph, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
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

export function doseBlocks(speaker: Speaker, { arms }: StudyFacts): readonly Block[] {
  const head = heading(speaker.say(say('report.study.head.dose', {})))
  const response = responseOf(arms)
  if (response === null) return [head, paragraph(speaker.say(say('report.study.dose-none', {})))]
  const { key, points, trend } = response
  const setting = settingLabel(key, speaker.language)
  const shown = table(
    [setting, ...(['mean', 'spread', 'count'] as const).map(name => column(speaker, name))],
    points.map(({ dose, scores }): Inline[] => [
      String(dose),
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
  return [head, shown, paragraph(speaker.say(said))]
}

interface Response {
  readonly key: string
  /** Rising in the dose. */
  readonly points: readonly { readonly dose: number; readonly scores: readonly number[] }[]
  /** The change from the lowest dose to the highest, by rank; null where too little is there to tell. */
  readonly trend: StudentEstimate | null
}

/** Null where there is no dose. */
function responseOf(arms: readonly ArmFacts[]): Response | null {
  const dosed = doseOf(arms.map(({ settings }) => settings))
  if (dosed === null) return null
  const points = dosed.doses.map((dose, i) => ({ dose, scores: scoresOf(arms[i]) })).sort((a, b) => a.dose - b.dose)
  const cells = points.flatMap(({ scores }, rank): readonly DoseCell[] =>
    scores.length === 0 ? [] : [{ score: rank, block: '', values: scores }],
  )
  return { key: dosed.key, points, trend: cells.length < 3 ? null : doseTrend(cells) }
}
