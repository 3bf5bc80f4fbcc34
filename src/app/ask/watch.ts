import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { forecastAnswer, forecastRun } from '../../core/analysis/forecast/answer.js'
import type { SeenPeak } from '../../core/analysis/frontier/seen-peak.js'
import { peakSeenBy } from '../../core/analysis/frontier/workspace-peak.js'
import { growthOf, standingOf } from '../../core/analysis/growing.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { evidenceSchema, findingSchema } from '../../core/diagnosis/diagnosed-runs.js'
import { loadRun } from '../../core/store/catalogue.js'
import { follow } from '../../core/store/follow.js'
import { livePath } from '../../core/store/live-file.js'
import { type Manifest, shownName } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import { runFolder, type Workspace } from '../../core/store/workspace.js'
import { type StopRule, stopRules } from '../../lab/study/stop-rules.js'
import { stoppedAt } from '../../lab/study/watch/act.js'
import { type Glance, glanceAt } from '../../lab/study/watch/glance.js'
import { type Machine, machineUnder } from '../../lab/study/watch/machine.js'
import { type Memory, newMemory, observe, QUIET_SECONDS, type WatchEvent } from '../../lab/study/watch/observe.js'
import { Problem } from '../../logs/model/problem.js'
import { type Verdict, verdictSchema } from '../../logs/model/verdict.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { type Encoded, encode } from '../../text/encode.js'
import { figure as shown } from '../../text/numbers.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { comparisonOf } from './compare.js'
import { figure, list, pair, request } from './fields.js'
import { pathMeant, resolveAll } from './names.js'
import { type Asking, question } from './question.js'
import { RUN_STATUSES } from './run-schema.js'

/** Is it going well, and should it stop? Told as it happens, until the runs have ended or nobody wants to know. */

const say = sentences({
  'watch.forecast': {
    en: 'forecast of {metric} at step {step}: {estimate} (80 %: {low} to {high})',
    zh: '{metric} 在 step {step} 预计约为 {estimate}（80%：{low} 到 {high}）',
  },
  'watch.pair': {
    en: '{other} vs {baseline}: {answer}; {reason}',
    zh: '{other} 与 {baseline} 相比：{answer}；{reason}',
  },
})

const status = z.enum(RUN_STATUSES)
const step = z.number().nullable()
const about = { time: z.string(), run: z.string(), name: z.string() }

const eventSchema = z.discriminatedUnion('event', [
  z.object({ ...about, event: z.literal('step'), step: z.number(), planned: step }),
  z.object({
    ...about,
    event: z.literal('evaluation'),
    step: z.number(),
    metric: z.string(),
    value: figure,
    interval: pair(z.number()).nullable(),
  }),
  findingSchema.extend({ ...about, event: z.literal('finding') }),
  z.object({ ...about, event: z.literal('stall'), step, seconds: z.number(), usual: z.number() }),
  z.object({ ...about, event: z.literal('crash'), step, status, reasons: list(sentence) }),
  z.object({
    ...about,
    event: z.literal('stop'),
    rule: z.string(),
    step: z.number(),
    message: sentence,
    evidence: evidenceSchema,
    falseStops: sentence,
  }),
  z.object({ ...about, event: z.literal('end'), step, status }),
  /** Of two runs that are watched together: the second (`run`) against the first, up to this step. */
  z.object({
    ...about,
    event: z.literal('verdict'),
    step: z.number(),
    baseline: z.string(),
    message: sentence,
    ...verdictSchema.pick({ metric: true, answer: true, estimate: true, interval: true }).shape,
    reasons: list(sentence),
  }),
  /** Where it will end, at a quarter, half and three quarters of its steps; only where finished runs vouch for it. */
  z.object({
    ...about,
    event: z.literal('forecast'),
    step: z.number(),
    message: sentence,
    ...forecastAnswer.pick({ metric: true, until: true, final: true, gain: true }).shape,
  }),
])

/** What happened, in the words of the reader. */
export type WatchedEvent = Encoded<z.infer<typeof eventSchema>>

