import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { listRuns, type RunEntry } from '../../../core/store/catalogue.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import type { Message } from '../../../logs/model/run.js'
import { render, sentences } from '../../../text/sentences.js'
import { configHash } from '../../train/config/hash.js'
import { SOURCE } from '../../train/run/lineage.js'
import type { PlannedTraining } from '../../train/sweep/grid.js'
import { epochSchema, type Outcome, type TrainedAnswer, type TrialEnd, trainedSchema } from '../events.js'
import { driveJobs, type JobEnd, type JobEvent } from './drive.js'
import type { Executor, Job, JobQueue, Resources } from './executor.js'
import type { Host } from './local.js'
import { queueCapacity } from './open-queue.js'
import { gridOf, makeStarts } from './pool.js'
import type { JobRecords } from './records.js'
import type { ExecutorSection } from './section.js'

/**
 * Klens's own trainings as jobs of a queue: the command of each is `klens train` with the trial's very settings, into the
 * same workspace, which must lie where the queue's machines see it under the same path. So a trial has the same hash and
 * name wherever it was trained, and a study goes on at another place than it began.
 */

const say = sentences({
  'study.job.again-lost': {
    en: '{trial}: unknown at {place}; submitted again',
    zh: '{trial}：{place} 不（再）知道它；已重新提交',
  },
  'study.job.again-evicted': {
    en: '{trial}: interrupted; attempt {attempt} continues from there',
    zh: '{trial}：被中断；第 {attempt} 次尝试将从中断处继续',
  },
  'study.job.again-waited': {
    en: '{trial}: {place} had no slot for it in time; submitted again (does any machine there have what "resources" asks for?)',
    zh: '{trial}：{place} 一直没有空位；已重新提交（那里是否有机器满足 resources 的要求？）',
  },
  'study.job.attached': { en: '{trial}: found again at {place}', zh: '{trial}：在 {place} 找到仍在进行的作业' },
  'study.job.unreachable': { en: '{problem}; asking again for a while', zh: '{problem}；将继续尝试一段时间' },
  'study.job.no-run': {
    en: 'it ended well at {place}, but its run is not in {root}: its machines must see that folder under the same path',
    zh: '它在 {place} 上正常结束，但 {root} 中没有其 run：那里的机器必须能以相同路径访问该文件夹',
  },
  'study.job.reached': { en: '{place} answers again', zh: '{place} 已恢复应答' },
  'study.job.left': {
    en: '{jobs} {n|trial continues|trials continue} at {place} without klens; the same command finds {n|it|them} again, klens study stop ends {n|it|them}',
    zh: '{jobs} 个试验在 {place} 上继续运行，无需 klens；再次运行同一命令即可接上，用 klens study stop 结束',
  },
})

interface Queued {
  readonly queue: JobQueue
  readonly records: JobRecords
  readonly section: Exclude<ExecutorSection, { kind: 'local' }>
  readonly resources: Resources
  readonly host: Host
}

