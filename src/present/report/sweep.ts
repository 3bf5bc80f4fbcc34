import type { Sweep, SweepRequest } from '../../analysis/sweep/sweep.js'
import {
  type CellScore,
  type Column,
  cellScore,
  runScore,
  runSummary,
  type Setting,
} from '../../analysis/sweep/sweep-cells.js'
import { sweepConclusion, sweepSettling } from '../../analysis/sweep/sweep-sentences.js'
import type { HeatmapCell } from '../../charts/chart.js'
import { heatmapChart } from '../../charts/heatmap.js'
import { intervalsChart } from '../../charts/intervals.js'
import type { Message } from '../../model/run.js'
import type { Verdict } from '../../model/verdict.js'
import type { LoadedRun } from '../../store/series.js'
import { decimalsFor, figure as short, signed } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { settingLabel } from '../../text/vocabulary.js'
import { type Block, type ChartBlock, figure, heading, type Inline, list, paragraph, strong, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings } from './diagnosis.js'
import type { ReportContent } from './frame.js'
import { changedBlocks, evidenceBlocks, type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { findingTodos, nextStep, type Todo, todoBlocks } from './todo.js'

/** A knob over several values: whether it matters, the matrix, and what is wrong with the data. */
export interface SweepInput extends Frame {
  readonly sweep: Sweep
  readonly request: SweepRequest
  readonly runs: readonly LoadedRun[]
  readonly problems: readonly Message[]
  readonly diagnosed: readonly Diagnosed[]
}

export function sweepReport(speaker: Speaker, input: SweepInput): ReportContent {
  const { sweep, request, runs, problems, diagnosed, provenance } = input
  const knob = request.keys.map(key => settingLabel(key, speaker.language)).join(' × ')
  const memory = memoryOf(input)
  const todos: Todo[] = [
    ...(sweep.matters === null ? sweepSettling(sweep) : []).map(settling => ({
      text: speaker.sentence(speaker.say(settling)),
      cost: null,
      command: null,
    })),
    ...findingTodos(speaker, findingsOf(diagnosed)),
  ]
  return framed(speaker, input, {
    title: speaker.say(words('report.title.sweep', { knob })),
    memory,
    blocks: [
      paragraph(
        strong(speaker.sentence(speaker.say(sweepConclusion(sweep, knob)))),
        ' ',
        speaker.say(
          words('report.sweep.settings', {
            settings: sweep.settings.length,
            runs: runs.length,
            metric: request.metric,
          }),
        ),
      ),
      ...nextStep(speaker, todos),
      ...changedBlocks(speaker, input.before, memory),
      ...todoBlocks(speaker, todos),
      heading(speaker.say(words('report.head.matrix', {}))),
      ...charts(speaker, input),
      matrix(speaker, input),
      ...(problems.length === 0
        ? []
        : [
            heading(speaker.say(words('report.head.problems', {}))),
            list(problems.map(problem => [speaker.sentence(speaker.say(problem))])),
          ]),
      ...verdictBlocks(speaker, sweep),
      ...diagnosisBlocks(
        speaker,
        diagnosed.filter(({ diagnosis }) => diagnosis.findings.length > 0),
      ),
      ...evidenceBlocks(speaker, runs, sweep.verdicts, provenance),
    ],
  })
}

function nameOf({ values }: Setting): string {
  return values.map(String).join(', ')
}

function columnName(speaker: Speaker, { metric, condition: { dataset, shots } }: Column): string {
  if (shots === undefined) return dataset ?? metric
  const counted = speaker.say(words('sweep.shots', { shots }))
  return dataset === undefined ? counted : `${dataset} ${counted}`
}

function isIdentical({ identical }: Sweep, setting: Setting): boolean {
  return identical.some(({ places }) => places.some(({ run }) => setting.runs.includes(run)))
}

function charts(speaker: Speaker, { sweep, request }: SweepInput): readonly ChartBlock[] {
  const { settings, columns, verdicts } = sweep
  const metric = { name: request.metric, goal: request.goal }
  const cells = settings.map(setting =>
    columns.map((column): HeatmapCell => {
      const score = cellScore(setting, run => runScore(run, column))
      return score === null
        ? { missing: 'evaluation' }
        : { value: score.mean, ...(score.spread !== null && { spread: score.spread }) }
    }),
  )
  const alike = settings.flatMap((setting, row) =>
    isIdentical(sweep, setting) ? columns.map((_, column) => [row, column] as const) : [],
  )
  const matrixChart = heatmapChart({
    language: speaker.language,
    metric,
    down: request.keys.map(key => settingLabel(key, speaker.language)).join(', '),
    across: speaker.say(words('report.condition', {})),
    rows: settings.map(nameOf),
    columns: columns.map(column => columnName(speaker, column)),
    cells,
    identical: columns.map((_, column) => alike.filter(([, at]) => at === column)).filter(group => group.length > 1),
  })
  const compared = verdicts.filter(({ question, interval }) => question !== 'trend' && interval !== null)
  const known = cells.flat().some(cell => 'value' in cell)
  return [
    ...(known
      ? [
          {
            kind: 'chart' as const,
            id: 'matrix',
            caption: speaker.say(words('report.chart.heatmap', {})),
            definition: matrixChart,
          },
        ]
      : []),
    ...(compared.length === 0
      ? []
      : [
          {
            kind: 'chart' as const,
            id: 'intervals',
            caption: speaker.say(words('report.chart.intervals', {})),
            definition: intervalsChart({
              language: speaker.language,
              metric,
              rows: compared.map(verdict => ({ ...verdict, label: verdict.other })),
            }),
          },
        ]),
  ]
}

function matrix(speaker: Speaker, { sweep, request }: SweepInput): Block {
  const { settings, columns } = sweep
  const cell = (setting: Setting, score: CellScore | null, name: string): Inline => {
    if (score === null) return '×'
    const spread = score.spread === null ? '' : ` ± ${short(score.spread, 2)}`
    const mark = isIdentical(sweep, setting) ? ' =' : ''
    const source = speaker.say(
      words('report.source', {
        metric: name,
        runs: setting.runs.map(({ label }) => label).join(', '),
        aggregate: '',
      }),
    )
    return figure(`${short(score.mean, 4)}${spread}${mark}`, source)
  }
  const several = columns.length > 1
  const header = [
    request.keys.map(key => settingLabel(key, speaker.language)).join(', '),
    ...columns.map(column => columnName(speaker, column)),
    ...(several ? [speaker.say(words('sweep.column.mean', {}))] : []),
    speaker.say(words('sweep.column.runs', {})),
  ]
  return table(
    header,
    settings.map(setting => [
      nameOf(setting),
      ...columns.map(column =>
        cell(
          setting,
          cellScore(setting, run => runScore(run, column)),
          column.metric,
        ),
      ),
      ...(several
        ? [
            cell(
              setting,
              cellScore(setting, run => runSummary(run, columns)),
              request.metric,
            ),
          ]
        : []),
      String(setting.runs.length),
    ]),
  )
}

function verdictBlocks(speaker: Speaker, { verdicts }: Sweep): readonly Block[] {
  if (verdicts.length === 0) return []
  const header = (['question', 'answer', 'difference', 'interval', 'about'] as const).map(name =>
    speaker.say(words(`report.column.${name}`, {})),
  )
  return [
    heading(speaker.say(words('report.head.verdicts', {}))),
    table(
      header,
      verdicts.map(verdict => verdictRow(speaker, verdict)),
    ),
    ...reasonsOf(speaker, verdicts),
  ]
}

function verdictRow(
  speaker: Speaker,
  { question, other, baseline, answer, estimate, interval, scope }: Verdict,
): Inline[] {
  const decimals = interval === null ? 4 : decimalsFor(interval)
  return [
    `${speaker.say(words(`question.${question}`, {}))}: ${other} − ${baseline}`,
    scope === 'runs' && question !== 'trend' ? '–' : speaker.say(words(`report.word.${answer}`, {})),
    estimate === null ? '–' : signed(estimate, decimals),
    interval === null ? '–' : interval.map(end => signed(end, decimals)).join(' … '),
    speaker.say(words(`scope.${scope}`, {})),
  ]
}

/** The reasons that the verdicts share are said once. */
function reasonsOf(speaker: Speaker, verdicts: readonly Verdict[]): readonly Block[] {
  const said = [...new Set(verdicts.flatMap(({ reasons }) => reasons.map(speaker.say)))]
  return said.length === 0 ? [] : [list(said.slice(0, 8).map(text => [speaker.sentence(text)]))]
}

function memoryOf({ sweep, request, runs, diagnosed }: SweepInput): Memory {
  return {
    runs: runs.map(({ manifest }) => manifest.id).sort(),
    metric: request.metric,
    evaluations: Math.max(0, ...sweep.columns.map(({ shared }) => shared.length)),
    verdicts: sweep.verdicts.map(({ question, other, answer }) => ({ question, other, answer })),
    findings: rememberedFindings(diagnosed),
  }
}
