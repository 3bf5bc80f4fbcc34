import { encode } from '../../../text/encode.js'
import { decimalsFor, figure as short, signed } from '../../../text/numbers.js'
import { message as words } from '../../../text/say.js'
import { settingLabel } from '../../../text/vocabulary.js'
import type { RunSweep } from '../../analysis/sweep/answer.js'
import { answerSweep } from '../../analysis/sweep/answer.js'
import type { HeatmapCell } from '../../charts/chart.js'
import { heatmapChart } from '../../charts/heatmap.js'
import { intervalsChart } from '../../charts/intervals.js'
import { shownName } from '../../store/manifest.js'
import { type Block, type ChartBlock, figure, heading, type Inline, list, paragraph, strong, table } from '../blocks.js'
import { frontierSection, type PlainFrontier } from '../frontier.js'
import type { Speaker } from '../speaker.js'
import { conditionText, type SweepAnswer, valuesText } from '../sweep.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings } from './diagnosis.js'
import type { ReportContent } from './frame.js'
import { changedBlocks, evidenceBlocks, type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { findingTodos, nextStep, type Todo, todoBlocks } from './todo.js'

/** A knob over several values: whether it matters, the matrix, and what is wrong with the data. */
export interface SweepInput extends Frame, RunSweep {
  /** Score and KL together, where these runs log one. */
  readonly frontier: PlainFrontier | null
  readonly diagnosed: readonly Diagnosed[]
}

export function sweepReport(speaker: Speaker, input: SweepInput): ReportContent {
  const { sweep, runs, diagnosed, provenance } = input
  const answer = encode(answerSweep(input, speaker.language), speaker.language)
  const { over, metric, problems, settling } = answer
  const knob = over.map(key => settingLabel(key, speaker.language)).join(' × ')
  const memory = memoryOf(answer, input)
  const todos: Todo[] = [
    ...settling.map(text => ({ text: speaker.sentence(text), cost: null, command: null })),
    ...findingTodos(speaker, findingsOf(diagnosed)),
  ]
  return framed(speaker, input, {
    title: speaker.say(words('report.title.sweep', { knob })),
    memory,
    blocks: [
      paragraph(
        strong(speaker.sentence(answer.sentence)),
        ' ',
        speaker.say(words('report.sweep.settings', { settings: answer.cells.length, runs: runs.length, metric })),
      ),
      ...nextStep(speaker, todos),
      ...changedBlocks(speaker, input.before, memory),
      ...todoBlocks(speaker, todos),
      heading(speaker.say(words('report.head.matrix', {}))),
      ...charts(speaker, answer),
      matrix(speaker, answer, input),
      ...(problems.length === 0
        ? []
        : [
            heading(speaker.say(words('report.head.problems', {}))),
            list(problems.map(problem => [speaker.sentence(problem)])),
          ]),
      ...verdictBlocks(speaker, answer),
      ...(input.frontier === null ? [] : frontierSection(input.frontier, speaker)),
      ...diagnosisBlocks(
        speaker,
        diagnosed.filter(({ diagnosis }) => diagnosis.findings.length > 0),
      ),
      ...evidenceBlocks(speaker, runs, sweep.verdicts, provenance),
    ],
  })
}

function charts(speaker: Speaker, answer: SweepAnswer): readonly ChartBlock[] {
  const { cells: settings, conditions, verdicts } = answer
  const metric = { name: answer.metric, goal: answer.goal }
  const cells = settings.map(({ scores }) =>
    scores.map(
      (score): HeatmapCell =>
        score === null
          ? { missing: 'evaluation' }
          : { value: score.mean, ...(score.spread !== null && { spread: score.spread }) },
    ),
  )
  const alike = settings.flatMap(({ identical }, row) => (identical ? [row] : []))
  const compared = verdicts.filter(({ question, interval }) => question !== 'trend' && interval !== null)
  const matrixChart = (): ChartBlock => ({
    kind: 'chart',
    id: 'matrix',
    caption: speaker.say(words('report.chart.heatmap', {})),
    definition: heatmapChart({
      language: speaker.language,
      metric,
      down: answer.over.map(key => settingLabel(key, speaker.language)).join(', '),
      across: speaker.say(words('report.condition', {})),
      rows: settings.map(({ values }) => valuesText(values)),
      columns: conditions.map(condition => conditionText(condition, speaker)),
      cells,
      identical: alike.length > 1 ? conditions.map((_, column) => alike.map(row => [row, column] as const)) : [],
    }),
  })
  const differences = (): ChartBlock => ({
    kind: 'chart',
    id: 'intervals',
    caption: speaker.say(words('report.chart.intervals', {})),
    definition: intervalsChart({
      language: speaker.language,
      metric,
      rows: compared.map(({ estimate, interval, ...verdict }) => ({
        ...verdict,
        estimate: estimate === null ? null : Number(estimate),
        interval: interval === null ? null : [Number(interval[0]), Number(interval[1])],
        label: verdict.other,
      })),
    }),
  })
  return [
    ...(cells.flat().some(cell => 'value' in cell) ? [matrixChart()] : []),
    ...(compared.length === 0 ? [] : [differences()]),
  ]
}

/** Settings down, conditions across; a document shows where each figure comes from. */
function matrix(speaker: Speaker, { cells, conditions, metric, over }: SweepAnswer, { runs }: SweepInput): Block {
  const names = new Map(runs.map(({ manifest }) => [manifest.id, shownName(manifest)]))
  const cellOf = (
    { runs: ids, identical }: (typeof cells)[number],
    of: string,
    mean: number,
    spread: number | null,
  ) => {
    const source = words('report.source', {
      metric: of,
      runs: ids.map(id => names.get(id) ?? id).join(', '),
      aggregate: '',
    })
    const scatter = spread === null ? '' : ` ± ${short(spread, 2)}`
    return figure(`${short(mean, 4)}${scatter}${identical ? ' =' : ''}`, speaker.say(source))
  }
  const several = conditions.length > 1
  return table(
    [
      over.map(key => settingLabel(key, speaker.language)).join(', '),
      ...conditions.map(condition => conditionText(condition, speaker)),
      ...(several ? [speaker.say(words('sweep.column.mean', {}))] : []),
      speaker.say(words('sweep.column.runs', {})),
    ],
    cells.map(cell => [
      valuesText(cell.values),
      ...cell.scores.map((score, i) =>
        score === null ? '×' : cellOf(cell, conditions[i].metric, score.mean, score.spread),
      ),
      ...(several ? [cell.mean === null ? '×' : cellOf(cell, metric, cell.mean, cell.spread)] : []),
      String(cell.runs.length),
    ]),
  )
}

function verdictBlocks(speaker: Speaker, { verdicts }: SweepAnswer): readonly Block[] {
  if (verdicts.length === 0) return []
  const header = (['question', 'answer', 'difference', 'interval', 'about'] as const).map(name =>
    speaker.say(words(`report.column.${name}`, {})),
  )
  // The reasons that the verdicts share are said once.
  const reasons = [...new Set(verdicts.flatMap(each => each.reasons))].slice(0, MOST_REASONS)
  return [
    heading(speaker.say(words('report.head.verdicts', {}))),
    table(
      header,
      verdicts.map(verdict => verdictRow(speaker, verdict)),
    ),
    ...(reasons.length === 0 ? [] : [list(reasons.map(text => [speaker.sentence(text)]))]),
  ]
}

const MOST_REASONS = 8

function verdictRow(speaker: Speaker, verdict: SweepAnswer['verdicts'][number]): Inline[] {
  const { question, other, baseline, answer, estimate, scope } = verdict
  const interval =
    verdict.interval === null ? null : ([Number(verdict.interval[0]), Number(verdict.interval[1])] as const)
  const decimals = interval === null ? 4 : decimalsFor(interval)
  return [
    `${speaker.say(words(`question.${question}`, {}))}: ${other} − ${baseline}`,
    scope === 'runs' && question !== 'trend' ? '–' : speaker.say(words(`report.word.${answer}`, {})),
    estimate === null ? '–' : signed(Number(estimate), decimals),
    interval === null ? '–' : interval.map(end => signed(end, decimals)).join(' … '),
    speaker.say(words(`scope.${scope}`, {})),
  ]
}

function memoryOf({ metric, conditions, verdicts }: SweepAnswer, { runs, diagnosed }: SweepInput): Memory {
  return {
    runs: runs.map(({ manifest }) => manifest.id).sort(),
    metric,
    evaluations: Math.max(0, ...conditions.map(({ shared }) => shared)),
    verdicts: verdicts.map(({ question, other, answer }) => ({ question, other, answer })),
    findings: rememberedFindings(diagnosed),
  }
}
