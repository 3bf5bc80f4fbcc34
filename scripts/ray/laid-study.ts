import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Klens, klens } from './klens.js'

/** A study laid out in a folder with a workspace of its own: its processes can be found, and what came of it counted. */
export interface LaidStudy {
  readonly folder: string
  readonly name: string
  readonly file: string
}

const EPOCHS = 5
/** Small enough that a trial takes seconds, long enough to be caught in the middle. */
const BASE = `{policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 1, grpo: ${EPOCHS - 1}}}`

/** Two arms, so many seeds each. */
export function laidStudy(folder: string, seeds: number, name = 'kl', resources = 'resources: {cpus: 1}\n'): LaidStudy {
  mkdirSync(folder, { recursive: true })
  const file = `${name}.yaml`
  const text = `question: does the KL matter?\nbase: ${BASE}\narms: {a: {}, b: {kl.loss.coef: 0}}\nseeds: ${seeds}\n`
  writeFileSync(join(folder, file), `${text}${resources}`)
  return { folder, name, file }
}

export function askStudy({ folder, file }: LaidStudy, verb: string, ...words: readonly string[]): Klens {
  return klens(folder, ['study', verb, file, ...words])
}

const holderSchema = z.object({ pid: z.number() })

/** The process that trains one of its trials, once there is a checkpoint and not all of them. */
export async function trainer({ folder }: LaidStudy): Promise<number> {
  const runs = join(folder, '.klens', 'runs')
  for (;;) {
    for (const id of existsSync(runs) ? readdirSync(runs) : []) {
      const names = readdirSync(join(runs, id))
      const lease = names.find(name => name.startsWith('lease.'))
      if (lease === undefined || !names.includes('checkpoints')) continue
      const kept = readdirSync(join(runs, id, 'checkpoints')).filter(name => name.endsWith('.safetensors')).length
      if (kept === 0 || kept > EPOCHS - 2) continue
      try {
        return holderSchema.parse(JSON.parse(readFileSync(join(runs, id, lease), 'utf8'))).pid
      } catch {
        // It has just been let go.
      }
    }
    await pause(20)
  }
}

/** Ray's process above the shell that has claimed one of its jobs. */
export function supervisor(study: LaidStudy): number {
  const [pid] = readFileSync(join(jobsOf(study), begunJobs(study)[0]), 'utf8').split('\n')
  return parentOf(Number(pid))
}

/** The claims of jobs that have begun and not ended. */
export function begunJobs(study: LaidStudy): readonly string[] {
  const jobs = jobsOf(study)
  const names = existsSync(jobs) ? readdirSync(jobs) : []
  return names.filter(name => name.endsWith('.claim') && !existsSync(join(jobs, name.replace(/claim$/, 'exit'))))
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function jobsOf({ folder, name }: LaidStudy): string {
  return join(folder, '.klens', 'studies', name, 'jobs')
}

const recordSchema = z.object({ attempt: z.number() })

/** How often each of its jobs was handed over. */
export function attempts(study: LaidStudy): readonly number[] {
  const jobs = jobsOf(study)
  return readdirSync(jobs)
    .filter(file => file.endsWith('.json'))
    .map(file => recordSchema.parse(JSON.parse(readFileSync(join(jobs, file), 'utf8'))).attempt)
}

const statusSchema = z.object({
  cells: z.array(
    z.object({
      trial: z.string(),
      id: z.string(),
      state: z.string(),
      runs: z.array(z.string()),
      value: z.union([z.number(), z.string()]).nullable(),
      n: z.number(),
    }),
  ),
})

/** Every trial has one run, whole and no more than whole; what it comes to, by trial. */
export async function trainedOnce(study: LaidStudy): Promise<readonly (readonly unknown[])[]> {
  const asked = askStudy(study, 'status', '--json')
  assert.equal(await asked.ended, 0, asked.said())
  const { cells } = statusSchema.parse(JSON.parse(asked.printed()))
  for (const { trial, state, runs, n } of cells) {
    assert.deepEqual([trial, state, runs.length, n], [trial, 'done', 1, EPOCHS])
  }
  return cells.map(({ trial, id, value }) => [trial, id, value])
}