export function queuedTrainings(workspace: Workspace, queued: Queued): Executor<PlannedTraining> {
  const { queue, records, section, resources, host } = queued
  const { root } = workspace
  const { place } = queue
  return {
    async run(trainings, { workers, signal, spent, language, onEvent, remark }) {
      const atOnce = workers ?? queueCapacity(section, resources, host)
      onEvent(gridOf(trainings, Math.min(atOnce, trainings.length)))
      const before = await finishedRuns(workspace)
      const wanted = trainings.filter(training => before(training) === null)
      const end = ({ name }: PlannedTraining, ended: TrialEnd): void =>
        onEvent({ event: 'end', trial: name ?? '', end: ended })
      for (const training of trainings) {
        const run = before(training)
        if (run !== null) end(training, finishedBefore(run))
      }
      await makeStarts(workspace, wanted, signal, onEvent)
      const jobs = new Map<string, PlannedTraining>()
      const handed: Job[] = []
      for (const training of wanted) {
        const job = await jobOf(root, training, queued)
        jobs.set(job.id, training)
        handed.push(job)
        // Its run was removed after it was trained.
        const record = await records.read(job.id)
        if (record?.end?.state === 'done') await records.end(record, { state: 'discarded', reason: null })
      }
      const printed = new Map<string, LineReader>()
      const answers = new Map<string, TrainedAnswer>()
      const onJob = (event: JobEvent): void => {
        const said = remarkOf(event, place)
        if (said !== null) remark(said)
        if (!('job' in event)) return
        const { job } = event
        const trial = job.name
        switch (event.event) {
          case 'running':
            onEvent({ event: 'started', trial, resumedAfter: null, about: null })
            break
          case 'log': {
            const reader = printed.get(job.id) ?? lineReader()
            printed.set(job.id, reader)
            for (const line of reader(event.text)) {
              const report = readLine(epochSchema, line)
              if (report !== null) onEvent({ event: 'epoch', trial, report })
              const answer = readLine(trainedSchema, line)
              if (answer !== null) answers.set(job.id, answer)
            }
            break
          }
          case 'ended': {
            const { state, reason } = event.end
            const answer = answers.get(job.id)
            if (state === 'done' && answer !== undefined) onEvent({ event: 'end', trial, end: answer })
            if (state === 'failed') onEvent({ event: 'end', trial, end: failedEnd(reason ?? state) })
          }
        }
      }
      const ends = await driveJobs(handed, { queue, records, atOnce, signal, spent, onEvent: onJob, language })
      const after = await finishedRuns(workspace)
      const noRun = render(say('study.job.no-run', { place, root }), language)
      for (const [id, { state }] of ends) {
        const training = jobs.get(id)
        // Of one that ended while klens was away there is no last line to read.
        if (training === undefined || state !== 'done' || (answers.has(id) && after(training) !== null)) continue
        const run = after(training)
        end(training, run === null ? failedEnd(noRun) : finishedBefore(run))
      }
      const known = new Set(trainings.filter(training => !wanted.includes(training)))
      const endOf = new Map([...jobs].map(([id, training]) => [training, ends.get(id)]))
      return new Map(
        trainings.flatMap(training => {
          const outcome = outcomeOf(endOf.get(training), after(training), known.has(training), noRun)
          return outcome === null ? [] : [[training, outcome] as const]
        }),
      )
    },
  }
}

/** What was trained with these settings, from this start, under this name. */
async function finishedRuns(workspace: Workspace): Promise<(training: PlannedTraining) => RunEntry | null> {
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

async function jobOf(
  root: string,
  { name, config, from }: PlannedTraining,
  { records: { folder }, section, resources, host }: Queued,
): Promise<Job> {
  const id = sha256(keyOf(name ?? '', configHash(config), from)).slice(0, 32)
  const path = join(folder, `${id}.config.yaml`)
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(path, `${JSON.stringify(config)}\n`)
  const start = from === null ? [] : ['--from', from]
  const [program, ...rest] = section.klens ?? host.klens
  return {
    id,
    name: name ?? id,
    words: [program, ...rest, 'train', path, ...start, '--once', '--json'],
    folder: host.folder,
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

function remarkOf(event: JobEvent, place: string): Message | null {
  switch (event.event) {
    case 'handed-over': {
      const { job, attempt, why } = event
      if (why === 'lost') return say('study.job.again-lost', { trial: job.name, place })
      if (why === 'waited') return say('study.job.again-waited', { trial: job.name, place })
      return why === 'evicted' ? say('study.job.again-evicted', { trial: job.name, attempt }) : null
    }
    case 'attached':
      return say('study.job.attached', { trial: event.job.name, place })
    case 'unreachable':
      return say('study.job.unreachable', { problem: event.problem })
    case 'reached-again':
      return say('study.job.reached', { place })
    case 'left':
      return say('study.job.left', { jobs: event.jobs, n: event.jobs, place })
    default:
      return null
  }
}

function finishedBefore({ id }: RunEntry): TrialEnd {
  return { run: id, status: 'finished', volatile: { seconds: 0, resumedAfter: null } }
}

function failedEnd(reason: string): TrialEnd {
  return { run: null, status: 'failed', reason, volatile: { seconds: 0, resumedAfter: null } }
}

/** Null: it was not begun. */
function outcomeOf(end: JobEnd | undefined, run: RunEntry | null, isKnown: boolean, noRun: string): Outcome | null {
  if (run !== null) return { state: 'done', run: run.id, reasons: [], isKnown }
  if (end === undefined) return null
  const { state, reason } = end
  if (state === 'done') return { state: 'failed', run: null, reasons: [noRun], isKnown }
  return { state, run: null, reasons: state === 'failed' ? [reason ?? state] : [], isKnown }
}
