import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { consoleSource, textLines } from '../console/console-source.js'
import { endingEvents, endingSchema, newEnding, noteLine, noteStepAfter } from '../console/ending.js'
import { pythonFloat } from '../console/python-literal.js'

/**
 * What Lever-Plus prints while it trains. A run's steps are its GRPO epochs, after which checkpoints are named and judged;
 * the epochs of the warm-up before it stand on an axis of their own.
 */

const HEADINGS = /^ {0,9}Epoch {1,20}Train Loss {1,20}Val Loss {1,20}(?:Temperature|PPO Loss {1,20}KL {1,20}Adv Std)\b/m
const BANNER = /^={60,200}\r?\n阶段[123]：/m
const COMMAND = /\blever_lm\.workflows\.grpo_post_train\b(.*)/
const FLAG = /(?:^|\s)--(\w{1,60})(?:[ =](?!--)(\S{1,500}))?/g

const stateSchema = z.object({
  phase: z.enum(['rce', 'grpo']).nullable(),
  lastEpoch: z.number(),
  /** Any epoch yet, of either phase: what comes again after it was started again. */
  hasEpochs: z.boolean(),
  overlongLines: z.number(),
  ending: endingSchema.default(newEnding),
  finished: z.boolean().default(false),
})

type State = z.infer<typeof stateSchema>

function newState(): State {
  return { phase: null, lastEpoch: 0, hasEpochs: false, overlongLines: 0, ending: newEnding(), finished: false }
}

/** The command with all its flags; a line of the table has a hundred characters. */
const LONGEST_LINE = 20_000

function readLine(line: string, state: State, events: RunEvent[]): void {
  if (line.length > LONGEST_LINE) return
  noteLine(state.ending, line, '')
  const complaints = loaderComplaints(line)
  if (Object.keys(complaints).length > 0) events.push({ type: 'config', config: complaints })
  const phase = line.includes('Epoch') ? phaseOfHeadings(line) : null
  if (phase !== null) {
    if (state.hasEpochs && (phase === 'rce' || state.phase === 'grpo')) events.push({ type: 'restart' })
    state.phase = phase
    state.lastEpoch = 0
  } else if (line.includes('grpo_post_train')) {
    const flags = COMMAND.exec(line)?.[1]
    if (flags !== undefined) events.push({ type: 'config', config: settingsOf(flags) })
  } else if (line.startsWith('✓ GRPO 训练完成')) {
    state.finished = true
    events.push({ type: 'status', status: 'finished' })
  } else if (state.phase !== null) {
    const read = readEpochLine(line, state.phase)
    if (read === null) return
    const { epoch, ...columns } = read
    if (epoch <= state.lastEpoch) events.push({ type: 'restart' })
    state.lastEpoch = epoch
    state.hasEpochs = true
    state.finished = false
    noteStepAfter(state.ending)
    const axis = state.phase === 'rce' ? { axis: 'rce_epoch' } : {}
    events.push({ type: 'row', step: epoch, time: null, ...columns, ...axis })
  }
}

/** The flags of the command, where the shell has printed it. A flag without a value is a switch. */
function settingsOf(flags: string): { [key: string]: Json } {
  const settings = new Map<string, Json>()
  for (const [, key = '', value] of flags.matchAll(FLAG)) {
    const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value)
    settings.set(key, value === undefined ? true : Number.isFinite(number) ? number : value)
  }
  return Object.fromEntries(settings)
}

/**
 * The table of epochs that Lever-Plus prints while it trains, one for each phase: a line of headings, then a line per
 * epoch with fixed decimals. A later version adds a list behind the numbers.
 */
type Phase = 'rce' | 'grpo'

const RCE_HEADINGS = /^ {0,9}Epoch {1,20}Train Loss {1,20}Val Loss {1,20}Temperature *$/
const GRPO_HEADINGS =
  /^ {0,9}Epoch {1,20}Train Loss {1,20}Val Loss {1,20}PPO Loss {1,20}KL {1,20}Adv Std {1,20}Adv Max {1,20}Beta(?: {1,40}\S{1,40})? *$/

