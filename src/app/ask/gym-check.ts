import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { ownTasks, TASK_SPLITS } from '../../lab/gym/intention/own/tasks.js'
import { PROBE_KINDS, type Probe, type ProbeKind, probesOf } from '../../lab/gym/intention/probes.js'
import { readTasks } from '../../lab/gym/intention/read-tasks.js'
import type { Judgement, Simulator } from '../../lab/gym/intention/simulator.js'
import { median } from '../../stats/descriptive.js'
import { wilson } from '../../stats/proportion.js'
import { list, numberWithin, request } from './fields.js'
import { PROMPTS, simulatorNamed } from './gym-request.js'
import { question } from './question.js'

/**
 * Is this simulator fit to train on? It must hear a detail's own question, other people's questions for it and two at once;
 * hear nothing in talk and in a question about something else; and judge the same question alike twice. Two caches, so that
 * the second judgement is a second one.
 */

/** Of an endpoint each costs a call or two. The built-in one is asked often enough for its intervals to decide. */
const USUAL_QUESTIONS = 40
const EMBEDDED_QUESTIONS = 400

/** What a simulator must reach: shares to hear at least, and to hear by mistake at most. */
const LIMITS: { readonly [kind in ProbeKind | 'repeatable' | 'failures']: number } = {
  model: 0.9,
  options: 0.6,
  paraphrase: 0.5,
  compound: 0.6,
  talk: 0.05,
  foreign: 0.05,
  repeatable: 0.95,
  failures: 0.05,
}

const part = z.object({
  kind: z.enum([...PROBE_KINDS, 'repeatable', 'failures']),
  n: z.number(),
  /** Of the judgements that came; null where none did. */
  share: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  limit: z.number(),
  /** By the interval, not by the share: `open` where the limit lies inside it. Null where nothing was judged. */
  state: z.enum(['met', 'missed', 'open']).nullable(),
})

const checkAnswer = z.object({
  /** `not-shown`: an interval holds its limit, so that more questions would decide. `unknown`: nothing was judged. */
  verdict: z.enum(['fit', 'unfit', 'not-shown', 'unknown']),
  parts: list(part),
  questions: z.number(),
  /** Of model questions; of talk and of questions about something else. */
  recall: z.number().nullable(),
  falseAlarms: z.number().nullable(),
  repeatable: z.number().nullable(),
  failures: z.number(),
  /** Seconds, median. */
  latency: z.number().nullable(),
})

export type GymCheckAnswer = z.infer<typeof checkAnswer>
type Part = GymCheckAnswer['parts'][number]

export const gymCheck = question({
  request: request({
    simulator: z.string().default('embedded'),
    prompts: PROMPTS,
    data: list(z.string()).default([]),
    split: z.enum(TASK_SPLITS).default('test'),
    language: z.enum(['en', 'zh']).default('en'),
    questions: numberWithin({ above: 0, whole: true }),
  }),
  answer: checkAnswer,
  async ask(workspace, asked, { signal }) {
    const tasks = asked.data.length === 0 ? ownTasks(asked.split, asked.language) : await readTasks(asked.data)
    const probes = probesOf(
      tasks,
      asked.questions ?? (asked.simulator === 'embedded' ? EMBEDDED_QUESTIONS : USUAL_QUESTIONS),
    )
    const { outcomes, repeated, seconds, failures, calls } = await judged(workspace, asked, probes, signal)
    const parts = [
      ...PROBE_KINDS.map(kind => partOf(kind, outcomes.get(kind) ?? [])),
      partOf('repeatable', repeated),
      partOf(
        'failures',
        [...Array(calls)].map((_, i) => i < failures),
      ),
    ]
    const alarms = [...(outcomes.get('talk') ?? []), ...(outcomes.get('foreign') ?? [])]
    return {
      verdict: verdictOn(parts),
      parts,
      questions: probes.length,
      recall: shareOf(outcomes.get('model') ?? []),
      falseAlarms: shareOf(alarms),
      repeatable: shareOf(repeated),
      failures,
      latency: seconds.length === 0 ? null : median(seconds),
    }
  },
})

function verdictOn(parts: readonly Part[]): GymCheckAnswer['verdict'] {
  if (parts.every(({ kind, share }) => share === null || kind === 'failures')) return 'unknown'
  if (parts.some(({ state }) => state === 'missed')) return 'unfit'
  return parts.some(({ state }) => state === 'open') ? 'not-shown' : 'fit'
}

interface Asked {
  readonly simulator: string
  readonly prompts: string | null
  readonly data: readonly string[]
}

async function judged(workspace: Workspace, asked: Asked, probes: readonly Probe[], signal: AbortSignal | undefined) {
  const [first, second] = await Promise.all([0, 1].map(attempt => simulatorNamed(workspace, asked, { attempt })))
  const outcomes = new Map<ProbeKind, boolean[]>(PROBE_KINDS.map(kind => [kind, []]))
  const repeated: boolean[] = []
  const seconds: number[] = []
  let failures = 0
  let calls = 0
  for (const probe of probes) {
    signal?.throwIfAborted()
    const start = performance.now()
    const covered = await coveredBy(first, probe)
    seconds.push((performance.now() - start) / 1000)
    calls += 1
    if (covered === null) failures += 1
    else outcomes.get(probe.kind)?.push(isHeard(probe, covered))
    if (probe.kind !== 'model') continue
    const again = await coveredBy(second, probe)
    calls += 1
    if (again === null) failures += 1
    if (covered !== null && again !== null) repeated.push(covered.join() === again.join())
  }
  return { outcomes, repeated, seconds, failures, calls }
}

async function coveredBy(simulator: Simulator, { task, question: said }: Probe): Promise<readonly number[] | null> {
  const remaining = task.missing_details
  const situation = { task, question: said, history: [], misses: 0, remaining, replySeesDetails: false }
  const judgement: Judgement = await simulator.judge(situation)
  return judgement.kind === 'covered' ? judgement.indices : null
}

/** Everything that is asked for; or, where nothing is, anything at all. */
function isHeard({ wanted }: Probe, covered: readonly number[]): boolean {
  return wanted.length === 0 ? covered.length > 0 : wanted.every(position => covered.includes(position))
}

function partOf(kind: Part['kind'], outcomes: readonly boolean[]): Part {
  const share = shareOf(outcomes)
  const limit = LIMITS[kind]
  const { low, high } = share === null ? { low: null, high: null } : wilson(share, outcomes.length)
  const isAlarm = kind === 'talk' || kind === 'foreign' || kind === 'failures'
  return {
    kind,
    n: outcomes.length,
    share,
    low,
    high,
    limit,
    state: low === null ? null : isAlarm ? stateOf(-high, -low, -limit) : stateOf(low, high, limit),
  }
}

function stateOf(low: number, high: number, least: number): NonNullable<Part['state']> {
  return low >= least ? 'met' : high < least ? 'missed' : 'open'
}

function shareOf(outcomes: readonly boolean[]): number | null {
  return outcomes.length === 0 ? null : outcomes.filter(Boolean).length / outcomes.length
}
