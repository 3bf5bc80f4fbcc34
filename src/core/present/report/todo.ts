import type { Finding } from '../../../logs/model/finding.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { comparisonSentences } from '../../../text/compare.js'
import { figure } from '../../../text/numbers.js'
import { reportSentences as words } from '../../../text/report.js'
import { forShell } from '../../../text/shell.js'
import { reportedRanges } from '../../analysis/compare/cost.js'
import type { RunSide } from '../../analysis/compare/evidence.js'
import type { CompareAnswer } from '../../analysis/compare/result.js'
import { RUNS_FOR_CONFIGS } from '../../analysis/conventions.js'
import type { RunView } from '../../analysis/run-view.js'
import { meanOf, shownName } from '../../store/manifest.js'
import { type Block, code, heading, type Inline, list, paragraph, strong } from '../blocks.js'
import { knobLabel, settlingRows } from '../comparison.js'
import { type Speaker, saying } from '../speaker.js'

/** What one more run like this one would cost, in GPU-hours, as a range where only a range is known. */
export interface RunCost {
  readonly low: number
  readonly high: number
}

export function costOf({ manifest, config, settings, meaningOf, metricsNamed }: RunView): RunCost | null {
  const logged = metricsNamed('time.step')[0]
  const record = logged === undefined ? undefined : manifest.metrics.get(logged)
  const told = [...reportedRanges(config)].find(([name]) => meaningOf(name).canonical === 'time.step')?.[1]
  const seconds = record === undefined ? (told ?? null) : { low: meanOf(record), high: meanOf(record) }
  const lastStep = Math.max(0, ...[...manifest.metrics.values()].map(metric => metric.lastStep))
  const steps = numberOf(settings.get('steps')?.effective) ?? lastStep
  if (seconds === null || !(steps > 0)) return null
  const cards = (numberOf(settings.get('gpus')?.effective) ?? 1) * (numberOf(settings.get('nodes')?.effective) ?? 1)
  const hours = (size: number): number => (size * steps * cards) / 3600
  return { low: hours(seconds.low), high: hours(seconds.high) }
}

/** The dearest of a side's runs stands for the next one. */
export function sideCost({ runs }: RunSide): RunCost | null {
  const costs = runs.map(costOf).filter(cost => cost !== null)
  return costs.reduce<RunCost | null>((most, cost) => (most === null || cost.high > most.high ? cost : most), null)
}

/** What to do next: each with its reason, its cost and the command. The first is the cheapest that would settle it. */
export interface Todo {
  readonly text: string
  readonly cost: string | null
  readonly command: string | null
}

interface PairOfSides {
  readonly baseline: RunSide
  readonly side: RunSide
  readonly cost: RunCost | null
}

export function comparisonTodos(
  speaker: Speaker,
  answer: CompareAnswer,
  at: number,
  { baseline, side, cost }: PairOfSides,
): readonly Todo[] {
  const say = saying(speaker, comparisonSentences)
  const pair = answer.others[at]
  const verdict = answer.verdicts[pair.headline]
  const { separating, smallestFix } = answer.attribution[at]
  const label = knobLabel(pair, speaker)
  const more = RUNS_FOR_CONFIGS - Math.min(baseline.runs.length, side.runs.length)
  const free = speaker.say(words('report.cost.free', {}))
  const seeds = {
    cost: costText(speaker, cost, 2 * more),
    command: `klens plan ${forShell(baseline.label)} ${forShell(side.label)}`,
  }
  const settling = settlingRows(verdict, pair, speaker)
  const isAboutSeeds = verdict.scope === 'runs' && more > 0
  return [
    ...settling.map(({ kind, text }) => ({
      text,
      ...(kind === 'free'
        ? { cost: free, command: 'klens import LOG' }
        : kind === 'seeds' && isAboutSeeds
          ? seeds
          : { cost: null, command: null }),
    })),
    ...separating.map(({ knob, run }) => ({
      text: say('compare.separating', { baseline: baseline.label, run, setting: label(knob) }),
      cost: free,
      command: `klens compare ${forShell(baseline.label)} ${forShell(run)}`,
    })),
    ...(smallestFix === null
      ? []
      : [
          {
            text: say('compare.smallest-fix', { baseline: baseline.label, setting: label(smallestFix) }),
            cost: costText(speaker, cost, 1),
            command: null,
          },
        ]),
    ...(verdict.answer === 'better' || verdict.answer === 'worse'
      ? [useTodo(speaker, verdict.answer === 'better' ? side : baseline)]
      : []),
    ...(isAboutSeeds && !settling.some(({ kind }) => kind === 'seeds')
      ? [{ text: speaker.say(words('report.todo.seeds', { more })), ...seeds }]
      : []),
  ]
}

function useTodo(speaker: Speaker, { label, runs, checkpoint }: RunSide): Todo {
  // The run, not the side: `RUN@step` is one checkpoint, and has no others to choose among.
  const command = `klens checkpoints ${forShell(shownName(runs[0].manifest))}`
  const text = speaker.say(
    words(checkpoint === null ? 'report.todo.use' : 'report.todo.use-checkpoint', { side: label }),
  )
  return { text, cost: speaker.say(words('report.cost.free', {})), command }
}

/** Findings that need a hand, the gravest first. */
export function findingTodos(
  speaker: Speaker,
  findings: readonly { readonly run: string; readonly finding: Finding }[],
): readonly Todo[] {
  return findings
    .filter(({ finding }) => finding.severity !== 'note')
    .map(({ run, finding }) => ({
      text: speaker.say(words('report.todo.finding', { run, remedy: speaker.sentence(speaker.say(finding.remedy)) })),
      cost: null,
      command: null,
    }))
}

/** The first as a sentence of its own, below the answer. */
export function nextStep(speaker: Speaker, todos: readonly Todo[]): readonly Block[] {
  const [first] = todos
  return first === undefined
    ? []
    : [paragraph(strong(speaker.say(words('report.next', {}))), ' ', ...todoParts(speaker, first))]
}

const MOST = 8

/** What comes after it. */
export function todoBlocks(speaker: Speaker, todos: readonly Todo[]): readonly Block[] {
  const shown = todos.slice(1, MOST)
  if (todos.length === 1) return []
  if (shown.length === 0) {
    return [
      heading(speaker.say(words('report.head.todo', {}))),
      paragraph(speaker.say(words('report.todo.nothing', {}))),
    ]
  }
  return [heading(speaker.say(words('report.head.todo', {}))), list(shown.map(todo => todoParts(speaker, todo)))]
}

function todoParts(speaker: Speaker, { text, cost, command }: Todo): Inline[] {
  return [
    text,
    ...(cost === null ? [] : [speaker.language === 'zh' ? `（${cost}）` : ` (${cost})`]),
    ...(command === null ? [] : [' ', code(command)]),
  ]
}

export function costText(speaker: Speaker, cost: RunCost | null, count: number): string {
  if (cost === null) return speaker.say(words('report.cost.unknown', {}))
  const [low, high] = [cost.low * count, cost.high * count].map(hours => figure(hours, 2))
  const hours = low === high ? low : `${low}–${high}`
  return count === 1
    ? speaker.say(words('report.cost.run', { hours }))
    : speaker.say(words('report.cost.runs', { hours, count }))
}
