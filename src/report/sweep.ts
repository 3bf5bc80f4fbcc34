import { sweepConclusion, sweepSettling } from '../analysis/sweep/answer.js'
import { type CellScore, type Column, cellScore, runScore, runSummary, type Setting } from '../analysis/sweep/matrix.js'
import type { Sweep, SweepRequest } from '../analysis/sweep/sweep.js'
import type { Cell } from '../charts/chart.js'
import { heatmapChart } from '../charts/heatmap.js'
import { intervalsChart } from '../charts/intervals.js'
import type { Message } from '../model/run.js'
import type { Verdict } from '../model/verdict.js'
import type { LoadedRun } from '../store/series.js'
import { decimalsFor, figure as short, signed } from '../text/numbers.js'
import { settingLabel } from '../text/vocabulary.js'
import {
  type Block,
  type Chart,
  chartBlock,
  figure,
  heading,
  type Inline,
  list,
  paragraph,
  strong,
  type Told,
  table,
} from './blocks.js'
import { changedBlocks } from './changed.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings } from './diagnosis.js'
import { evidenceBlocks } from './evidence.js'
import { type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { findingTodos, nextStep, type Todo, todoBlocks } from './todo.js'
import type { Voice } from './voice.js'

/** A knob over several values: whether it matters, the matrix, and what is wrong with the data. */
export interface SweepInput extends Frame {
  readonly sweep: Sweep
  readonly request: SweepRequest
  readonly runs: readonly LoadedRun[]
  readonly problems: readonly Message[]
  readonly diagnosed: readonly Diagnosed[]
}

export function sweepReport(voice: Voice, input: SweepInput): Told {
  const { sweep, request, runs, problems, diagnosed, provenance } = input
  const knob = request.keys.map(key => settingLabel(key, voice.language)).join(' × ')
  const memory = memoryOf(input)
  const todos: Todo[] = [
    ...(sweep.matters === null ? sweepSettling(sweep) : []).map(settling => ({
      text: voice.sentence(voice.render(settling)),
      cost: null,
      command: null,
    })),
    ...findingTodos(voice, findingsOf(diagnosed)),
  ]
  return framed(voice, input, {
    title: voice.say('report.title.sweep', { knob }),
    memory,
    blocks: [
      paragraph(
        strong(voice.sentence(voice.render(sweepConclusion(sweep, knob)))),
        ' ',
        voice.say('report.sweep.settings', {
          settings: sweep.settings.length,
          runs: runs.length,
          metric: request.metric,
        }),
      ),
      ...nextStep(voice, todos),
      ...changedBlocks(voice, input.before, memory),
      ...todoBlocks(voice, todos),
      heading(voice.say('report.head.matrix', {})),
      ...charts(voice, input).map(chartBlock),
      matrix(voice, input),
      ...(problems.length === 0
        ? []
        : [
            heading(voice.say('report.head.problems', {})),
            list(problems.map(problem => [voice.sentence(voice.render(problem))])),
          ]),
      ...verdictBlocks(voice, sweep),
      ...diagnosisBlocks(
        voice,
        diagnosed.filter(({ diagnosis }) => diagnosis.findings.length > 0),
      ),
      ...evidenceBlocks(voice, runs, sweep.verdicts, provenance),
    ],
  })
}

function nameOf({ values }: Setting): string {
  return values.map(String).join(', ')
}

function columnName(voice: Voice, { metric, condition: { dataset, shots } }: Column): string {
  if (shots === undefined) return dataset ?? metric
  const counted = voice.say('sweep.shots', { shots })
  return dataset === undefined ? counted : `${dataset} ${counted}`
}

function isIdentical({ identical }: Sweep, setting: Setting): boolean {
  return identical.some(({ places }) => places.some(({ run }) => setting.runs.includes(run)))
}

function charts(voice: Voice, { sweep, request }: SweepInput): readonly Chart[] {
  const { settings, columns, verdicts } = sweep
  const metric = { name: request.metric, goal: request.goal }
  const cells = settings.map(setting =>
    columns.map((column): Cell => {
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
    language: voice.language,
    metric,
    down: request.keys.map(key => settingLabel(key, voice.language)).join(', '),
    across: voice.say('report.condition', {}),
    rows: settings.map(nameOf),
    columns: columns.map(column => columnName(voice, column)),
    cells,
    identical: columns.map((_, column) => alike.filter(([, at]) => at === column)).filter(group => group.length > 1),
  })
  const compared = verdicts.filter(({ question, interval }) => question !== 'trend' && interval !== null)
  const known = cells.flat().some(cell => 'value' in cell)
  return [
    ...(known ? [{ id: 'matrix', caption: voice.say('report.chart.heatmap', {}), definition: matrixChart }] : []),
    ...(compared.length === 0
      ? []
      : [
          {
            id: 'intervals',
            caption: voice.say('report.chart.intervals', {}),
            definition: intervalsChart({
              language: voice.language,
              metric,
              rows: compared.map(verdict => ({ ...verdict, label: verdict.other })),
            }),
          },
        ]),
  ]
}

function matrix(voice: Voice, { sweep, request }: SweepInput): Block {
  const { settings, columns } = sweep
  const cell = (setting: Setting, score: CellScore | null, name: string): Inline => {
    if (score === null) return '×'
    const spread = score.spread === null ? '' : ` ± ${short(score.spread, 2)}`
    const mark = isIdentical(sweep, setting) ? ' =' : ''
    const source = voice.say('report.source', {
      metric: name,
      runs: setting.runs.map(({ label }) => label).join(', '),
      aggregate: '',
    })
    return figure(`${short(score.mean, 4)}${spread}${mark}`, source)
  }
  const several = columns.length > 1
  const header = [
    request.keys.map(key => settingLabel(key, voice.language)).join(', '),
    ...columns.map(column => columnName(voice, column)),
    ...(several ? [voice.say('sweep.column.mean', {})] : []),
    voice.say('sweep.column.runs', {}),
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

function verdictBlocks(voice: Voice, { verdicts }: Sweep): readonly Block[] {
  if (verdicts.length === 0) return []
  const header = (['question', 'answer', 'difference', 'interval', 'about'] as const).map(name =>
    voice.say(`report.column.${name}`, {}),
  )
  return [
    heading(voice.say('report.head.verdicts', {})),
    table(
      header,
      verdicts.map(verdict => verdictRow(voice, verdict)),
    ),
    ...reasonsOf(voice, verdicts),
  ]
}

function verdictRow(voice: Voice, { question, other, baseline, answer, estimate, interval, scope }: Verdict): Inline[] {
  const decimals = interval === null ? 4 : decimalsFor(interval)
  return [
    `${voice.say(`question.${question}`, {})}: ${other} − ${baseline}`,
    scope === 'runs' && question !== 'trend' ? '–' : voice.say(`report.word.${answer}`, {}),
    estimate === null ? '–' : signed(estimate, decimals),
    interval === null ? '–' : interval.map(end => signed(end, decimals)).join(' … '),
    voice.say(`scope.${scope}`, {}),
  ]
}

/** The reasons that the verdicts share are said once. */
function reasonsOf(voice: Voice, verdicts: readonly Verdict[]): readonly Block[] {
  const said = [...new Set(verdicts.flatMap(({ reasons }) => reasons.map(voice.render)))]
  return said.length === 0 ? [] : [list(said.slice(0, 8).map(text => [voice.sentence(text)]))]
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
