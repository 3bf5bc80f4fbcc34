import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { type RankedRun, rankRun } from '../../analysis/checkpoints/rank-run.js'
import type { Counter } from '../../analysis/compare/axis.js'
import { areOfOneRun, type RunSide } from '../../analysis/compare/evidence.js'
import type { CompareAnswer } from '../../analysis/compare/result.js'
import type { RunSweep } from '../../analysis/sweep/answer.js'
import type { Speaker } from '../speaker.js'
import type { StudyFacts } from '../study/facts.js'
import { studyReport } from '../study/report.js'
import { comparisonCharts, rankingCharts, readSideSeries, trainingCharts } from './charts.js'
import { type DecisionInput, decisionReport } from './decision.js'
import type { Diagnosed } from './diagnosis.js'
import type { Frame, Report, ReportContent } from './frame.js'
import type { Recipe } from './memory.js'
import { pairReport } from './pair.js'
import { runReport } from './run.js'
import { type SweepInput, sweepReport } from './sweep.js'

/** From answers to a document: one run, sides against a baseline, a sweep, a decision or a study. */

export type ReportSubject =
  | { readonly kind: 'run'; readonly metric: string; readonly goal: Goal | null; readonly ended: boolean }
  | {
      readonly kind: 'pair'
      readonly sides: readonly RunSide[]
      readonly answer: CompareAnswer
      /** How far along the axis each run of each side is at a step. */
      readonly counters: readonly (readonly Counter[])[]
    }
  | ({ readonly kind: 'sweep' } & RunSweep & Pick<SweepInput, 'frontier'>)
  | ({ readonly kind: 'decision' } & Pick<DecisionInput, 'decision'>)
  | { readonly kind: 'study'; readonly facts: StudyFacts }

interface ReportFrame extends Frame {
  readonly speaker: Speaker
  /** Of all runs that it is about. */
  readonly diagnosed: readonly Diagnosed[]
}

export async function makeReport(subject: ReportSubject, frame: ReportFrame, recipe: Recipe): Promise<Report> {
  const told = await tell(subject, frame)
  // What concluded the same leaves no trace in the text, and the same report is the same file.
  const isNews = JSON.stringify(recipe.before) !== JSON.stringify(told.memory)
  return { ...told, recipe: isNews ? recipe : { ...recipe, before: null } }
}

async function tell(subject: ReportSubject, frame: ReportFrame): Promise<ReportContent> {
  switch (subject.kind) {
    case 'run':
      return aboutRun(subject, frame)
    case 'pair':
      return aboutSides(subject, frame)
    case 'sweep':
      return sweepReport(frame.speaker, { ...frame, ...subject })
    case 'decision':
      return decisionReport(frame.speaker, { ...frame, ...subject, runs: frame.diagnosed.map(({ run }) => run) })
    case 'study':
      return studyReport(frame.speaker, { ...frame, ...subject.facts })
  }
}

async function aboutRun(
  { metric, goal, ended }: Extract<ReportSubject, { kind: 'run' }>,
  frame: ReportFrame,
): Promise<ReportContent> {
  const { speaker } = frame
  const [diagnosed] = frame.diagnosed
  const { run } = diagnosed
  const ranking: RankedRun | null = await rankRun(run, metric, goal, { ended })
  const series = await readSideSeries([{ label: run.manifest.name, runs: [run] }], [])
  return runReport(speaker, {
    ...frame,
    diagnosed,
    ranking,
    wanted: metric,
    charts: {
      evaluations: ranking === null ? [] : rankingCharts(speaker, ranking, metric),
      training: trainingCharts(speaker, series, [diagnosed]),
    },
  })
}

async function aboutSides(
  { sides, answer, counters }: Extract<ReportSubject, { kind: 'pair' }>,
  frame: ReportFrame,
): Promise<ReportContent> {
  const { speaker, diagnosed } = frame
  const read = await readSideSeries(
    sides,
    answer.sides.map(({ metric }) => metric),
  )
  const isOneRun = areOfOneRun(sides)
  const series = isOneRun ? read.slice(0, 1) : read
  const evaluations = comparisonCharts(speaker, series, answer, counters)
  return pairReport(speaker, {
    ...frame,
    sides,
    answer,
    charts: {
      evaluations: isOneRun ? evaluations.filter(({ id }) => !id.startsWith('difference')) : evaluations,
      training: trainingCharts(speaker, series, diagnosed),
    },
  })
}
