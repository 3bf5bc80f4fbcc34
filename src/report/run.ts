import type { RankedRun } from '../analysis/checkpoints/rank-run.js'
import { shownName } from '../store/manifest.js'
import { figure as figureText } from '../text/numbers.js'
import { forShell } from '../text/shell.js'
import { metricLabel } from '../text/vocabulary.js'
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
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings, uncheckedItems } from './diagnosis.js'
import { evidenceBlocks } from './evidence.js'
import { type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'
import { findingTodos, nextStep, type Todo, todoBlocks } from './todo.js'
import type { Voice } from './voice.js'

/** One run: is it well, which checkpoint, and what next. */
export interface RunInput extends Frame {
  readonly diagnosed: Diagnosed
  /** Null: the run has no metric of the wanted name. */
  readonly ranking: RankedRun | null
  /** The metric as it was asked for. */
  readonly wanted: string
  readonly charts: { readonly evaluations: readonly Chart[]; readonly training: readonly Chart[] }
}

export function runReport(voice: Voice, input: RunInput): Told {
  const { diagnosed, ranking, charts, provenance } = input
  const name = shownName(diagnosed.run.manifest)
  const memory = memoryOf(input)
  const todos = [...findingTodos(voice, findingsOf([diagnosed])), ...shipTodo(voice, name, ranking)]
  const unchecked = uncheckedItems(voice, [diagnosed])
  return framed(voice, input, {
    title: voice.say('report.title.run', { run: name }),
    memory,
    blocks: [
      answer(voice, input),
      ...nextStep(voice, todos),
      ...changedBlocks(voice, input.before, memory),
      ...todoBlocks(voice, todos),
      ...checkpointBlocks(voice, input),
      ...(charts.training.length === 0 ? [] : [heading(voice.say('report.head.training', {}))]),
      ...charts.training.map(chartBlock),
      ...diagnosisBlocks(voice, [diagnosed]),
      ...(unchecked.length === 0 ? [] : [heading(voice.say('report.head.open', {})), list(unchecked)]),
      ...evidenceBlocks(voice, [diagnosed.run], [], provenance),
    ],
  })
}

function answer(voice: Voice, { diagnosed, ranking, wanted }: RunInput): Block {
  const findings = diagnosed.diagnosis.findings
  const count = (severity: string): number => findings.filter(finding => finding.severity === severity).length
  const [errors, warnings] = [count('error'), count('warning')]
  const health =
    errors + warnings === 0
      ? voice.say('report.run.healthy', {})
      : voice.say('report.run.sick', { errors, warnings, finding: voice.render(findings[0].message) })
  return paragraph(strong(health), ' ', ...bestParts(voice, ranking, wanted))
}

function bestParts(voice: Voice, ranking: RankedRun | null, wanted: string): readonly Inline[] {
  const best = ranking?.ranked?.best
  if (ranking === null || best === undefined) return [voice.say('report.run.no-metric', { metric: wanted })]
  const { value, step, shrunken } = best
  const label = metricLabel(wanted, voice.language)
  const metric = label === wanted ? ranking.metric : label
  const source = voice.say('report.source', {
    metric: ranking.metric,
    runs: '',
    aggregate: voice.say('report.source.at', { step }),
  })
  const text =
    shrunken === null
      ? voice.say('report.run.best-plain', { metric, value: '\u0001', step })
      : voice.say('report.run.best', { metric, value: '\u0001', step, shrunken: figureText(shrunken, 4) })
  const [before, behind] = text.split('\u0001')
  return [before, figure(figureText(value, 4), source), behind]
}

function shipTodo(voice: Voice, run: string, ranking: RankedRun | null): readonly Todo[] {
  const take = ranking?.take
  if (take === undefined || take === null || take.expected === null) return []
  const text = voice.say('report.todo.ship', { run, step: take.step, why: voice.render(take.why) })
  return [{ text, cost: voice.say('report.cost.free', {}), command: `klens checkpoints ${forShell(run)}` }]
}

const MOST_ROWS = 12

function checkpointBlocks(voice: Voice, { ranking, charts }: RunInput): readonly Block[] {
  const ranked = ranking?.ranked
  if (ranking === null || ranked === undefined || ranked === null) return []
  const alike = new Set(ranked.indistinguishable)
  const header = [
    voice.say('report.column.step', {}),
    ranking.metric,
    voice.say('report.column.set', {}),
    ...ranking.beside,
  ]
  const rows = ranked.ranking.slice(0, MOST_ROWS).map(({ step, value }) => {
    const others = ranking.valuesAt(step)
    return [
      String(step),
      figureText(value, 4),
      alike.has(step) && ranked.best.interval !== null ? voice.say('report.yes', {}) : '',
      ...ranking.beside.map(metric => (others[metric] === undefined ? '' : figureText(others[metric], 4))),
    ]
  })
  return [
    heading(voice.say('report.head.checkpoints', {})),
    ...charts.evaluations.map(chartBlock),
    list(ranked.reasons.map(reason => [voice.sentence(voice.render(reason))])),
    table(header, rows),
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