function phaseOfHeadings(line: string): Phase | null {
  if (RCE_HEADINGS.test(line)) return 'rce'
  return GRPO_HEADINGS.test(line) ? 'grpo' : null
}

/** What the trainer calls the columns itself, in checkpoints and in its metrics files. */
const METRICS: { readonly [P in Phase]: readonly string[] } = {
  rce: ['rce_loss', 'rce_val_loss', 'temperature'],
  grpo: ['grpo_loss', 'val_loss', 'ppo_loss', 'kl', 'std_advantage', 'max_advantage', 'kl_beta'],
}

interface EpochLine {
  readonly epoch: number
  readonly metrics: readonly string[]
  readonly values: readonly number[]
  readonly decimals: readonly (number | null)[]
}

const NUMBER = String.raw`[-+]?(?:\d{1,30}(?:\.\d{0,30})?(?:e[-+]?\d{1,3})?|nan|inf)`
const LINE = new RegExp(String.raw`^ {0,9}(\d{1,9})((?: {1,30}${NUMBER}){3,7})(?: {1,40}\[[^\]]{0,200}\])? *$`, 'i')

function readEpochLine(line: string, phase: Phase): EpochLine | null {
  const [, epoch, printed = ''] = LINE.exec(line) ?? []
  const cells = printed.trim().split(/ +/)
  const metrics = METRICS[phase]
  if (epoch === undefined || cells.length !== metrics.length) return null
  return { epoch: Number(epoch), metrics, values: cells.map(pythonFloat), decimals: cells.map(decimalsOf) }
}

function decimalsOf(cell: string): number | null {
  return /[ein]/i.test(cell) ? null : (cell.split('.')[1]?.length ?? 0)
}

export const leverConsole = consoleSource({
  id: 'lever-plus',
  unit: 'text',
  recognise: head => HEADINGS.test(head) || BANNER.test(head),
  state: stateSchema,
  newState,
  open: state => ({
    ...textLines('text', (line, events) => readLine(line, state, events)),
    end(events) {
      if (!state.finished) events.push(...endingEvents(state.ending))
      return 'settled'
    },
    totals: () => [],
  }),
})

/**
 * What a loader prints when a file does not fit the model that it is for: keys that the model has and the file lacks,
 * which then stay as they were drawn, and keys that the file has and nobody takes. Lever-Plus says so in Chinese, torch
 * by the result of `load_state_dict(strict=False)` or in the error of a strict one. Both are kept as settings of the run.
 */
const MISSING_KEYS = 'weights.missing_keys'
const UNEXPECTED_KEYS = 'weights.unexpected_keys'

const PATTERNS: readonly (readonly [setting: string, pattern: RegExp])[] = [
  [MISSING_KEYS, /(?:缺失的键|missing_keys\s*[=:]|Missing key\(s\) in state_dict:|[Mm]issing keys?\s*:)([^\n]*)/],
  [
    UNEXPECTED_KEYS,
    /(?:意外的键|unexpected_keys\s*[=:]|Unexpected key\(s\) in state_dict:|[Uu]nexpected keys?\s*:)([^\n]*)/,
  ],
]
const KEY = /\b[A-Za-z_]\w*(?:\.\w+)+/g
/** Of the keys that are named; a whole model may be missing. */
const MOST_KEYS = 50

/** Nothing for most lines, and for a list that is empty. */
export function loaderComplaints(line: string): Config {
  if (!/键|key/i.test(line)) return {}
  const found = PATTERNS.flatMap(([setting, pattern]) => {
    const said = pattern.exec(line)?.[1]?.split(/unexpected_keys|Unexpected key|意外的键/)[0]
    const keys = said?.match(KEY) ?? []
    return keys.length === 0 ? [] : [[setting, keys.slice(0, MOST_KEYS).join(' ')] as const]
  })
  return Object.fromEntries(found)
}