/** How the runs stand, for whoever draws them. */
export interface WatchedRun {
  readonly glance: Glance
  readonly memory: Memory
  readonly machine: Machine
}

export type WatchProgress =
  | { readonly kind: 'event'; readonly event: WatchedEvent }
  | { readonly kind: 'view'; readonly runs: readonly WatchedRun[] }

const watchAnswer = z.object({
  runs: list(z.object({ id: z.string(), name: z.string(), status, step })),
  /** Everything that happened but the steps. */
  events: list(eventSchema),
})

export const watch = question({
  request: request({
    runs: list(z.string()),
    /** Reasons to stop, such as `collapse,patience=10,hours=12`; without them, those that test. */
    stop: z.string().nullable().default(null),
    /** The process that trains, where the user knows it; of a run that klens trains it is known. */
    pid: z.number().int().positive().nullable().default(null),
    /** Ends when all runs have ended. */
    untilEnd: z.boolean().default(false),
    /** Ends with the first event of these kinds. */
    until: list(z.string()).default([]),
  }),
  answer: encoded(watchAnswer),
  async ask(workspace, { runs: names, stop, pid, untilEnd, until, lang }, asking: Asking<WatchProgress>) {
    const rules = stopRules(stop)
    const found = await resolveAll(workspace, names, asking)
    const watched = new Map(found.map(({ manifest }) => [manifest.id, newWatched(manifest.id)]))
    const ending = new AbortController()
    const signal = AbortSignal.any([ending.signal, ...(asking.signal === undefined ? [] : [asking.signal])])
    const given = (await Promise.all(names.map(name => pathMeant(workspace, name)))).filter(path => path !== null)
    const logs = found.flatMap(({ manifest }) => (isGrowing(manifest) ? logsOf(manifest) : []))
    const following = followAll(workspace, [...new Set([...given, ...logs])], signal, ({ id }) => {
      // A run that begins in a watched folder is watched; a stranger beside a watched log is not.
      if (given.length > 0 && !watched.has(id)) watched.set(id, newWatched(id))
    })
    const events: WatchedEvent[] = []
    let stage = ''
    const tell = (event: WatchedEvent): void => {
      if (event.event !== 'step') events.push(event)
      asking.onProgress?.({ kind: 'event', event })
    }
    while (!signal.aborted) {
      const news = await lookAtAll(workspace, [...watched.values()], rules, signal)
      for (const event of news) tell(encode({ time: new Date().toISOString(), ...event }, lang))
      for (const run of watched.values()) {
        const event = await forecastEvent(workspace, run)
        if (event !== null) tell(encode(event, lang))
      }
      const pair = pairOf([...watched.values()])
      if (pair !== null && stageOf(pair) !== stage) {
        stage = stageOf(pair)
        const verdict = await pairVerdict(workspace, pair)
        if (verdict !== null) tell(encode(verdictEvent(pair, verdict), lang))
      }
      if (news.length > 0) asking.onProgress?.({ kind: 'view', runs: await standing(workspace, watched, pid) })
      if (events.some(event => until.includes(event.event) && !isNote(event))) break
      if (untilEnd && watched.size > 0 && [...watched.values()].every(isOver)) break
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
    }
    ending.abort()
    await following
    return {
      runs: seen(watched).map(({ id, name, status, step }) => ({ id, name, status, step })),
      events,
    }
  },
})

/** Worth a line, and nothing to end or wake somebody for. */
export function isNote(event: WatchedEvent): boolean {
  return event.event === 'finding' && event.severity === 'note'
}

const LOOK_EVERY_MS = 1_000
/** Looking takes at most this share of the time, however many runs there are and however fast they grow. */
const LARGEST_SHARE = 0.02
/** Steps that arrive so long after a stop are of a training that goes on; reading the last ones takes its time, too. */
const RESUMED_SECONDS = 120

