import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { birthOf, isAlive } from '../../../core/store/process.js'
import type { Attempt, JobQueue, JobStatus } from './executor.js'
import { capacityOf, localQueue, type Machine } from './local.js'

/** Real processes: what a shell does with signals, groups and numbers is what is relied upon. */

function machineWith(cards: readonly string[]): Machine {
  return { host: hostname(), environment: { PATH: process.env.PATH }, cores: 4, cards }
}

function job(folder: string, handle: string, script: string, gpus: number | null = null): Attempt {
  const words = ['sh', '-c', script] as const
  return { id: handle, name: handle, handle, words, folder, environment: {}, resources: { cpus: 1, gpus } }
}

async function until(executor: JobQueue, handle: string, wanted: (stand: JobStatus) => boolean): Promise<JobStatus> {
  for (;;) {
    const stand = await executor.status(handle)
    if (wanted(stand)) return stand
    await pause(10)
  }
}

function hasEnded({ state }: JobStatus): boolean {
  return state !== 'running' && state !== 'waiting'
}

async function fileOf(path: string): Promise<string> {
  while (!existsSync(path)) await pause(10)
  return readFileSync(path, 'utf8')
}

describe('a pool of processes', () => {
  it('starts a job once, keeps what it prints and tells how it ended', async () => {
    const folder = temporaryFolder()
    const executor = localQueue(join(folder, 'jobs'), machineWith([]))
    expect((await executor.status('a')).state).toBe('lost')
    const once = job(folder, 'a', 'echo begun >> count; echo größer; exit 3')
    await executor.submit(once)
    await executor.submit(once)
    const end = await until(executor, 'a', hasEnded)
    expect(end).toEqual({ state: 'failed', reason: 'exit code 3: größer' })
    await executor.submit(once)
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('begun\n')
    const { text, next } = await executor.log('a', 0)
    expect(text).toBe('größer\n')
    expect(await executor.log('a', 'end')).toEqual({ text: '', next })
  })

  it('hands words over as they are, whatever a shell would make of them', async () => {
    const folder = temporaryFolder()
    const executor = localQueue(join(folder, 'jobs'), machineWith([]))
    const hostile = ['$(touch x)', '`touch x`', '; touch x', '\'"\\', '*', '-n', '', 'a\nb', '$HOME', '--', '中 文']
    const words = [process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...hostile] as const
    await executor.submit({ ...job(folder, 'w', ''), words })
    expect((await until(executor, 'w', hasEnded)).state).toBe('done')
    expect(JSON.parse((await executor.log('w', 0)).text)).toEqual(hostile)
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })

  it('is never taken for the first process of this machine, whose group is everything', async () => {
    const jobs = temporaryFolder()
    const executor = localQueue(jobs, machineWith([]))
    writeFileSync(join(jobs, 'a.claim'), `1\n${birthOf(1)}\n${machineWith([]).host}\n\n`)
    await expect(executor.stop('a')).rejects.toMatchObject({ code: 'busy' })
    expect(existsSync(join(jobs, 'a.stop'))).toBe(false)
  })

  it('is found again by another process that knows nothing but the files', async () => {
    const folder = temporaryFolder()
    const jobs = join(folder, 'jobs')
    await localQueue(jobs, machineWith(['0', '1'])).submit(
      job(folder, 'a', 'while [ ! -e go ]; do sleep 0.02; done', 1),
    )
    const later = localQueue(jobs, machineWith(['0', '1']))
    expect((await later.status('a')).state).toBe('running')
    // The first card is taken though this one did not hand it out.
    await later.submit(job(folder, 'b', 'echo "$CUDA_VISIBLE_DEVICES" > card; touch go', 1))
    expect((await until(later, 'b', hasEnded)).state).toBe('done')
    expect(readFileSync(join(folder, 'card'), 'utf8')).toBe('1\n')
    expect((await until(later, 'a', hasEnded)).state).toBe('done')
  })

  it('ends what a job has started itself, first gently and then not', async () => {
    const folder = temporaryFolder()
    const executor = localQueue(join(folder, 'jobs'), machineWith([]))
    const stubborn = 'sh -c \'trap "" TERM; echo $$ > child; while :; do sleep 0.05; done\' & wait; sleep 9'
    await executor.submit(job(folder, 'a', stubborn))
    const child = Number(await fileOf(join(folder, 'child')))
    await executor.stop('a', { signal: 'SIGTERM', seconds: 0.05 })
    expect((await until(executor, 'a', ({ state }) => state === 'stopped')).reason).toBeNull()
    // Killed with its group; the kernel may take a moment to bury it on a busy machine.
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 10_000 })
  })

  it('tells a job that was cut off from one that failed, and from another with its number', async () => {
    const folder = temporaryFolder()
    const jobs = join(folder, 'jobs')
    const executor = localQueue(jobs, machineWith([]))
    await executor.submit(job(folder, 'a', 'sleep 20'))
    const [pid] = readFileSync(join(jobs, 'a.claim'), 'utf8').split('\n')
    process.kill(-Number(pid), 'SIGKILL')
    expect((await until(executor, 'a', hasEnded)).state).toBe('evicted')
    const claim = [process.pid, 'another birth', hostname(), ''].join('\n')
    writeFileSync(join(jobs, 'b.claim'), claim)
    expect((await executor.status('b')).state).toBe('evicted')
  })

  it('takes as many as there are cores and cards for', () => {
    expect(capacityOf({ cpus: null, gpus: null }, machineWith([]))).toBe(4)
    expect(capacityOf({ cpus: 2, gpus: 0 }, machineWith([]))).toBe(2)
    expect(capacityOf({ cpus: 8, gpus: null }, machineWith([]))).toBe(1)
    expect(capacityOf({ cpus: 1, gpus: 2 }, machineWith(['0', '1', '2']))).toBe(1)
    expect(capacityOf({ cpus: 1, gpus: 0.5 }, machineWith(['0']))).toBe(2)
    expect(() => capacityOf({ cpus: 1, gpus: 1 }, machineWith([]))).toThrow(/executor.local.cards/)
  })
})
