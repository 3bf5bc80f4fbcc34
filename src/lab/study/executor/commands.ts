import { execFile } from 'node:child_process'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { nullWhenMissing } from '../../../core/store/lease.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { typedForShell } from '../../../text/shell.js'
import { type Attempt, ENDING, type JobQueue, type JobStatus } from './executor.js'
import { begunOrLost, endOf, jobFiles, noteStop, starterWords, textFrom } from './job-files.js'

/**
 * Any queue that is spoken to by commands: how a job is handed over, how it stands, what it has printed, how it is stopped.
 * What the queue runs is a script that klens writes beside its record. The program's own exit code counts before what
 * the queue says, so that a queue that forgets soon, or keeps no accounts, does no harm.
 */
export interface QueueCommands {
  readonly name: string
  readonly submit: Words
  /** What stands for `{id}` in the other commands: the first group of this pattern, in what `submit` prints. */
  readonly id: string | null
  /** Tried in order until one names a state. The first must work; a queue need not keep the accounts that others look in. */
  readonly status: readonly Words[]
  /** Words that the queue has for states; any case. */
  readonly states: { readonly [state in Exclude<JobStatus['state'], 'lost'>]: readonly string[] }
  /** Null: the log lies where `{log}` says. */
  readonly logs: Words | null
  readonly stop: Words
}

export type Words = readonly [program: string, ...rest: string[]]

/** `{id}` is there only for queues whose `submit` tells one. */
export const BLANKS = ['handle', 'id', 'name', 'script', 'log', 'folder', 'cpus', 'gpus'] as const

type Blanks = { readonly [blank in (typeof BLANKS)[number]]?: string | null }

const say = sentences({
  'executor.commands.none': {
    en: 'the executor {name} needs the program "{program}", which is not installed here',
    zh: '这里没有程序“{program}”，而执行器 {name} 需要用它',
  },
  'executor.commands.failed': {
    en: '{name}: "{line}" ended with {how}: {reason}',
    zh: '{name}：“{line}” 以 {how} 结束：{reason}',
  },
  'executor.commands.no-id': {
    en: '{name}: no id in what "{line}" printed: {printed}',
    zh: '{name}：“{line}” 的输出中没有 id：{printed}',
  },
})

const LOOK_EVERY_MS = [1000, 30_000] as const
/** A file of another machine may come to sight later than the queue's word of the end. */
const SIGHT_MS = 10_000

interface Surroundings {
  readonly host: string
  readonly environment: NodeJS.ProcessEnv
  readonly sightMs?: number
}

export function commandQueue(
  folder: string,
  commands: QueueCommands,
  { host, environment, sightMs = SIGHT_MS }: Surroundings,
): JobQueue {
  const { name } = commands
  const idPath = (handle: string): string => join(folder, `${handle}.remote`)
  /** By handle: since when the queue has said that a job is over which has not said so itself. */
  const overSince = new Map<string, number>()

  async function blanksOf(handle: string): Promise<Blanks> {
    const id = commands.id === null ? null : await readFile(idPath(handle), 'utf8').catch(nullWhenMissing)
    return { handle, id, log: jobFiles(folder, handle).log, script: scriptPath(folder, handle) }
  }

  async function submit(job: Attempt): Promise<void> {
    const { handle, resources } = job
    if ((await status(handle)).state !== 'lost') return
    await mkdir(folder, { recursive: true })
    const script = scriptPath(folder, handle)
    await writeFileAtomically(script, scriptOf(job, folder))
    await chmod(script, 0o755)
    const words = filled(commands.submit, {
      ...(await blanksOf(handle)),
      name: job.name,
      folder: job.folder,
      cpus: resources.cpus === null ? null : String(resources.cpus),
      gpus: resources.gpus === null ? null : String(resources.gpus),
    })
    const printed = await run(name, words, environment)
    if (commands.id === null) return
    const [, id] = new RegExp(commands.id, 'm').exec(printed) ?? []
    if (id === undefined) {
      throw new Problem('bad-request', say('executor.commands.no-id', { name, line: words.join(' '), printed }))
    }
    await writeFileAtomically(idPath(handle), id)
  }

  async function status(handle: string): Promise<JobStatus> {
    const files = jobFiles(folder, handle)
    const ended = await endOf(files)
    if (ended !== null) return ended
    const blanks = await blanksOf(handle)
    const queued = commands.id !== null && blanks.id === null ? null : await statusInQueue(blanks)
    if (queued?.state === 'waiting' || queued?.state === 'running') {
      overSince.delete(handle)
      return queued
    }
    const own = await begunOrLost(files, host)
    if (queued === null && own.state !== 'evicted') return own
    const since = overSince.get(handle) ?? performance.now()
    overSince.set(handle, since)
    if (performance.now() - since < sightMs) return { state: 'running', reason: null }
    return queued ?? own
  }

  /** Null: the queue does not know it. */
  async function statusInQueue(blanks: Blanks): Promise<JobStatus | null> {
    for (const [nth, template] of commands.status.entries()) {
      const printed = await run(name, filled(template, blanks), environment).catch(error => {
        if (nth === 0 || !(error instanceof Problem)) throw error
        return ''
      })
      for (const word of printed.toUpperCase().match(/[A-Z_]+/g) ?? []) {
        const state = STATES.find(each => commands.states[each].some(own => own.toUpperCase() === word))
        if (state !== undefined) return { state, reason: state === 'failed' ? `${name}: ${printed.trim()}` : null }
      }
    }
    return null
  }

  return {
    place: name,
    goesOnAlone: true,
    lookEveryMs: LOOK_EVERY_MS,
    submit,
    status,
    async log(handle, from) {
      if (commands.logs === null) return textFrom(jobFiles(folder, handle).log, from)
      const text = await run(name, filled(commands.logs, await blanksOf(handle)), environment)
      return from === 'end' ? { text: '', next: text.length } : { text: text.slice(from), next: text.length }
    },
    async stop(handle, { seconds } = ENDING) {
      await noteStop(jobFiles(folder, handle), seconds)
      await run(name, filled(commands.stop, await blanksOf(handle)), environment)
    },
  }
}