interface Watched {
  readonly id: string
  /** Unix seconds. */
  readonly since: number
  view: RunView | null
  glance: Glance | null
  memory: Memory
  /** What the store held of it when it was last looked at. */
  state: string
  nextLook: number
  /** What other runs say of going far; undefined before it was asked for. */
  peak?: SeenPeak | null
  /** How many quarters of it had been trained when its end was last forecast. */
  forecastAt: number
}

function newWatched(id: string): Watched {
  const since = Date.now() / 1000
  return { id, since, view: null, glance: null, memory: newMemory(since), state: '', nextLook: 0, forecastAt: 0 }
}

/** A log that says nothing of its end and has not grown since somebody looks will not grow any more. */
function isOver({ glance, memory }: Watched): boolean {
  return memory.hasEnded || (glance?.status === 'unknown' && Date.now() / 1000 - memory.newsAt > QUIET_SECONDS)
}

async function lookAtAll(
  workspace: Workspace,
  runs: readonly Watched[],
  rules: readonly StopRule[],
  signal: AbortSignal,
): Promise<readonly WatchEvent[]> {
  const events: WatchEvent[] = []
  for (const run of runs) {
    if (signal.aborted) break
    const began = performance.now()
    const state = await stateOf(workspace, run.id)
    const isDue = began >= run.nextLook
    if (isDue && state !== run.state) {
      const loaded = await loadRun(workspace, run.id).catch(() => null)
      if (loaded !== null) {
        run.view = viewRun(loaded, await loadVocabulary(workspace))
        run.glance = await glanceAt(run.view)
        if (run.peak === undefined) run.peak = await peakSeenBy(workspace, run.view)
      }
      run.state = state
    }
    if (run.glance === null) continue
    const stopped = await stoppedAt(workspace, run.id)
    const isOwnStop = stopped !== null && stopped >= run.since && run.memory.newsAt - stopped < RESUMED_SECONDS
    const circumstances = {
      now: Date.now() / 1000,
      rules,
      peak: run.peak ?? null,
      stoppedAt: isOwnStop ? stopped : null,
    }
    const observed = observe(run.memory, run.glance, circumstances)
    run.memory = observed.memory
    events.push(...observed.events)
    if (isDue) run.nextLook = performance.now() + (performance.now() - began) / LARGEST_SHARE
  }
  return events
}

/** Once in each quarter, since a forecast that is repeated until it pleases is worth nothing; null where there is none. */
async function forecastEvent(
  workspace: Workspace,
  run: Watched,
): Promise<Extract<z.infer<typeof eventSchema>, { event: 'forecast' }> | null> {
  const { view, glance, memory } = run
  const at = glance?.firstValidation === null ? undefined : glance?.score?.steps.at(-1)
  if (view === null || at === undefined || memory.hasEnded || !isGrowing(view.manifest)) return null
  const quarter = glance?.planned == null ? 0 : Math.floor((4 * at) / glance.planned)
  if (quarter <= run.forecastAt || quarter >= 4) return null
  run.forecastAt = quarter
  const wanted = { metric: null, goal: null, target: null, baseline: null, until: null, at: null }
  const answer = await forecastRun(workspace, view, wanted).catch(refused)
  if (answer?.final == null) return null
  const { name, metric, until, final, gain } = answer
  const [low, high] = final.interval.map(end => shown(end))
  const words = { metric, step: until ?? at, estimate: shown(final.estimate), low, high }
  return {
    ...{ time: new Date().toISOString(), run: run.id, name, event: 'forecast', step: at },
    ...{ message: say('watch.forecast', words), metric, until, final, gain },
  }
}

