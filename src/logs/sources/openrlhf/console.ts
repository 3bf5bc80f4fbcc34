import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { bodyStart, consoleSource, type LineReader, screenTexts, textLines } from '../console/console-source.js'
import { endingEvents, endingSchema, newEnding, noteLine, noteStepAfter } from '../console/ending.js'
import type { Numbers } from '../python-json.js'
import { nameLists, warning } from '../source-helpers.js'
import {
  type Bar,
  extendPhase,
  meansOf,
  newPhase,
  type Phase,
  phaseSchema,
  readArguments,
  readBar,
  readPostfix,
  readStatus,
  startsAnew,
} from './printed.js'

/**
 * What OpenRLHF's PPO trainers print, with or without Ray; see docs/sources/openrlhf.md. Since 0.6 the trainer prints a
 * status line per global step with all metrics in full. Older logs have only progress bars; a bar counts only while no
 * status line has come, because Ray drops bars that look alike and prints others late.
 */

const TELL_TALE =
  /^(?:\x1b\[[\d;]*m)?\((?:PPOTrainer(?:Async)?|PolicyModelActor|CriticModelActor|ActorModelRayActor|CriticModelRayActor) pid=\d|^(?:[A-Z]+ [\d:. -]+ [\w.-]+:\d+\] )?✨ Global step \d+: \{'|^namespace\([^\r\n]*\balgo=namespace\(|^Namespace\([^\r\n]*\binit_kl_coef=|(?:^|[\r\n])Train epoch \[\d+\/\d+\]: +\d+%\|[^|\r\n]{0,400}\|[^[\r\n]{0,100}\[[^\]\r\n]{0,100}\b(?:act_loss|pg|critic_loss)=/m

const RUN_NAME = /\b(?:run_name=|--logger\.wandb\.run_name |--wandb_run_name )['"]?([^\s'",)]+)/

const say = sentences({
  'openrlhf.bad-status': {
    en: 'the metrics of {count} {count|step|steps} could not be read (first: global step {step}); left out',
    zh: '有 {count} 个 step 的指标无法解析（首个：global step {step}），已略过',
  },
})

const stateSchema = z.object({
  /** Ray's `(PPOTrainer pid=1) `, which stands before a row of bars once. */
  process: z.string(),
  hasStatus: z.boolean(),
  /** A whole step has passed without a status line: this log has none. */
  onlyBars: z.boolean(),
  lastStep: z.number().nullable(),
  /** The training under way, of each process that draws bars. */
  phases: z.array(z.tuple([z.string(), phaseSchema])),
  episodePostfix: z.string(),
  ended: z.boolean(),
  badLines: z.object({ count: z.number(), step: z.number() }),
  overlongLines: z.number(),
  ending: endingSchema.default(newEnding),
})

type ConsoleState = z.infer<typeof stateSchema>

function newConsoleState(): ConsoleState {
  return {
    process: '',
    hasStatus: false,
    onlyBars: false,
    lastStep: null,
    phases: [],
    episodePostfix: '',
    ended: false,
    badLines: { count: 0, step: 0 },
    overlongLines: 0,
    ending: newEnding(),
  }
}

/** `INFO 11-15 10:36:11 ppo_trainer.py:551] `; printed texts of samples must not pass for a status. */
const LOGGED = String.raw`^(?:[A-Z]+ \d\d-\d\d \d\d:\d\d:\d\d [\w.-]+:\d+\] )?`
const STATUS = new RegExp(String.raw`${LOGGED}(?:✨ )?Global step (\d{1,15})(?: \[\w+\])?: (?=\{)`)
const EVALUATION = new RegExp(
  String.raw`${LOGGED}(?:✨ Evaluation completed in [^,]{1,40}, global_step (\d{1,15}), eval_metrics: |Eval at step (\d{1,15}): )(?=\{)`,
)
const RESUMED = new RegExp(String.raw`${LOGGED}(?:checkpoint_states: \{|Loading the checkpoint: )`)
const JOB_ENDED = /^Job 'raysubmit_\w+' (succeeded|failed|was stopped)/
const REPEATED = / \[repeated \d+x across cluster\][^{}]*$/
/** Processes that draw bars: the actor, the critic, the trainer. More of them is no log of OpenRLHF. */
const MOST_PROCESSES = 64

/** The reader keeps what it must remember in `state`, which it changes in place. */
function createConsoleReader(state: ConsoleState): LineReader {
  const shared = nameLists()
  let events: RunEvent[] = []

  function readText(text: string): void {
    const start = bodyStart(text)
    if (start > 0) state.process = text.slice(0, start).trimEnd()
    const body = start > 0 ? text.slice(start) : text
    noteLine(state.ending, body, state.process)
    if (body.includes('%|')) {
      const bar = state.hasStatus && !body.startsWith('Episode') ? null : readBar(body)
      if (bar !== null) takeBar(bar)
    } else if (!takeStatus(body) && !takeEvaluation(body)) takeMark(body)
  }

  function takeStatus(body: string): boolean {
    const match = body.includes('Global step') ? STATUS.exec(body) : null
    if (match === null) return false
    const step = Number(match[1])
    const status = readStatus(body.slice(match[0].length).replace(REPEATED, ''))
    if (status === null) {
      if (state.badLines.count === 0) state.badLines.step = step
      state.badLines.count += 1
      return true
    }
    if (state.onlyBars && !state.hasStatus && state.episodePostfix === '') sayWholePhases()
    state.hasStatus = true
    state.phases = []
    if (state.lastStep !== null && step <= state.lastStep) restart()
    state.lastStep = step
    sayStatus(step, status)
    return true
  }

  function takeEvaluation(body: string): boolean {
    const match = body.includes('Eval') ? EVALUATION.exec(body) : null
    if (match === null) return false
    const status = readStatus(body.slice(match[0].length).replace(REPEATED, ''))
    if (status !== null) sayStatus(Number(match[1] ?? match[2]), status)
    return true
  }

  function sayStatus(step: number, { metrics, values }: Numbers): void {
    if (metrics.length === 0) return
    events.push({ type: 'row', step, time: null, metrics: shared(metrics), values })
    noteStepAfter(state.ending)
  }

  function takeMark(body: string): void {
    if (/^[Nn]amespace\(/.test(body)) {
      const config = readArguments(body)
      if (config === null) return
      if (state.lastStep !== null) restart()
      events.push({ type: 'config', config })
      const name = config['logger.wandb.run_name'] ?? config.wandb_run_name
      if (typeof name === 'string') events.push({ type: 'about', about: { name } })
    } else if (RESUMED.test(body)) {
      if (state.lastStep !== null) restart()
    } else {
      const how = JOB_ENDED.exec(body)?.[1]
      if (how !== undefined) end(how === 'succeeded' ? 'finished' : how === 'failed' ? 'failed' : 'killed')
    }
  }

  function takeBar(bar: Bar): void {
    if (bar.kind === 'episode') {
      if (!state.hasStatus && bar.postfix !== '' && bar.postfix !== state.episodePostfix) takeEpisodePostfix(bar)
      if (bar.nth === bar.of && bar.done === bar.total && bar.total > 0) end('finished')
      return
    }
    const known = state.phases.find(([process]) => process === state.process)
    if (known === undefined) {
      if (state.phases.length >= MOST_PROCESSES) return
      const phase = newPhase((state.lastStep ?? 0) + 1)
      state.phases.push([state.process, phase])
      extendPhase(phase, bar)
      return
    }
    const [, phase] = known
    if (startsAnew(phase, bar)) {
      state.onlyBars = true
      sayPhase(phase)
      const next = newPhase(phase.step + 1)
      known[1] = next
      extendPhase(next, bar)
      return
    }
    extendPhase(phase, bar)
  }

  /** Versions before 0.6 set the step's means, under their full names, behind the bar of the episode. */
  function takeEpisodePostfix(bar: Bar): void {
    const read = readPostfix(bar.postfix).filter(({ metric }) => metric !== 'prompts_consumed')
    state.episodePostfix = bar.postfix
    if (read.length === 0) return
    const phase = state.phases.find(([process]) => process === state.process)?.[1]
    const step = phase?.step ?? (state.lastStep ?? 0) + 1
    if (phase !== undefined) phase.sums = []
    state.lastStep = step
    const metrics = read.map(({ metric }) => metric)
    const values = read.map(({ value }) => value)
    events.push({ type: 'row', step, time: null, metrics, values, decimals: read.map(({ decimals }) => decimals) })
    noteStepAfter(state.ending)
  }

  function sayPhase(phase: Phase): boolean {
    if (phase.sums.length === 0) return false
    events.push({ type: 'row', step: phase.step, time: null, ...meansOf(phase) })
    noteStepAfter(state.ending)
    state.lastStep = Math.max(state.lastStep ?? 0, phase.step)
    phase.sums = []
    return true
  }

  /** Of a log that has shown nothing but bars for longer a whole step is final, whatever follows. */
  function sayWholePhases(): boolean {
    return state.phases.filter(([, phase]) => phase.complete && sayPhase(phase)).length > 0
  }

  function end(status: 'finished' | 'failed' | 'killed'): void {
    state.ended = true
    events.push({ type: 'status', status })
  }

  function restart(): void {
    if (!state.hasStatus) for (const [, phase] of state.phases) sayPhase(phase)
    events.push({ type: 'restart' })
    state.lastStep = null
    state.phases = []
    state.episodePostfix = ''
    if (!state.ended) return
    state.ended = false
    events.push({ type: 'status', status: 'unknown' })
  }

  return {
    ...textLines('text', (line, into) => {
      events = into
      for (const text of screenTexts(line)) if (text !== '') readText(text)
    }),
    /** Says the step that bars have shown whole, where nothing tells yet whether a status line follows. */
    end(into) {
      events = into
      if (!state.ended) events.push(...endingEvents(state.ending))
      if (state.hasStatus || state.episodePostfix !== '') return 'settled'
      return sayWholePhases() && !state.onlyBars ? 'may-change' : 'settled'
    },
    totals: () => (state.badLines.count === 0 ? [] : [warning(say('openrlhf.bad-status', state.badLines))]),
  }
}

export const openrlhfConsole = consoleSource({
  id: 'openrlhf',
  unit: 'text',
  recognise: head => TELL_TALE.test(head),
  runName: head => RUN_NAME.exec(head)?.[1],
  state: stateSchema,
  newState: newConsoleState,
  open: createConsoleReader,
})
