import type { SeenPeak } from '../../../core/analysis/frontier/seen-peak.js'
import type { Finding } from '../../../logs/model/finding.js'
import type { Message, RunStatus } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { type Distance, decideStop, type StopDecision, type StopRule } from '../stop-rules.js'
import type { Glance } from './glance.js'

const say = sentences({
  'watch.no-start': {
    en: 'the starting model was not evaluated: {metric} begins at step {step}, and stop rules cannot see a loss before it',
    zh: '起点模型没有验证：{metric} 从 step {step} 开始，此前的损失停止规则看不到',
  },
  'watch.no-start.remedy': {
    en: 'evaluate the starting model too (verl: trainer.val_before_train, TRL: eval_on_start), now or at the next start',
    zh: '起点模型也要验证（verl：trainer.val_before_train，TRL：eval_on_start），现在补做或下次启动时打开',
  },
})

/**
 * What has happened to a run since it was last looked at. Pure: a memory and a glance in, events and a memory out. Each
 * thing is told once: a finding when it appears, a stall when it begins, a crash, an end, a reason to stop.
 */
export type WatchEvent = { readonly run: string; readonly name: string } & (
  | { readonly event: 'step'; readonly step: number; readonly planned: number | null }
  | {
      readonly event: 'evaluation'
      readonly step: number
      readonly metric: string
      readonly value: number
      readonly interval: readonly [number, number] | null
    }
  | ({ readonly event: 'finding' } & Finding)
  | { readonly event: 'stall'; readonly step: number | null; readonly seconds: number; readonly usual: number }
  | {
      readonly event: 'crash'
      readonly step: number | null
      readonly status: RunStatus
      readonly reasons: readonly Message[]
    }
  | ({ readonly event: 'stop' } & StopDecision)
  | { readonly event: 'end'; readonly step: number | null; readonly status: RunStatus }
)

export interface Memory {
  readonly step: number | null
  readonly evaluated: number
  readonly findings: ReadonlySet<string>
  readonly decided: ReadonlySet<string>
  readonly hasEnded: boolean
  readonly isStalled: boolean
  /** Unix seconds at which the last step was seen to arrive. */
  readonly newsAt: number
  /** The last pauses between arrivals, for logs that tell no times. */
  readonly pauses: readonly number[]
}

export function newMemory(now: number): Memory {
  const none: ReadonlySet<string> = new Set()
  return {
    step: null,
    evaluated: Number.NEGATIVE_INFINITY,
    findings: none,
    decided: none,
    hasEnded: false,
    isStalled: false,
    newsAt: now,
    pauses: [],
  }
}

/** So many of the longest pauses lately; a checkpoint of a large model takes its time. */
const PAUSES_TO_STALL = 5
const SHORTEST_STALL = 120
const PAUSES_KEPT = 40
const PAUSES_NEEDED = 3

/** What else is known of a run than its log says. */
interface Circumstances {
  /** Unix seconds. */
  readonly now: number
  readonly rules: readonly StopRule[]
  /** The KL beyond which every run of the workspace did harm, where it has seen that. */
  readonly peak?: SeenPeak | null
  /** When klens itself has stopped the training; null: it has not, since the run is watched. */
  readonly stoppedAt?: number | null
}

/** A log that says nothing of its end and has not grown for so long, though its training may have ended, has ended. */
export const QUIET_SECONDS = 10