/** What stands in the way of a forecast is no news. */
function refused(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

/** Changes whenever the store learns something of the run; a run that was removed meanwhile stays as it was last seen. */
async function stateOf(workspace: Workspace, id: string): Promise<string> {
  const folder = runFolder(workspace, id)
  const marks = [join(folder, 'run.json'), livePath(folder)].map(async path => {
    const { mtimeMs, size } = await stat(path).catch(() => ({ mtimeMs: 0, size: 0 }))
    return `${mtimeMs} ${size}`
  })
  return (await Promise.all(marks)).join()
}

function seen(watched: ReadonlyMap<string, Watched>): readonly Glance[] {
  return [...watched.values()].flatMap(({ glance }) => glance ?? [])
}

function standing(
  workspace: Workspace,
  watched: ReadonlyMap<string, Watched>,
  pid: number | null,
): Promise<readonly WatchedRun[]> {
  const views = [...watched.values()].flatMap(({ view, glance, memory }) =>
    view === null || glance === null ? [] : [{ manifest: view.manifest, glance, memory }],
  )
  return Promise.all(
    views.map(async ({ manifest, glance, memory }) => {
      const folder = manifest.files[0] === undefined ? null : dirname(manifest.files[0].path)
      return { glance, memory, machine: await machineUnder(workspace, { run: manifest.id, folder, pid }) }
    }),
  )
}

function isGrowing({ status }: Manifest): boolean {
  return status === 'running' || status === 'unknown'
}

/** The logs of a run that was named by its id or name, so that what arrives in them is read. */
function logsOf({ files, source }: Manifest): readonly string[] {
  return source === 'klens' ? [] : files.flatMap(({ role, path }) => (role === 'log' ? [path] : []))
}

/** Following ends by itself when all logs have ended; that is no end of the watch, which may know more. */
async function followAll(
  workspace: Workspace,
  paths: readonly string[],
  signal: AbortSignal,
  onGrowth: (manifest: Manifest) => void,
): Promise<void> {
  if (paths.length > 0) await follow(workspace, paths, { signal, onGrowth })
}

/** Null unless two runs are watched and both have been evaluated. */
function pairOf(watched: readonly Watched[]): WatchedPair | null {
  const [first, second, third] = watched
  if (third !== undefined || first?.view == null || second?.view == null) return null
  const evaluated = [first, second].map(({ glance }) => glance?.score?.steps.at(-1))
  if (evaluated.includes(undefined)) return null
  return { views: [first.view, second.view], reached: Math.min(...evaluated.map(at => at ?? 0)) }
}

function verdictEvent({ views, reached }: WatchedPair, verdict: Verdict): z.infer<typeof eventSchema> {
  const [{ manifest: baseline }, { manifest }] = views
  const { metric, answer, estimate, interval, reasons } = verdict
  return {
    time: new Date().toISOString(),
    run: manifest.id,
    name: shownName(manifest),
    event: 'verdict',
    step: reached,
    baseline: baseline.id,
    message: say('watch.pair', {
      other: shownName(manifest),
      baseline: shownName(baseline),
      answer: message(`answer.${answer}`, {}),
      reason: reasons[0] ?? '',
    }),
    ...{ metric, answer, estimate, interval, reasons },
  }
}

/**
 * Two runs that are watched together: what may be said of them by now. A word that is repeated after every evaluation
 * until it pleases is worth nothing, so there is one at each of the few looks of `analysis/growing.ts`, one at the end,
 * and before the first look one that says when it will be.
 */
export interface WatchedPair {
  readonly views: readonly [RunView, RunView]
  /** The step up to which both have been evaluated. */
  readonly reached: number
}

/** Changes when there is something new to say, and at no other time. */
export function stageOf({ views, reached }: WatchedPair): string {
  const growing = growthOf(views)
  if (growing === null) return 'ended'
  // Without a plan looks come as the evaluations double.
  return String(growing.planned === null ? Math.floor(Math.log2(reached)) : standingOf(growing, reached).until)
}

/** The second against the first; null where they share no score. */
export async function pairVerdict(workspace: Workspace, { views }: WatchedPair): Promise<Verdict | null> {
  const sides = views.map(view => ({ label: shownName(view.manifest), runs: [view], checkpoint: null, copies: [] }))
  try {
    const { verdicts, headline } = await comparisonOf(workspace, sides, { metric: null, goal: null, margin: null })
    return verdicts[headline.verdict]
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
