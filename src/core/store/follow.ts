import { setTimeout as pause } from 'node:timers/promises'
import type { Discovery } from '../../logs/sources/discover.js'
import type { FoundRun, RunFile } from '../../logs/sources/run-identity.js'
import type { SourceFile } from '../../logs/sources/source.js'
import { message } from '../../text/say.js'
import {
  type FollowedRun,
  type Following,
  followRun,
  hasEnded,
  isOfInterest,
  letGo,
  readNews,
  remarkOnce,
  sharesFile,
} from './followed-run.js'
import { identifyRuns, knownRuns } from './identify-runs.js'
import { isAppendedTo, isWrittenAtOnce } from './log-file.js'
import { asSeen, pollFiles, searcher, withWholeHeads } from './poll-files.js'
import { withStepColumns } from './step-columns.js'

/**
 * Reads logs as they grow, and notices new ones. Files of known runs are looked at every second, or less often the
 * longer they have been silent; the folders are searched again only when one of them has changed. What arrives is in the
 * live file at once, so it survives a kill of the follower.
 */

interface Pace {
  readonly pollMs: number
  /** How often is asked whether a folder has changed. */
  readonly searchMs: number
  /** A file that is written at one go may not be whole until it is this old. */
  readonly settleMs: number
  /** A run that has been silent for so long is let go until something arrives: a step of a large model takes minutes. */
  readonly restMs: number
}

const PACE: Pace = { pollMs: 1_000, searchMs: 5_000, settleMs: 2_000, restMs: 10 * 60_000 }

/** A run that was silent for so many times the poll interval is looked at half as often, and so on. */
const SILENCE_PER_POLL = 100
/** Yet no less often than this. */
const SLOWEST_POLLS = 20
/** Looking takes at most this share of the time, however many files there are. */
const LARGEST_SHARE = 0.005
/** Reading what is new: small pieces arrive all the time, but a run that must be read again may be large. */
const LARGEST_READING_SHARE = 0.25

export interface FollowOptions extends Partial<Omit<Following, 'workspace' | 'known' | 'remarked'>> {
  readonly signal: AbortSignal
  readonly pace?: Partial<Pace>
  /** How many runs are followed, and whether more are awaited where there are none. */
  readonly onStart?: (runs: number, isAwaited: boolean) => void
}

/** Until the signal, or until all runs have ended. Where there is no run yet, one is awaited. */
export async function follow(
  workspace: Following['workspace'],
  paths: readonly string[],
  {
    signal,
    hints: asked = {},
    pace: wanted,
    told = [],
    onStart,
    onGrowth = () => {},
    onRemark = () => {},
  }: FollowOptions,
): Promise<void> {
  const pace = { ...PACE, ...wanted }
  const hints = await withStepColumns(workspace, asked)
  const known = await knownRuns(workspace)
  const following: Following = { workspace, known, hints, signal, onGrowth, onRemark, remarked: new Map(), told }
  const runs = new Map<string, FollowedRun>()
  const search = searcher(paths, hints, pace)
  const searched = async (): Promise<Discovery> => {
    const all = await search.now()
    return { ...all, runs: await identifyRuns(workspace, all.runs, hints) }
  }
  try {
    let found = await searched()
    const doubted = new Set<string>()
    let isComplete = await takeIn(following, runs, found, pace, doubted)
    const isDone = (): boolean =>
      isComplete && !isAwaited() && [...runs.values()].every(run => hasEnded(run) || run.isBusy)
    const isAwaited = (): boolean => (runs.size === 0 && found.runs.length === 0) || lacksOne(found, paths)
    await letGoOfTheQuiet(following, runs, pace)
    onStart?.([...runs.values()].filter(run => !hasEnded(run) && !run.isBusy).length, !isDone())
    while (!signal.aborted && !isDone()) {
      await pause(pace.pollMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) break
      const isWanted = (await pollAll(following, runs, pace)) || !isComplete
      if (isWanted ? search.isAllowed() : await search.isDue()) {
        found = await searched()
        isComplete = await takeIn(following, runs, found, pace, doubted)
      }
      await letGoOfTheQuiet(following, runs, pace)
    }
  } finally {
    for (const run of runs.values()) await letGo(following, run)
  }
}