export function observe(
  memory: Memory,
  glance: Glance,
  { now, rules, peak = null, stoppedAt = null }: Circumstances,
): { readonly memory: Memory; readonly events: readonly WatchEvent[] } {
  const { id: run, name, step, planned, score, interval, pace, findings, status, ending } = glance
  const who = { run, name }
  const events: WatchEvent[] = []
  const isNew = step !== null && (memory.step === null || step > memory.step)
  if (isNew) events.push({ ...who, event: 'step', step, planned })

  const evaluations = score === null ? [] : score.steps.map((at, i) => ({ at, value: score.values[i] }))
  const fresh = evaluations.filter(({ at }) => at > memory.evaluated)
  // Of what was there before anybody watched, only the last is news.
  const told = memory.step === null ? fresh.slice(-1) : fresh
  for (const { at, value } of told) {
    const isLast = at === score?.steps.at(-1)
    events.push({
      ...who,
      event: 'evaluation',
      step: at,
      metric: score?.metric ?? '',
      value,
      interval: isLast ? interval : null,
    })
  }

  const grave = [...findings.filter(({ severity }) => severity !== 'note'), ...withoutStart(glance)]
  const keyOf = ({ rule, severity }: Finding): string => `${rule} ${severity}`
  for (const finding of grave.filter(found => !memory.findings.has(keyOf(found)))) {
    events.push({ ...who, event: 'finding', ...finding })
  }

  const decision = firstReason(glance, memory, { now, rules, peak })
  if (decision !== null) events.push({ ...who, event: 'stop', ...decision })

  const newsAt = isNew ? now : memory.newsAt
  const isClosed = status === 'finished' || status === 'failed' || status === 'killed'
  // Most logs do not say that their training was interrupted.
  const hasEnded = isClosed || (stoppedAt !== null && now - Math.max(stoppedAt, newsAt) > QUIET_SECONDS)
  const pauses =
    isNew && memory.step !== null ? [...memory.pauses, now - memory.newsAt].slice(-PAUSES_KEPT) : memory.pauses
  const longest = pace?.longestPause ?? (pauses.length < PAUSES_NEEDED ? null : Math.max(...pauses))
  const limit = longest === null ? null : Math.max(SHORTEST_STALL, PAUSES_TO_STALL * longest)
  const isStalled = !hasEnded && limit !== null && now - newsAt > limit
  if (isStalled && !memory.isStalled) {
    events.push({ ...who, event: 'stall', step, seconds: now - newsAt, usual: longest ?? 0 })
  }

  if (hasEnded && !memory.hasEnded) {
    const isCrash = status !== 'finished' && stoppedAt === null
    if (isCrash) events.push({ ...who, event: 'crash', step, status, reasons: ending })
    events.push({ ...who, event: 'end', step, status: isClosed ? status : 'killed' })
  }
  return {
    events,
    memory: {
      step: isNew ? step : memory.step,
      evaluated: evaluations.at(-1)?.at ?? memory.evaluated,
      findings: new Set([...memory.findings, ...grave.map(keyOf)]),
      decided: decision === null ? memory.decided : new Set([...memory.decided, decision.rule]),
      hasEnded,
      isStalled,
      newsAt,
      pauses,
    },
  }
}

/** A growing run whose starting model was not evaluated: what is lost before the first evaluation no stop rule sees. */
function withoutStart({ id, status, score, firstValidation }: Glance): readonly Finding[] {
  if (firstValidation === null || firstValidation <= 0 || (status !== 'running' && status !== 'unknown')) return []
  return [
    {
      rule: 'no-start-evaluation',
      severity: 'note',
      run: id,
      steps: [0, firstValidation],
      message: say('watch.no-start', { metric: score?.metric ?? '', step: firstValidation }),
      evidence: { first: firstValidation },
      remedy: say('watch.no-start.remedy', {}),
    },
  ]
}

/**
 * Evaluations that arrived together are looked at one by one, as if somebody had looked after each: when to stop must not
 * depend on how often one looks. What is known of the last step alone, findings and hours, counts at the last.
 */
function firstReason(
  glance: Glance,
  memory: Memory,
  { now, rules, peak }: Pick<Circumstances, 'now' | 'rules' | 'peak'>,
): StopDecision | null {
  const { step, score, findings, startedAt } = glance
  const open = rules.filter(({ id }) => !memory.decided.has(id))
  const isValidated = glance.firstValidation !== null
  const distanceAt = (at: number): Distance | null =>
    peak == null ? null : { kl: glance.kl.filter(point => point.step <= at), isValidated, peak }
  const hours = startedAt === null ? null : (now - startedAt) / 3600
  for (const [i, at] of score?.steps.entries() ?? []) {
    if (score === null || at <= memory.evaluated) continue
    const upTo = { ...score, steps: score.steps.slice(0, i + 1), values: score.values.slice(0, i + 1) }
    const decision = decideStop(open, { step: at, hours: null, score: upTo, findings: [], distance: distanceAt(at) })
    if (decision !== null) return decision
  }
  return decideStop(open, { step: step ?? 0, hours, score, findings, distance: distanceAt(step ?? 0) })
}
