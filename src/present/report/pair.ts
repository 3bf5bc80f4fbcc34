import type { OtherSide, RunComparison } from '../../analysis/compare/answer.js'
import { choiceSentence } from '../../analysis/compare/choose.js'
import { areOfOneRun, type RunSide } from '../../analysis/compare/evidence.js'
import type { Axis } from '../../model/axis.js'
import type { Verdict } from '../../model/verdict.js'
import { clauses } from '../../text/language.js'
import { decimalsFor, figure as figureText, fixed, signed, signedFigure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import { type Block, type ChartBlock, figure, heading, type Inline, paragraph, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import { answerBlocks } from './answer.js'
import { changedBlocks } from './changed.js'
import { sideCost } from './cost.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings, uncheckedItems } from './diagnosis.js'
import { evidenceBlocks, openBlocks } from './evidence.js'
import type { ReportContent } from './frame.js'
import { type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { comparisonTodos, findingTodos, nextStep, todoBlocks } from './todo.js'

/** A against B: the answer first, then what to do, then everything that the two rest on. */
export interface PairInput extends Frame {
  readonly sides: readonly RunSide[]
  readonly comparison: RunComparison
  readonly diagnosed: readonly Diagnosed[]
  readonly charts: { readonly evaluations: readonly ChartBlock[]; readonly training: readonly ChartBlock[] }
}

export function pairReport(speaker: Speaker, input: PairInput): ReportContent {
  const { sides, comparison, diagnosed, charts, provenance, before } = input
  const [baseline, ...others] = sides
  const memory = memoryOf(input)
  const isOneRun = areOfOneRun(sides)
  const findings = findingsOf(diagnosed)
  const todos = [
    ...comparison.others.flatMap((other, i) =>
      comparisonTodos(speaker, [baseline, others[i]], other, sideCost(others[i])),
    ),
    ...findingTodos(speaker, findings),
  ]
  return framed(speaker, input, {
    title: speaker.say(
      words('report.title.pair', {
        other: others.map(({ label }) => label).join(', '),
        baseline: baseline.label,
      }),
    ),
    memory,
    blocks: [
      ...comparison.others.flatMap((other, i) => answerBlocks(speaker, [baseline, others[i]], comparison, other)),
      ...nextStep(speaker, todos),
      ...changedBlocks(speaker, before, memory),
      ...todoBlocks(speaker, todos),
      ...choiceBlocks(speaker, comparison),
      ...verdictBlocks(speaker, comparison, isOneRun),
      heading(speaker.say(words('report.head.curves', {}))),
      ...charts.evaluations,
      ...(isOneRun ? [] : [evaluationTable(speaker, sides, comparison)]),
      ...(charts.training.length === 0 ? [] : [heading(speaker.say(words('report.head.training', {})))]),
      ...charts.training,
      ...diagnosisBlocks(speaker, diagnosed),
      ...(isOneRun ? [] : settingsBlocks(speaker, sides, comparison)),
      ...openBlocks(speaker, comparison, uncheckedItems(speaker, diagnosed)),
      ...evidenceBlocks(
        speaker,
        sides.flatMap(({ runs }) => runs),
        comparison.others.flatMap(({ verdicts }) => verdicts),
        provenance,
      ),
    ],
  })
}

function memoryOf({ sides, comparison, diagnosed }: PairInput): Memory {
  return {
    runs: sides.flatMap(({ runs }) => runs.map(({ manifest }) => manifest.id)).sort(),
    metric: comparison.request.metric,
    evaluations: Math.max(0, ...comparison.others.map(({ steps }) => steps.length)),
    verdicts: comparison.others.flatMap(({ verdicts }) =>
      verdicts.map(({ question, other, answer }) => ({ question, other, answer })),
    ),
    findings: rememberedFindings(diagnosed),
  }
}

function choiceBlocks(speaker: Speaker, { others }: RunComparison): readonly Block[] {
  return others.flatMap(({ choice, headline }) => {
    if (choice === null || headline.answer !== 'undetermined') return []
    return [paragraph(speaker.say(words('report.todo.choose', { line: choiceSentence(choice) })))]
  })
}

function verdictBlocks(speaker: Speaker, comparison: RunComparison, isOneRun: boolean): readonly Block[] {
  const header = (['question', 'answer', 'difference', 'interval', 'about'] as const).map(name =>
    speaker.say(words(`report.column.${name}`, {})),
  )
  const rows = comparison.others.flatMap(other =>
    [...other.verdicts.filter(({ question }) => question !== 'cost'), ...other.costs]
      .filter(({ question }) => !isOneRun || question === 'checkpoint')
      .map(verdict => verdictRow(speaker, verdict, other, comparison.others.length > 1)),
  )
  return [heading(speaker.say(words('report.head.verdicts', {}))), table(header, rows)]
}

function verdictRow(speaker: Speaker, verdict: Verdict, other: OtherSide, named: boolean): Inline[] {
  const { question, metric, estimate, interval, answer, scope } = verdict
  const asked =
    question === 'cost' ? metricLabel(metric, speaker.language) : speaker.say(words(`question.${question}`, {}))
  const decimals = interval === null ? 4 : decimalsFor(interval)
  const unit = question === 'speed' ? 'steps' : question === 'stability' ? 'ratio' : 'plain'
  const source = speaker.say(
    words('report.source', {
      metric,
      runs: `${verdict.other} − ${verdict.baseline}`,
      aggregate: clauses(verdict.reasons.map(speaker.say), speaker.language),
    }),
  )
  const number = (value: number): string => {
    if (unit === 'ratio') return `× ${fixed(value, 2)}`
    if (unit === 'steps') return distance(speaker, other.along.axis, value)
    return `${signed(value, decimals)}${question === 'cost' ? (COST_UNITS[metric] ?? '') : ''}`
  }
  return [
    named ? `${asked}, ${other.label}` : asked,
    speaker.say(words(`report.word.${answer}`, {})),
    estimate === null ? '–' : figure(number(estimate), source),
    interval === null ? '–' : `${number(interval[0])} … ${number(interval[1])}`,
    speaker.say(words(`scope.${scope}`, {})),
  ]
}

/** How much sooner or later, in the unit of the axis. */
function distance(speaker: Speaker, axis: Axis, value: number): string {
  if (axis === 'steps') return speaker.say(words('report.steps', { n: signed(value, 0) }))
  return speaker.say(words(`compare.apart.${axis}`, { size: signedFigure(value, 3) }))
}

const COST_UNITS: { readonly [metric: string]: string } = {
  'time.step': ' s',
  throughput: ' tokens/s/GPU',
  tokens: ' tokens',
}

const MOST_ROWS = 40

/** All shared evaluations, or as many as fit: evenly spread, the first and the last among them. */
function evaluationTable(
  speaker: Speaker,
  sides: readonly RunSide[],
  { table: rows, request, along }: RunComparison,
): Block {
  const stride = Math.ceil(rows.length / MOST_ROWS)
  const shown = rows.filter((_, i) => i % stride === 0 || i === rows.length - 1)
  const decimals = Math.min(6, Math.max(...shown.flatMap(({ values }) => values.map(value => decimalsOf(value))), 0))
  const cell = (value: number | null, label: string, step: number): Inline =>
    value === null
      ? ''
      : figure(
          fixed(value, decimals),
          speaker.say(
            words('report.source', {
              metric: request.metric,
              runs: label,
              aggregate: speaker.say(words('report.source.at', { step })),
            }),
          ),
        )
  const unit = speaker.say(words(`compare.column.${along.axis}`, {}))
  const header = [
    along.width === null ? unit : speaker.say(words('compare.column.until', { unit })),
    ...sides.map(({ label }) => label),
    speaker.say(words('report.column.difference', {})),
  ]
  return table(
    header,
    shown.map(({ step, values, diff }) => [
      along.axis === 'steps' ? String(Number(step.toPrecision(6))) : figureText(step, 4),
      ...values.map((value, i) => cell(value, sides[i].label, step)),
      diff === null ? '' : signed(differenceOf(values, decimals) ?? diff, decimals),
    ]),
  )
}

/** Of the figures as printed, so that a reader who subtracts them gets what stands there. */
function differenceOf(values: readonly (number | null)[], decimals: number): number | null {
  const [first, last] = [values[0], values[values.length - 1]]
  return first === null || last === null ? null : Number(last.toFixed(decimals)) - Number(first.toFixed(decimals))
}

function decimalsOf(value: number | null): number {
  return value === null ? 0 : (String(Number(value.toPrecision(4))).split('.')[1]?.length ?? 0)
}

function settingsBlocks(speaker: Speaker, sides: readonly RunSide[], { confounds }: RunComparison): readonly Block[] {
  const title = heading(speaker.say(words('report.head.settings', {})))
  if (confounds.length === 0)
    return [title, paragraph(speaker.sentence(speaker.say(words('compare.no-differences', {}))))]
  const header = [speaker.say(words('report.column.setting', {})), ...sides.map(({ label }) => label)]
  return [
    title,
    table(
      header,
      confounds.map(({ key, values }) => [
        settingLabel(key, speaker.language),
        ...values.map(value => (value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value))),
      ]),
    ),
  ]
}
