import type { Axis } from '../../logs/model/axis.js'
import type { Language } from '../../text/language.js'
import { reportSentences as words } from '../../text/report.js'
import { metricLabel } from '../../text/vocabulary.js'
import type { CompareAnswer } from '../analysis/compare/result.js'
import { type Chart, ifKnown, type ProgressUnit } from '../charts/chart.js'
import { curvesChart } from '../charts/curves.js'
import { differenceChart } from '../charts/difference.js'
import { intervalsChart } from '../charts/intervals.js'
import { type ChartBlock, chart } from './blocks.js'
import type { Speaker } from './speaker.js'
import { questionText } from './verdict.js'

/** What is drawn of a comparison by its answer alone; the curves of a report have every point of the runs. */

export const AXIS_UNITS: { readonly [axis in Axis]: ProgressUnit } = {
  steps: 'steps',
  tokens: 'tokens',
  samples: 'samples',
  time: 'seconds',
}

export function comparedName({ canonical, table }: CompareAnswer, language: Language): string {
  return canonical === null ? table.metric : metricLabel(canonical, language)
}

/** The shared evaluations of each side as curves, then the differences. */
export function answerCharts(answer: CompareAnswer, speaker: Speaker): readonly ChartBlock[] {
  const { table, sides, goal, by } = answer
  if (answer.evaluation !== null || table.rows.length < 2) return []
  const name = comparedName(answer, speaker.language)
  const definition = curvesChart({
    language: speaker.language,
    metric: { name, goal },
    sides: sides.map(({ label }, i) => ({
      label,
      line: {
        steps: table.rows.map(({ step }) => step),
        values: table.rows.map(({ values }) => (values[i] === null ? Number.NaN : Number(values[i]))),
      },
      replicates: [],
    })),
    sharedSteps: [],
    along: AXIS_UNITS[by],
  })
  const caption = speaker.say(words('report.chart.curves', { metric: name }))
  return [chart('curves', caption, definition), ...differenceCharts(answer, speaker)]
}

/** Each side minus the baseline, and every question with its interval. */
export function differenceCharts(answer: CompareAnswer, speaker: Speaker): readonly ChartBlock[] {
  const name = comparedName(answer, speaker.language)
  return [
    ...answer.others.flatMap(({ label: other }, i) => {
      const drawn = differenceChartOf(answer, i, speaker, name)
      const caption = speaker.say(words('report.chart.difference', { other, baseline: answer.sides[0].label }))
      return drawn === null ? [] : [chart(`difference-${i + 1}`, caption, drawn)]
    }),
    ...ifKnown(intervalsChartOf(answer, speaker, name), drawn =>
      chart('intervals', speaker.say(words('report.chart.intervals', {})), drawn),
    ),
  ]
}

/** One side minus the baseline, place by place; null where they share fewer than two. */
export function differenceChartOf(
  answer: CompareAnswer,
  at: number,
  { language }: Speaker,
  name: string,
): Chart | null {
  const rows = answer.table.rows.flatMap(({ step, values }) => {
    const [first, second] = [values[0], values[at + 1]]
    return first === null || second === null ? [] : [{ step, difference: Number(second) - Number(first) }]
  })
  if (rows.length < 2) return null
  const { headline, window } = answer.others[at]
  const verdict = answer.verdicts[headline]
  const isOfCheckpoints = verdict.question === 'checkpoint'
  return differenceChart({
    language,
    metric: { name, goal: answer.goal },
    baseline: verdict.baseline,
    other: verdict.other,
    steps: rows.map(({ step }) => step),
    differences: rows.map(({ difference }) => difference),
    along: AXIS_UNITS[answer.by],
    estimate: isOfCheckpoints || verdict.estimate === null ? null : Number(verdict.estimate),
    interval: isOfCheckpoints ? null : intervalOf(verdict),
    ...(window !== null && { window }),
    margin: verdict.margin,
  })
}

/** Questions whose differences are in the metric's own unit. */
const SAME_UNIT = new Set<string>(['checkpoint', 'level', 'final'])

/** Every such question about every side, with its interval; null where none has one. */
export function intervalsChartOf(answer: CompareAnswer, speaker: Speaker, name: string): Chart | null {
  const rows = answer.others.flatMap(({ label, verdicts }) =>
    verdicts
      .map(at => answer.verdicts[at])
      .filter(
        ({ question, interval, metric }) =>
          SAME_UNIT.has(question) && interval !== null && metric === answer.verdicts[0].metric,
      )
      .map(verdict => ({
        label:
          answer.others.length > 1 ? `${questionText(verdict, speaker)}, ${label}` : questionText(verdict, speaker),
        answer: verdict.answer,
        margin: verdict.margin,
        estimate: verdict.estimate === null ? null : Number(verdict.estimate),
        interval: intervalOf(verdict),
      })),
  )
  return rows.length === 0
    ? null
    : intervalsChart({ language: speaker.language, metric: { name, goal: answer.goal }, rows })
}

function intervalOf({ interval }: CompareAnswer['verdicts'][number]): readonly [number, number] | null {
  return interval === null ? null : [Number(interval[0]), Number(interval[1])]
}