/** Whether there is nothing at one of the paths. */
function lacksOne({ skipped }: Discovery, paths: readonly string[]): boolean {
  return skipped.some(({ path, reason }) => reason.key === 'skip.missing' && paths.includes(path))
}

/** Looks at the files of all runs whose turn it is, and says whether the folders should be searched again. */
async function pollAll(following: Following, runs: ReadonlyMap<string, FollowedRun>, pace: Pace): Promise<boolean> {
  const poll = pollFiles({ hints: following.hints, settleMs: pace.settleMs })
  let isSearchDue = false
  for (const run of runs.values()) {
    if (following.signal.aborted) break
    const began = performance.now()
    if (began < run.nextPoll) continue
    const isThorough = began >= run.nextThoroughPoll
    const { news, isCut, isReplaced, lost } = await poll(run.found, isThorough ? 0 : Date.now() - pace.restMs)
    const looked = performance.now()
    if (isReplaced || lost.length > 0 || (news !== null && sharesFile(news))) isSearchDue = true
    // A log that was only put aside is found again by a search; one that is not found is told of at the next look.
    if (lost.length > 0 && run.isLost) remarkOnce(following, { ...lost[0], reason: message('follow.lost', {}) })
    run.isLost = lost.length > 0
    if (news !== null) await take(following, run, { news, isCut })
    const now = performance.now()
    const slowest = pace.pollMs * SLOWEST_POLLS
    const wait = Math.min(Math.max(pace.pollMs, (Date.now() - run.newsAt) / SILENCE_PER_POLL), slowest)
    const cost = (looked - began) / LARGEST_SHARE
    run.nextPoll = now + Math.max(wait - pace.pollMs / 2, isThorough ? 0 : cost, (now - looked) / LARGEST_READING_SHARE)
    if (isThorough) run.nextThoroughPoll = now + Math.max(slowest, cost)
  }
  return isSearchDue
}

async function take(
  following: Following,
  run: FollowedRun,
  { news, isCut }: { readonly news: FoundRun; readonly isCut: boolean },
): Promise<void> {
  const { found } = run
  if (!(await isOfInterest(following, run, news))) {
    run.found = asSeen(found, news)
    return
  }
  if (isCut) following.onRemark({ path: news.logs[0].file.path, reason: message('follow.cut', {}) })
  await readNews(following, run, { found, news, keepsEarlier: !isCut })
}

/**
 * Takes in what a search has found: new runs, new files of known ones, logs that are now another run's. False when
 * something was written so recently that it is left for the next search.
 */
async function takeIn(
  following: Following,
  runs: Map<string, FollowedRun>,
  { runs: found }: Discovery,
  pace: Pace,
  doubted: Set<string>,
): Promise<boolean> {
  const { certain, isCertain } = withoutDoubtful(runs, found, doubted)
  let isComplete = isCertain
  const isSettled = ({ file, source }: RunFile): boolean =>
    !isWrittenAtOnce(source) || Date.now() - file.modifiedMs >= pace.settleMs
  for (const each of certain) {
    if (following.signal.aborted) return true
    if (!canGrow(each)) continue
    const known = runs.get(each.id)
    const run = known ?? (await followRun(following, each))
    const had = new Set([...run.found.logs, ...run.found.tables].map(({ file }) => file.path))
    const isReady = (file: RunFile): boolean => isSettled(file) || had.has(file.file.path)
    const ready = { ...each, logs: each.logs.filter(isReady), tables: each.tables.filter(isReady) }
    if (ready.logs.length + ready.tables.length < each.logs.length + each.tables.length) isComplete = false
    if (ready.logs.length === 0) continue
    runs.set(each.id, run)
    const isLively = !hasEnded(run) && !sharesFile(each) && Date.now() - run.newsAt < pace.restMs
    const news = changedSince(run.found, ready)
    const isNew = news.logs.length + news.tables.length + news.configs.length > 0
    if ((isNew || (known === undefined && isLively)) && (await isOfInterest(following, run, news))) {
      // With all logs, for one of them may have been put aside.
      const logs = ready.logs.filter(log => isAppendedTo(log.source) || news.logs.includes(log))
      await readNews(following, run, { found: ready, news: { ...news, logs }, keepsEarlier: true })
    } else {
      run.found = asSeen(ready, ready)
    }
  }
  await leaveToOthers(following, runs, certain)
  return isComplete
}

