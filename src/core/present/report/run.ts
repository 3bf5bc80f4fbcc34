import { encode } from '../../../text/encode.js'
import { figure as figureText } from '../../../text/numbers.js'
import { reportSentences as words } from '../../../text/report.js'
import { forShell } from '../../../text/shell.js'
import type { RankedRun } from '../../analysis/checkpoints/rank-run.js'
import { shownName } from '../../store/manifest.js'
import { type Block, type ChartBlock, figure, heading, type Inline, list, paragraph, strong } from '../blocks.js'
import { rankingTable } from '../checkpoints.js'
import { type Speaker, sentenceWith } from '../speaker.js'
import { rankedName } from './charts.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings, uncheckedItems } from './diagnosis.js'
import type { ReportContent } from './frame.js'
import { changedBlocks, evidenceBlocks, type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { findingTodos, nextStep, type Todo, todoBlocks } from './todo.js'

/** One run: is it well, which checkpoint, and what next. */
export interface RunInput extends Frame {
  readonly diagnosed: Diagnosed
  /** Null: the run has no metric of the wanted name. */
  readonly ranking: RankedRun | null
  /** The metric as it was asked for. */
  readonly wanted: string
  readonly charts: { readonly evaluations: readonly ChartBlock[]; readonly training: readonly ChartBlock[] }
}

export function runReport(speaker: Speaker, input: RunInput): ReportContent {
  const { diagnosed, ranking, charts, provenance } = input
  const name = shownName(diagnosed.run.manifest)
  const memory = memoryOf(input)
  const todos = [...findingTodos(speaker, findingsOf([diagnosed])), ...shipTodo(speaker, name, ranking)]
  const unchecked = uncheckedItems(speaker, [diagnosed])
  return framed(speaker, input, {
    title: speaker.say(words('report.title.run', { run: name })),
    memory,
    blocks: [
      answer(speaker, input),
      ...nextStep(speaker, todos),
      ...changedBlocks(speaker, input.before, memory),
      ...todoBlocks(speaker, todos),
      ...checkpointBlocks(speaker, input),
      ...(charts.training.length === 0 ? [] : [heading(speaker.say(words('report.head.training', {})))]),
      ...charts.training,
      ...diagnosisBlocks(speaker, [diagnosed]),
      ...(unchecked.length === 0 ? [] : [heading(speaker.say(words('report.head.open', {}))), list(unchecked)]),
      ...evidenceBlocks(speaker, [diagnosed.run], [], provenance),
    ],
  })
}

function answer(speaker: Speaker, { diagnosed, ranking, wanted }: RunInput): Block {
  const findings = diagnosed.diagnosis.findings
  const count = (severity: string): number => findings.filter(finding => finding.severity === severity).length
  const [errors, warnings] = [count('error'), count('warning')]
  const health =
    errors + warnings === 0
      ? speaker.say(words('report.run.healthy', {}))
      : speaker.say(words('report.run.sick', { errors, warnings, finding: speaker.say(findings[0].message) }))
  return paragraph(strong(health), ' ', ...bestParts(speaker, ranking, wanted))
}

function bestParts(speaker: Speaker, ranking: RankedRun | null, wanted: string): readonly Inline[] {
  const best = ranking?.ranked?.best
  if (ranking === null || best === undefined) return [speaker.say(words('report.run.no-metric', { metric: wanted }))]
  const { value, step, shrunken } = best
  const metric = rankedName(ranking, wanted, speaker.language)
  const source = speaker.say(
    words('report.source', {
      metric: ranking.metric,
      runs: '',
      aggregate: speaker.say(words('report.source.at', { step })),
    }),
  )
  const parts = { value: figure(figureText(value, 4), source) }
  const text =
    shrunken === null
      ? words('report.run.best-plain', { metric, value: '', step })
      : words('report.run.best', { metric, value: '', step, shrunken: figureText(Number(shrunken), 4) })
  return sentenceWith(speaker, text, parts)
}

function shipTodo(speaker: Speaker, run: string, ranking: RankedRun | null): readonly Todo[] {
  const take = ranking?.ranked?.take
  if (take === undefined || take.expected === null) return []
  const text = speaker.say(words('report.todo.ship', { run, step: take.step, why: speaker.say(take.why) }))
  return [{ text, cost: speaker.say(words('report.cost.free', {})), command: `klens checkpoints ${forShell(run)}` }]
}

const MOST_ROWS = 12

function checkpointBlocks(speaker: Speaker, { ranking, charts }: RunInput): readonly Block[] {
  if (ranking === null || ranking.ranked === null) return []
  const answer = encode(ranking.ranked, speaker.language)
  return [
    heading(speaker.say(words('report.head.checkpoints', {}))),
    ...charts.evaluations,
    list(answer.reasons.map(reason => [speaker.sentence(reason)])),
    rankingTable(answer, speaker, MOST_ROWS),
  ]
}

function memoryOf({ diagnosed, ranking, wanted }: RunInput): Memory {
  return {
    runs: [diagnosed.run.manifest.id],
    metric: ranking?.metric ?? wanted,
    evaluations: ranking?.ranked?.ranking.length ?? 0,
    verdicts: [],
    findings: rememberedFindings([diagnosed]),
  }
}
