import { type Block, paragraph } from '../../core/present/blocks.js'
import { type Speaker, speakerIn } from '../../core/present/speaker.js'
import { terminalLines } from '../../core/present/terminal.js'
import type { Language } from '../../text/language.js'
import type { PresentableQuestion } from './presentable.js'
import type { QuestionTypes } from './question-types.js'

/** The presenter of every question whose answer people read, by the question's name. */

interface Shown {
  readonly all: boolean
  readonly charts: boolean
}

type Presenters = {
  readonly [Name in PresentableQuestion]: () => Promise<
    (answer: QuestionTypes[Name]['answer'], speaker: Speaker, shown: Shown) => readonly Block[]
  >
}

const PRESENTERS: Presenters = {
  'run-table': async () => {
    const { runsBlocks } = await import('../../core/present/runs.js')
    return (answer, speaker) => runsBlocks(answer, speaker)
  },
  show: async () => (await import('../../core/present/show.js')).showBlocks,
  origin: async () => (await import('../../core/present/origin.js')).originBlocks,
  samples: async () => {
    const { samplesBlocks } = await import('../../core/present/samples.js')
    return (answer, speaker) => samplesBlocks(answer, speaker, { flips: true, failures: true })
  },
  compare: async () => {
    const { comparisonBlocks } = await import('../../core/present/comparison.js')
    const { answerCharts } = await import('../../core/present/comparison-charts.js')
    return (answer, speaker, { all, charts }) => [
      ...comparisonBlocks(answer, speaker, { all }),
      ...(charts ? answerCharts(answer, speaker) : []),
    ]
  },
  checkpoints: async () => (await import('../../core/present/checkpoints.js')).checkpointsBlocks,
  diagnose: async () => (await import('../../core/present/diagnosis.js')).diagnosisBlocks,
  decide: async () => (await import('../../core/present/decision.js')).decisionBlocks,
  sweep: async () => (await import('../../core/present/sweep.js')).sweepBlocks,
  frontier: async () => {
    const { frontierBlocks } = await import('../../core/present/frontier.js')
    return (answer, speaker) => frontierBlocks(answer, speaker)
  },
  forecast: async () => (await import('../../core/present/forecast.js')).forecastBlocks,
  plan: async () => (await import('../../core/present/plan.js')).planBlocks,
  preflight: async () => (await import('../../core/present/preflight.js')).preflightBlocks,
  audit: async () => (await import('../../core/present/audit.js')).auditBlocks,
  fill: async () => (await import('../../core/present/fill.js')).fillBlocks,
  goal: async () => (await import('../../core/present/goals.js')).goalsBlocks,
  gate: async () => (await import('../../core/present/gate.js')).gateBlocks,
  'gate-status': async () => (await import('../../core/present/gate.js')).gateStatusBlocks,
  import: async () => (await import('../../core/present/import.js')).importBlocks,
}

export function isPresentable(name: string): name is PresentableQuestion {
  return Object.hasOwn(PRESENTERS, name)
}

/** An answer as blocks: what every rendering of it is made of. */
export async function blocksOf<Name extends PresentableQuestion>(
  name: Name,
  answer: QuestionTypes[Name]['answer'],
  { lang = 'en', all = false, charts = false }: Partial<Shown> & { readonly lang?: Language } = {},
): Promise<readonly Block[]> {
  const presenter = await PRESENTERS[name]()
  return presenter(answer, speakerIn(lang), { all, charts })
}

/** Notes are remarks in a terminal; here they are part of the text. */
export function plainText(blocks: readonly Block[], all = false): string {
  const shown = blocks.map(block => (block.kind === 'note' ? paragraph(block.text) : block))
  return terminalLines(shown, { paint: (_, text) => text, width: null, all }).join('\n')
}
