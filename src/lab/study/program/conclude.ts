import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadRun, stepRange } from '../../../core/store/catalogue.js'
import { importLogs } from '../../../core/store/ingest.js'
import type { Manifest } from '../../../core/store/manifest.js'
import { RunWriter } from '../../../core/store/run-writer.js'
import { loadVocabulary, metricsNamed } from '../../../core/store/vocabulary.js'
import type { Workspace } from '../../../core/store/workspace.js'
import type { RunEvent } from '../../../logs/model/events.js'
import type { Config, Message, RunStatus } from '../../../logs/model/run.js'
import { listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import type { CommandTrial } from '../trial.js'
import { translated } from './command.js'
import type { RuledStop } from './ruled-stops.js'
import { CONSOLE, checkpointsOf, matchesIn, noteLastCheckpoint } from './trial-folder.js'

/**
 * What a program has left once it has ended: its metrics as a run whose lineage names the trial, its checkpoints where
 * the study says they are. Nothing of this starts anything, so that it can be done again when a pattern was wrong and
 * has been put right, and after a kill.
 */

const say = sentences({
  'study.trial.no-log': {
    en: 'nothing that klens can read is at {pattern} in {folder}; found: {names}',
    zh: '{folder} 中的 {pattern} 没有 klens 能读取的内容；该文件夹中有 {names}',
  },
  'study.trial.skipped': { en: '{path}: {reason}', zh: '{path}：{reason}' },
  'study.trial.no-metric': {
    en: 'the metric {metric} never appeared; found: {names}',
    zh: '指标 {metric} 始终没有出现；已有 {names}',
  },
  'study.trial.no-checkpoint': {
    en: 'no checkpoint matches {pattern} in {folder}; found: {names}',
    zh: '{folder} 中没有与 {pattern} 匹配的检查点；该文件夹中有 {names}',
  },
  'study.trial.failed': { en: 'its program failed: {reason}', zh: '其程序失败：{reason}' },
  'study.trial.stopped': { en: 'it was asked to stop', zh: '已被要求停止' },
})

/** How its program ended: by itself, asked to by a person, so that it goes on another time, or by a stop rule of the study. */
interface ProgramEnd {
  readonly state: 'done' | 'failed' | 'stopped'
  readonly reason: string | null
  readonly ruled: RuledStop | null
}

interface Concluded {
  /** The one that counts; null where there is none. */
  readonly run: string | null
  readonly problems: readonly Message[]
}

/** What klens knows of the run before its first line. */
export function runFacts(trial: CommandTrial): readonly RunEvent[] {
  return [
    { type: 'config', config: configOf(trial) },
    { type: 'lineage', lineage: { settings: trial.id } },
    { type: 'about', about: { name: trial.name } },
  ]
}

/** As the program was told. */
function configOf({ program: { engine, settings }, seed }: CommandTrial): Config {
  const own = Object.fromEntries(translated(engine, settings).settings)
  return { ...own, ...Object.fromEntries(engine.seeds.map(key => [key.replace(/^\+/, ''), seed])), seed }
}

export async function concludeTrial(
  workspace: Workspace,
  trial: CommandTrial,
  {
    folder,
    metric,
    seconds,
    ...end
  }: ProgramEnd & {
    readonly folder: string
    /** That it must have logged. */
    readonly metric: string | null
    readonly seconds: readonly [began: number, ended: number] | null
  },
): Promise<Concluded> {
  const { metrics: pattern, checkpoints } = trial.program.engine
  const { runs, skipped } = await importLogs(workspace, await logsOf(folder, pattern), {
    keepsEarlier: true,
    joins: false,
  })
  // After a restart some trackers begin a run of their own; the one that came furthest is the trial's.
  const inOrder = runs.toSorted((a, b) => (stepRange(a)?.[1] ?? 0) - (stepRange(b)?.[1] ?? 0))
  const last = inOrder.at(-1)
  const cutOff: ProgramEnd = { state: 'stopped', reason: null, ruled: null }
  for (const run of inOrder) await settleRun(workspace, run, trial, run === last ? end : cutOff, seconds)
  const { status, reason } = statusOf(end)
  const problems: Message[] = status === 'failed' && reason !== null ? [reason] : []
  if (end.state !== 'done') return { run: last?.id ?? null, problems }
  if (last === undefined) {
    problems.push(say('study.trial.no-log', { pattern, folder, names: await namesIn(folder) }))
    for (const { path, reason } of skipped.slice(0, MOST_NAMED))
      problems.push(say('study.trial.skipped', { path, reason }))
  } else if (metric !== null) problems.push(...(await metricProblems(workspace, last.id, metric)))
  if (checkpoints !== null && (await checkpointsOf(folder, checkpoints)).length === 0) {
    problems.push(say('study.trial.no-checkpoint', { pattern: checkpoints, folder, names: await namesIn(folder) }))
  } else await noteLastCheckpoint(folder, checkpoints)
  return { run: last?.id ?? null, problems }
}

const MOST_NAMED = 8

export async function logsOf(folder: string, pattern: string): Promise<readonly string[]> {
  return matchesIn(folder, pattern === 'console' ? CONSOLE : pattern)
}

async function metricProblems(workspace: Workspace, run: string, metric: string): Promise<readonly Message[]> {
  const loaded = await loadRun(workspace, run)
  if (loaded === null) return []
  const { manifest } = loaded
  if (metricsNamed(manifest, metric, await loadVocabulary(workspace)).length > 0) return []
  const names = listed([...manifest.metrics.keys()], MOST_NAMED) || '–'
  return [say('study.trial.no-metric', { metric, names })]
}

async function namesIn(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter(name => name !== 'console.json')
  return listed(names.sort(), MOST_NAMED) || '–'
}

function statusOf({ state, reason, ruled }: ProgramEnd): { status: RunStatus; reason: Message | null } {
  if (ruled !== null) return { status: ruled.counts ? 'finished' : 'failed', reason: ruled.reason }
  switch (state) {
    case 'done':
      return { status: 'finished', reason: null }
    case 'failed':
      return { status: 'failed', reason: say('study.trial.failed', { reason: reason ?? '' }) }
    case 'stopped':
      return { status: 'killed', reason: say('study.trial.stopped', {}) }
  }
}

async function settleRun(
  workspace: Workspace,
  { id, name, source, config, statusTold, lineage }: Manifest,
  trial: CommandTrial,
  end: ProgramEnd,
  seconds: readonly [number, number] | null,
): Promise<void> {
  const { status, reason } = statusOf(end)
  if (lineage.settings === trial.id && statusTold === status) return
  const missing = Object.entries(configOf(trial)).filter(([key]) => !Object.hasOwn(config, key))
  const times = seconds === null ? {} : { startedAt: seconds[0], endedAt: seconds[1] }
  const writer = await RunWriter.open(workspace, { id, name, source }, 'change')
  try {
    await writer.write(
      [
        { type: 'config', config: Object.fromEntries(missing) },
        { type: 'lineage', lineage: { settings: trial.id } },
        { type: 'about', about: { name: trial.name, ...times } },
        { type: 'status', status, ...(reason !== null && { reason }) },
      ],
      null,
    )
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** A file beside what the program leaves: its trial, settings and command, for people who look into the folder. */
export function aboutPath(folder: string): string {
  return join(folder, 'trial.json')
}
