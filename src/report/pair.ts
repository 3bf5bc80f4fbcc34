import type { OtherSide, RunComparison } from '../analysis/compare/answer.js'
import { choiceSentence } from '../analysis/compare/choose.js'
import { areOfOneRun, type RunSide } from '../analysis/compare/evidence.js'
import type { ComparisonAxis, Verdict } from '../model/verdict.js'
import { clauses } from '../text/language.js'
import { decimalsFor, figure as figureText, fixed, signed, signedFigure } from '../text/numbers.js'
import { metricLabel, settingLabel } from '../text/vocabulary.js'
import { answerBlocks } from './answer.js'
import {
  type Block,
  type Chart,
  chartBlock,
  figure,
  heading,
  type Inline,
  paragraph,
  type Told,
  table,
} from './blocks.js'
import { changedBlocks } from './changed.js'
import { sideCost } from './cost.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings, uncheckedItems } from './diagnosis.js'
import { evidenceBlocks, openBlocks } from './evidence.js'
import { type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { comparisonTodos, findingTodos, nextStep, todoBlocks } from './todo.js'
import type { Voice } from './voice.js'

/** A against B: the answer first, then what to do, then everything that the two rest on. */
export interface PairInput extends Frame {
  readonly sides: readonly RunSide[]
  readonly comparison: RunComparison
  readonly diagnosed: readonly Diagnosed[]
  readonly charts: { readonly evaluations: readonly Chart[]; readonly training: readonly Chart[] }
}

export function pairReport(voice: Voice, input: PairInput): Told {
  const { sides, comparison, diagnosed, charts, provenance, before } = input
  const [baseline, ...others] = sides
  const memory = memoryOf(input)
  const isOneRun = areOfOneRun(sides)
  const findings = findingsOf(diagnosed)
  const todos = [
    ...comparison.others.flatMap((other, i) =>
      comparisonTodos(voice, [baseline, others[i]], other, sideCost(others[i])),
    ),
    ...findingTodos(voice, findings),
  ]
  return framed(voice, input, {
    title: voice.say('report.title.pair', {
      other: others.map(({ label }) => label).join(', '),
      baseline: baseline.label,
    }),
    memory,
    blocks: [
      ...comparison.others.flatMap((other, i) => answerBlocks(voice, [baseline, others[i]], comparison, other)),
      ...nextStep(voice, todos),
      ...changedBlocks(voice, before, memory),
      ...todoBlocks(voice, todos),
      ...choiceBlocks(voice, comparison),
      ...verdictBlocks(voice, comparison, isOneRun),
      heading(voice.say('report.head.curves', {})),
      ...charts.evaluations.map(chartBlock),
      ...(isOneRun ? [] : [evaluationTable(voice, sides, comparison)]),
      ...(charts.training.length === 0 ? [] : [heading(voice.say('report.head.training', {}))]),
      ...charts.training.map(chartBlock),
      ...diagnosisBlocks(voice, diagnosed),
      ...(isOneRun ? [] : settingsBlocks(voice, sides, comparison)),
      ...openBlocks(voice, comparison, uncheckedItems(voice, diagnosed)),
      ...evidenceBlocks(
        voice,
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

function choiceBlocks(voice: Voice, { others }: RunComparison): readonly Block[] {
  return others.flatMap(({ choice, headline }) => {
    if (choice === null || headline.answer !== 'undetermined') return []
    return [paragraph(voice.say('report.todo.choose', { line: choiceSentence(choice) }))]
  })
}

function verdictBlocks(voice: Voice, comparison: RunComparison, isOneRun: boolean): readonly Block[] {
  const header = (['question', 'answer', 'difference', 'interval', 'about'] as const).map(name =>
    voice.say(`report.column.${name}`, {}),
  )
  const rows = comparison.others.flatMap(other =>
    [...other.verdicts.filter(({ question }) => question !== 'cost'), ...other.costs]
      .filter(({ question }) => !isOneRun || question === 'checkpoint')
      .map(verdict => verdictRow(voice, verdict, other, comparison.others.length > 1)),
  )
  return [heading(voice.say('report.head.verdicts', {})), table(header, rows)]
}

function verdictRow(voice: Voice, verdict: Verdict, other: OtherSide, named: boolean): Inline[] {
  const { question, metric, estimate, interval, answer, scope } = verdict
  const asked = question === 'cost' ? metricLabel(metric, voice.language) : voice.say(`question.${question}`, {})
  const decimals = interval === null ? 4 : decimalsFor(interval)
  const unit = question === 'speed' ? 'steps' : question === 'stability' ? 'ratio' : 'plain'
  const source = voice.say('report.source', {
    metric,
    runs: `${verdict.other} − ${verdict.baseline}`,
    aggregate: clauses(verdict.reasons.map(voice.render), voice.language),
  })
  const number = (value: number): string => {
    if (unit === 'ratio') return `× ${fixed(value, 2)}`
    if (unit === 'steps') return distance(voice, other.along.axis, value)
    return `${signed(value, decimals)}${question === 'cost' ? (COST_UNITS[metric] ?? '') : ''}`
  }
  return [
    named ? `${asked}, ${other.label}` : asked,
    voice.say(`report.word.${answer}`, {}),
    estimate === null ? '–' : figure(number(estimate), source),
    interval === null ? '–' : `${number(interval[0])} … ${number(interval[1])}`,
    voice.say(`scope.${scope}`, {}),
  ]
}

/** How much sooner or later, in the unit of the axis. */
function distance(voice: Voice, axis: ComparisonAxis, value: number): string {
  if (axis === 'steps') return voice.say('report.steps', { n: signed(value, 0) })
  return voice.say(`compare.apart.${axis}`, { size: signedFigure(value, 3) })
}

const COST_UNITS: { readonly [metric: string]: string } = {
  'time.step': ' s',
  throughput: ' tokens/s/GPU',
  tokens: ' tokens',
}

const MOST_ROWS = 40

/** All shared evaluations, or as many as fit: evenly spread, the first and the last among them. */
function evaluationTable(
  voice: Voice,
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
          voice.say('report.source', {
            metric: request.metric,
            runs: label,
            aggregate: voice.say('report.source.at', { step }),
          }),
        )
  const unit = voice.say(`compare.column.${along.axis}`, {})
  const header = [
    along.width === null ? unit : voice.say('compare.column.until', { unit }),
    ...sides.map(({ label }) => label),
    voice.say('report.column.difference', {}),
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

function settingsBlocks(voice: Voice, sides: readonly RunSide[], { confounds }: RunComparison): readonly Block[] {
  const title = heading(voice.say('report.head.settings', {}))
  if (confounds.length === 0) return [title, paragraph(voice.sentence(voice.say('compare.no-differences', {})))]
  const header = [voice.say('report.column.setting', {}), ...sides.map(({ label }) => label)]
  return [
    title,
    table(
      header,
      confounds.map(({ key, values }) => [
        settingLabel(key, voice.language),
        ...values.map(value => (value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value))),
      ]),
    ),
  ]
}
