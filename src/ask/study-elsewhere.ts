import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { Message } from '../model/run.js'
import { writeFileAtomically } from '../store/atomic.js'
import { listRuns, type RunEntry } from '../store/catalogue.js'
import type { Workspace } from '../store/workspace.js'
import { driveJobs, type JobEnd, type JobEvent } from '../study/executor/drive.js'
import type { Job, Resources } from '../study/executor/executor.js'
import { openExecutor, roomAt } from '../study/executor/open-executor.js'
import { type JobRecords, jobRecords } from '../study/executor/records.js'
import type { ExecutorSection } from '../study/executor/section.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { epochsOf } from '../train/config/any.js'
import { configHash } from '../train/config/hash.js'
import { SOURCE } from '../train/run/lineage.js'
import type { Trial } from '../train/sweep/grid.js'
import { thisMachine } from './machine.js'
import type { Asking } from './question.js'
import { makeStarts } from './train-many.js'
import {
  epoch,
  type TrainEvent,
  type TrainedAnswer,
  type TrialEnd,
  type TrialsAnswer,
  trained,
} from './training-answers.js'

/**
 * Klens's own trainings at an executor: each is a job whose command is `klens train` with the trial's very settings, into
 * the same workspace, which must lie where the executor's machines see it under the same path. So a trial has the same
 * hash and name wherever it was trained, and a study goes on at another place than it began.
 */

const say = sentences({
  'study.job.again-lost': {
    en: '{trial}: {place} does not know it (any more); handed over again',
    zh: '{trial}：{place} 不（再）知道它；已重新提交',
  },
  'study.job.again-evicted': {
    en: '{trial}: it was cut off; attempt {attempt} goes on where it was',
    zh: '{trial}：被中断；第 {attempt} 次尝试将从中断处继续',
  },
  'study.job.attached': { en: '{trial}: found again at {place}', zh: '{trial}：在 {place} 找到仍在进行的作业' },
  'study.job.unreachable': { en: '{problem}; asking again for a while', zh: '{problem}；将继续尝试一段时间' },
  'study.job.no-run': {
    en: 'it ended well at {place}, and its run is not in {root}: its machines must see that folder under the same path',
    zh: '它在 {place} 上正常结束，但 {root} 中没有其 run：那里的机器必须能以相同路径访问该文件夹',
  },
  'study.job.reached': { en: '{place} answers again', zh: '{place} 已恢复应答' },
  'study.job.left': {
    en: '{jobs} {n|trial goes|trials go} on at {place} without klens; the same command finds {n|it|them} again, klens study stop ends {n|it|them}',
    zh: '{jobs} 个试验在 {place} 上继续运行，无需 klens；再次运行同一命令即可接上，用 klens study stop 结束',
  },
})

export interface Elsewhere {
  readonly study: string
  readonly section: Exclude<ExecutorSection, { kind: 'local' }>
  readonly resources: Resources
  /** How many at a time; null: as many as a queue should hold. */
  readonly workers: number | null
  readonly lang: Language
  /** Ends what was handed over, unlike the request to stop klens. */
  readonly spent: AbortSignal
}

export async function trainElsewhere(
  workspace: Workspace,
  planned: readonly Trial[],
  { study, section, resources, workers, lang, spent }: Elsewhere,
  { signal, onProgress, remark }: Asking<TrainEvent>,
): Promise<TrialsAnswer> {
  const { root } = workspace
  const records = jobRecords(workspace, study)
  const machine = thisMachine()
  const executor = openExecutor(section, records.folder, machine)
  const atOnce = workers ?? roomAt(section, resources, machine)
  const names = planned.map(({ name, config }) => ({ name: name ?? '', epochs: epochsOf(config) }))
  onProgress?.({ event: 'grid', trials: names, workers: Math.min(atOnce, planned.length) })

  const finished = await finishedRuns(workspace)
  const wanted = planned.filter(trial => finished(trial) === null)
  for (const trial of planned) {
    const run = finished(trial)
    if (run !== null) onProgress?.({ event: 'end', trial: trial.name ?? '', end: endAt(run) })
  }
  await makeStarts(workspace, wanted, { ...(signal && { signal }), ...(onProgress && { onProgress }) })
  const jobs = new Map<string, Trial>()
  const handed: Job[] = []
  for (const trial of wanted) {
    const job = await trialJob(workspace, trial, records, { section, resources })
    jobs.set(job.id, trial)
    handed.push(job)
    // Its run was removed after it was trained.
    const record = await records.read(job.id)
    if (record?.end?.state === 'done') await records.end(record, { state: 'discarded', reason: null })
  }

  const printed = new Map<string, LineReader>()
  const told = new Map<string, TrainedAnswer>()
  const hear = (event: JobEvent): void => {
    const said = remarkOf(event, executor.place)
    if (said !== null) remark?.(said)
    if (!('job' in event)) return
    const { job } = event
    const trial = job.name
    switch (event.event) {
      case 'running':
        onProgress?.({ event: 'started', trial, resumedAfter: null, about: null })
        break
      case 'log': {
        const reader = printed.get(job.id) ?? lineReader()
        printed.set(job.id, reader)
        for (const line of reader(event.text)) {
          const report = readLine(epoch, line)
          if (report !== null) onProgress?.({ event: 'epoch', trial, report })
          const answer = readLine(trained, line)
          if (answer !== null) told.set(job.id, answer)
        }
        break
      }
      case 'ended': {
        const { state, reason } = event.end
        const answer = told.get(job.id)
        if (state === 'done' && answer !== undefined) onProgress?.({ event: 'end', trial, end: answer })
        if (state === 'failed') onProgress?.({ event: 'end', trial, end: failedEnd(reason ?? state) })
      }
    }
  }
  const ends = await driveJobs(handed, {
    executor,
    records,
    atOnce,
    ...(signal !== undefined && { signal }),
    spent,
    hear,
    language: lang,
  })
  const after = await finishedRuns(workspace)
  for (const [id, { state }] of ends) {
    const trial = jobs.get(id)
    // Of one that ended while klens was away there is no last line to read.
    if (trial === undefined || state !== 'done' || (told.has(id) && after(trial) !== null)) continue
    const run = after(trial)
    const end =
      run === null ? failedEnd(render(say('study.job.no-run', { place: executor.place, root }), lang)) : endAt(run)
    onProgress?.({ event: 'end', trial: trial.name ?? '', end })
  }
  const ofTrial = new Map([...jobs].map(([id, trial]) => [trial, ends.get(id)]))
  return {
    runs: planned.map(trial => ({ trial: trial.name, ...outcomeOf(ofTrial.get(trial), after(trial)) })),
    known: planned.length - wanted.length,
    stopped: signal?.aborted === true || spent.aborted,
  }
}

