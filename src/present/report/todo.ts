import type { OtherSide } from '../../analysis/compare/answer.js'
import type { RunSide } from '../../analysis/compare/evidence.js'
import type { Finding } from '../../model/finding.js'
import { shownName } from '../../store/manifest.js'
import { figure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { forShell } from '../../text/shell.js'
import { settingLabel } from '../../text/vocabulary.js'
import { type Block, code, heading, type Inline, list, paragraph, strong } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { RunCost } from './cost.js'

/** What to do next: each with its reason, its cost and the command. The first is the cheapest that would settle it. */
export interface Todo {
  readonly text: string
  readonly cost: string | null
  readonly command: string | null
}

export function comparisonTodos(
  speaker: Speaker,
  [baseline, side]: readonly [RunSide, RunSide],
  other: OtherSide,
  cost: RunCost | null,
): readonly Todo[] {
  const { headline, unused, attribution, confounds } = other
  const label = (knob: string): string => {
    const keys = confounds.filter(confound => confound.knob === knob && !confound.key.endsWith('.on'))
    return settingLabel(keys[0]?.key ?? knob, speaker.language)
  }
  const open = headline.answer === 'undetermined'
  const { evals, prompts, note } = headline.toSettle
  const more = 3 - Math.min(baseline.runs.length, side.runs.length)
  const names = `${forShell(baseline.label)} ${forShell(side.label)}`
  return [
    ...(open ? unused : []).map(message => ({
      text: speaker.say(words('report.todo.import', { message: speaker.say(message) })),
      cost: speaker.say(words('report.cost.free', {})),
      command: 'klens import LOG',
    })),
    ...attribution.separating.map(({ knob, run }) => ({
      text: speaker.say(words('report.todo.compare', { baseline: baseline.label, run, setting: label(knob) })),
      cost: speaker.say(words('report.cost.free', {})),
      command: `klens compare ${forShell(baseline.label)} ${forShell(run)}`,
    })),
    ...(open && note?.key === 'compare.settle-margin'
      ? [
          {
            text: speaker.say(words('report.todo.margin', {})),
            cost: speaker.say(words('report.cost.free', {})),
            command: `klens compare ${names} --margin 2%`,
          },
        ]
      : []),
    ...(open && prompts !== undefined
      ? [{ text: speaker.say(words('report.todo.prompts', { prompts })), cost: null, command: null }]
      : []),
    ...(open && evals !== undefined
      ? [{ text: speaker.say(words('report.todo.evals', { evals })), cost: null, command: null }]
      : []),
    ...(attribution.smallestFix === null
      ? []
      : [
          {
            text: speaker.say(
              words('report.todo.separate', {
                baseline: baseline.label,
                setting: label(attribution.smallestFix),
              }),
            ),
            cost: costText(speaker, cost, 1),
            command: null,
          },
        ]),
    ...(headline.answer === 'better' || headline.answer === 'worse'
      ? [useTodo(speaker, headline.answer === 'better' ? side : baseline)]
      : []),
    ...(headline.scope === 'runs' && more > 0
      ? [
          {
            text: speaker.say(words('report.todo.seeds', { more })),
            cost: costText(speaker, cost, 2 * more),
            command: `klens plan ${names}`,
          },
        ]
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