/**
 * In the middle of a rotation a log is new already and what was put aside not yet there: the log of a followed run that
 * seems to be a run of its own is believed when it does so twice.
 */
function withoutDoubtful(
  runs: ReadonlyMap<string, FollowedRun>,
  found: readonly FoundRun[],
  doubted: Set<string>,
): { readonly certain: readonly FoundRun[]; readonly isCertain: boolean } {
  const followed = new Set([...runs.values()].flatMap(run => run.found.logs.map(({ file }) => file.path)))
  const certain = found.filter(
    ({ id, logs }) => runs.has(id) || doubted.has(id) || !logs.some(({ file }) => followed.has(file.path)),
  )
  for (const { id } of found) if (!runs.has(id)) doubted.add(id)
  return { certain, isCertain: certain.length === found.length }
}

/** A report or an export is what it is. Samples come in new files, and a table may be written again at every epoch. */
function canGrow({ logs }: FoundRun): boolean {
  return logs.some(({ source }) => source.grows || source.role === 'samples' || source.role === 'table')
}

/** The run with no other files than new and changed ones. */
function changedSince(before: FoundRun, now: FoundRun): FoundRun {
  const stamp = ({ path, size, modifiedMs }: SourceFile): string => `${size} ${modifiedMs} ${path}`
  const known = new Set([...before.logs, ...before.tables].map(({ file }) => stamp(file)))
  for (const file of before.configs) known.add(stamp(file))
  const isChanged = (file: SourceFile): boolean => !known.has(stamp(file))
  return {
    ...now,
    logs: now.logs.filter(({ file }) => isChanged(file)),
    tables: now.tables.filter(({ file }) => isChanged(file)),
    configs: now.configs.filter(isChanged),
  }
}

/** A log that something else was written over may be another run by now; what it was before stays as it is. */
async function leaveToOthers(
  following: Following,
  runs: Map<string, FollowedRun>,
  found: readonly FoundRun[],
): Promise<void> {
  const ids = new Set(found.map(({ id }) => id))
  const owners = new Set(found.flatMap(({ logs }) => logs.map(({ file }) => file.path)))
  for (const [id, run] of runs) {
    if (ids.has(id) || sharesFile(run.found)) continue
    const lost = run.found.logs.find(({ file }) => owners.has(file.path))
    if (lost === undefined) continue
    await letGo(following, run)
    runs.delete(id)
    const { path } = lost.file
    following.onRemark({ path, reason: message('follow.other-run', { name: run.found.name }) })
  }
}

async function letGoOfTheQuiet(
  following: Following,
  runs: ReadonlyMap<string, FollowedRun>,
  { restMs }: Pace,
): Promise<void> {
  for (const run of runs.values()) {
    if (run.writer === null) continue
    if (hasEnded(run)) {
      await letGo(following, run)
    } else if (Date.now() - run.newsAt >= restMs) {
      // Read once more, for a run that fell silent may have ended by that.
      const whole = await withWholeHeads(run.found)
      await readNews(following, run, { found: run.found, news: whole, keepsEarlier: true })
      await letGo(following, run)
    }
  }
}