/** What was trained with these settings, from this start, under this name. */
async function finishedRuns(workspace: Workspace): Promise<(trial: Trial) => RunEntry | null> {
  const { entries } = await listRuns(workspace)
  const known = new Map(
    entries
      .filter(({ source, status }) => source === SOURCE && status === 'finished')
      .map(entry => [keyOf(entry.name, entry.lineage.settings, entry.lineage.parent?.path), entry]),
  )
  return ({ name, config, from }) => known.get(keyOf(name ?? '', configHash(config), from)) ?? null
}

function keyOf(name: string, settings: string | null | undefined, start: string | null | undefined): string {
  return JSON.stringify([name, settings ?? null, start ?? null])
}

async function trialJob(
  { root }: Workspace,
  { name, config, from }: Trial,
  { folder }: JobRecords,
  { section, resources }: Pick<Elsewhere, 'section' | 'resources'>,
): Promise<Job> {
  const settings = configHash(config)
  const id = createHash('sha256')
    .update(keyOf(name ?? '', settings, from))
    .digest('hex')
    .slice(0, 32)
  const path = join(folder, `${id}.config.yaml`)
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(path, `${JSON.stringify(config)}\n`)
  const start = from === null ? [] : ['--from', from]
  const [program, ...rest] = section.klens ?? [process.execPath, process.argv[1]]
  return {
    id,
    name: name ?? id,
    words: [program, ...rest, 'train', path, ...start, '--once', '--json'],
    folder: process.cwd(),
    environment: { KLENS_HOME: root, ...section.environment },
    resources,
  }
}

type LineReader = (text: string) => readonly string[]

/** Whole lines, however the text is cut. */
function lineReader(): LineReader {
  let rest = ''
  return text => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}

/** What `klens train --json` prints beside what others print into the same log. */
function readLine<Schema extends z.ZodType>(schema: Schema, line: string): z.output<Schema> | null {
  if (!line.startsWith('{')) return null
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function remarkOf(told: JobEvent, place: string): Message | null {
  switch (told.event) {
    case 'handed-over': {
      const { job, attempt, why } = told
      if (why === 'lost') return say('study.job.again-lost', { trial: job.name, place })
      return why === 'evicted' ? say('study.job.again-evicted', { trial: job.name, attempt }) : null
    }
    case 'attached':
      return say('study.job.attached', { trial: told.job.name, place })
    case 'unreachable':
      return say('study.job.unreachable', { problem: told.problem })
    case 'reached-again':
      return say('study.job.reached', { place })
    case 'left':
      return say('study.job.left', { jobs: told.jobs, n: told.jobs, place })
    default:
      return null
  }
}

function endAt({ id }: RunEntry): TrialEnd {
  return { run: id, status: 'finished', volatile: { seconds: 0, resumedAfter: null } }
}

function failedEnd(reason: string): TrialEnd {
  return { run: null, status: 'failed', reason, volatile: { seconds: 0, resumedAfter: null } }
}

function outcomeOf(
  end: JobEnd | undefined,
  run: RunEntry | null,
): Pick<TrialsAnswer['runs'][number], 'run' | 'status'> {
  if (run !== null) return { run: run.id, status: 'finished' }
  return { run: null, status: end?.state === 'failed' || end?.state === 'done' ? 'failed' : 'unknown' }
}