const STATES = ['waiting', 'running', 'done', 'failed', 'stopped', 'evicted'] as const

function scriptPath(folder: string, handle: string): string {
  return join(folder, `${handle}.sh`)
}

function scriptOf({ words, handle, folder: place, environment }: Attempt, folder: string): string {
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}=${shellLine([value])}\n`)
  const start = shellLine([...starterWords(folder, handle), ...words])
  return `#!/bin/sh\ncd ${shellLine([place])} || exit 1\n${variables.join('')}exec ${start}\n`
}

/** A word whose blank has no value is left out: who says nothing of graphics cards asks for none. */
function filled([program, ...words]: Words, blanks: Blanks): Words {
  const known = new Map<string, string | null | undefined>(Object.entries(blanks))
  const values = (word: string): readonly (string | null | undefined)[] =>
    [...word.matchAll(BLANK)].map(([, blank]) => known.get(blank))
  return [
    program,
    ...words
      .filter(word => values(word).every(value => typeof value === 'string'))
      .map(word => word.replace(BLANK, (_, blank: string) => known.get(blank) ?? '')),
  ]
}

const BLANK = /\{(\w+)\}/g

function run(name: string, [program, ...words]: Words, environment: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, words, { env: environment, encoding: 'utf8', maxBuffer: 1 << 26 }, (error, out, told) => {
      if (error === null) resolve(out)
      else if (error.code === 'ENOENT') {
        reject(new Problem('bad-request', say('executor.commands.none', { name, program }), { cause: error }))
      } else {
        const line = [program, ...words].join(' ')
        const reason = told.trim().slice(-300)
        const how = String(error.code ?? error.signal)
        reject(
          new Problem('unreachable', say('executor.commands.failed', { name, line, how, reason }), { cause: error }),
        )
      }
    })
  })
}

/**
 * Slurm as four commands. Jobs are known by their name, which is klens's handle, and not by the number that sbatch tells:
 * a klens that was killed before it could write that down would not find its job again. Slurm must not start a job again
 * by itself, for klens counts attempts.
 */
export function slurmCommands(options: readonly string[]): QueueCommands {
  return {
    name: 'slurm',
    submit: [
      'sbatch',
      '--parsable',
      '--no-requeue',
      '--job-name={handle}',
      '--comment={name}',
      '--output={log}',
      '--open-mode=append',
      '--chdir={folder}',
      '--cpus-per-task={cpus}',
      '--gpus={gpus}',
      ...options,
      '{script}',
    ],
    id: null,
    status: [
      ['squeue', '--noheader', '--states=all', '--name={handle}', '--format=%T'],
      [
        'sacct',
        '--noheader',
        '--allocations',
        '--parsable2',
        '--starttime=now-30days',
        '--name={handle}',
        '--format=State',
      ],
    ],
    states: {
      waiting: ['PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_HOLD', 'RESV_DEL_HOLD', 'SPECIAL_EXIT'],
      running: ['RUNNING', 'COMPLETING', 'STAGE_OUT', 'SUSPENDED', 'STOPPED', 'RESIZING', 'SIGNALING'],
      done: ['COMPLETED'],
      failed: ['FAILED', 'TIMEOUT', 'DEADLINE', 'OUT_OF_MEMORY'],
      stopped: ['CANCELLED', 'REVOKED'],
      evicted: ['PREEMPTED', 'NODE_FAIL', 'BOOT_FAIL', 'LAUNCH_FAILED', 'RECONFIG_FAIL'],
    },
    logs: null,
    stop: ['scancel', '--name={handle}'],
  }
}

/**
 * Words as a line that a shell of the POSIX kind reads back as those very words. Only for executors that take a line and no
 * words; in single quotes nothing has a meaning but the single quote itself.
 */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  // No operating system can hand over a word with a NUL in it.
  if (word.includes('\0')) throw new RangeError('a word with a NUL')
  return typedForShell(word)
}
