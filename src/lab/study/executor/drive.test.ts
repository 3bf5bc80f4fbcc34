import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import { temporaryWorkspace } from '../../../../test/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import { driveJobs, type JobEvent } from './drive.js'
import type { Job, JobQueue } from './executor.js'
import { localQueue } from './local.js'
import { jobRecords } from './records.js'

async function study() {
  const workspace = await temporaryWorkspace()
  const records = jobRecords(workspace, 'kl')
  const folder = join(workspace.root, '..')
  const machine = { host: hostname(), environment: { PATH: process.env.PATH }, cores: 2, cards: [] }
  const queue = localQueue(records.folder, machine)
  const job = (id: string, script: string): Job => ({
    id,
    name: `kl/${id}`,
    words: ['sh', '-c', `echo ${id} >> begun; ${script}`],
    folder,
    environment: {},
    resources: { cpus: 1, gpus: null },
  })
  const begun = (): readonly string[] => readFileSync(join(folder, 'begun'), 'utf8').trim().split('\n')
  return { records, queue, job, begun, folder }
}

/** What every job of these tests is told apart by. */
function states(ends: ReadonlyMap<string, { readonly state: string; readonly attempt: number }>) {
  return [...ends].map(([id, { state, attempt }]) => `${id} ${state} ${attempt}`).sort()
}

describe('jobs are brought to their end', () => {
  it('at most so many at a time, and once', async () => {
    const { records, queue, job, begun } = await study()
    let running = 0
    let most = 0
    const onEvent = (event: JobEvent): void => {
      if (event.event === 'handed-over') running += 1
      if (event.event === 'ended') running -= 1
      most = Math.max(most, running)
    }
    const jobs = [job('a', 'true'), job('b', 'exit 1'), job('c', 'true')]
    expect(states(await driveJobs(jobs, { queue, records, atOnce: 2, onEvent }))).toEqual([
      'a done 1',
      'b failed 1',
      'c done 1',
    ])
    expect(most).toBe(2)
    // Asked again, only what failed is tried again.
    const again = await driveJobs(jobs, { queue, records, atOnce: 2 })
    expect(states(again)).toEqual(['a done 1', 'b failed 2', 'c done 1'])
    expect(again.get('a')?.isKnown).toBe(true)
    expect([...begun()].sort()).toEqual(['a', 'b', 'b', 'c'])
  })

  it('where klens was killed at any moment between its record and the end of the job', async () => {
    const { records, queue, job, begun, folder } = await study()
    const [recorded, claimed, over] = [
      job('a', 'true'),
      job('b', 'while [ ! -e go ]; do sleep 0.02; done'),
      job('c', 'true'),
    ]
    await records.begin(recorded, 'local', 1)
    for (const each of [claimed, over]) {
      const { handle } = await records.begin(each, 'local', 1)
      await queue.submit({ ...each, handle })
    }
    const told: string[] = []
    const onEvent = (event: JobEvent): void => {
      if ('job' in event) told.push(`${event.job.id} ${event.event}`)
      if (event.event === 'attached') writeFileSync(join(folder, 'go'), '')
    }
    const ends = await driveJobs([recorded, claimed, over], { queue, records, atOnce: 1, onEvent })
    expect(states(ends)).toEqual(['a done 1', 'b done 1', 'c done 1'])
    expect([...begun()].sort()).toEqual(['a', 'b', 'c'])
    expect(told).toContain('b attached')
    expect(told).toContain('a handed-over')
  })

  it('with another attempt where one was cut off, but not for ever', async () => {
    const { records, queue, job, begun } = await study()
    // The shell of the starter is the parent: the whole group goes, as when a machine does.
    const cut = job('a', 'kill -9 0')
    const twice = job('b', '[ "$(grep -c b begun)" = 2 ] || kill -9 0')
    const ends = await driveJobs([cut, twice], { queue, records, atOnce: 1 })
    expect(states(ends)).toEqual(['a failed 5', 'b done 2'])
    expect(ends.get('a')?.reason).toBe('5 attempts were interrupted')
    expect(begun()).toHaveLength(7)
  })

  it('with as many attempts as it takes where a queue had no place for it', async () => {
    const { records, queue, job, begun } = await study()
    let full = 7
    const crowded: JobQueue = {
      ...queue,
      submit: async one => {
        full -= 1
        if (full < 0) await queue.submit(one)
      },
      status: async handle =>
        full < 0 ? queue.status(handle) : { state: 'evicted', reason: 'no place', hasOnlyWaited: true },
    }
    const told: JobEvent[] = []
    const ends = await driveJobs([job('a', 'true')], {
      queue: crowded,
      records,
      atOnce: 1,
      onEvent: event => void told.push(event),
    })
    expect(states(ends)).toEqual(['a done 8'])
    expect(begun()).toEqual(['a'])
    expect(told.filter(event => event.event === 'handed-over' && event.why === 'waited')).toHaveLength(7)
  })

  it('or stopped where klens is asked to, and no others begun', async () => {
    const { records, queue, job, begun } = await study()
    const controller = new AbortController()
    const onEvent = ({ event }: JobEvent): void => {
      if (event === 'running') controller.abort()
    }
    const jobs = [job('a', 'sleep 20'), job('b', 'true')]
    const ends = await driveJobs(jobs, { queue, records, atOnce: 1, onEvent, signal: controller.signal })
    expect(states(ends)).toEqual(['a stopped 1'])
    expect(begun()).toEqual(['a'])
  })

  it('or left alone at an queue that goes on without klens', async () => {
    const { records, queue, job } = await study()
    const controller = new AbortController()
    const cluster: JobQueue = { ...queue, place: 'cluster', goesOnAlone: true }
    const jobs = [job('a', 'sleep 20')]
    const told: JobEvent[] = []
    const onEvent = (event: JobEvent): void => {
      told.push(event)
      if (event.event === 'running') controller.abort()
    }
    const ends = await driveJobs(jobs, { queue: cluster, records, atOnce: 1, onEvent, signal: controller.signal })
    expect(states(ends)).toEqual(['a left 1'])
    expect(told).toContainEqual({ event: 'left', jobs: 1, place: 'cluster' })
    await expect(driveJobs(jobs, { queue, records, atOnce: 1 })).rejects.toThrow(/executor.elsewhere/)
    const [record] = await records.open()
    await cluster.stop(record.handle)
    while ((await cluster.status(record.handle)).state === 'running') await pause(10)
  })

  it('while the queue is out of reach for a time; for too long is told', async () => {
    const { records, queue, job } = await study()
    let misses = 1
    const shaky: JobQueue = {
      ...queue,
      async submit(one) {
        misses -= 1
        if (misses >= 0) throw new Problem('unreachable', testMessage('test'))
        return queue.submit(one)
      },
    }
    const told: string[] = []
    const onEvent = ({ event }: JobEvent): void => void told.push(event)
    const ends = await driveJobs([job('a', 'true')], { queue: shaky, records, atOnce: 1, onEvent })
    expect(states(ends)).toEqual(['a done 1'])
    expect(told.slice(0, 3)).toEqual(['unreachable', 'reached-again', 'handed-over'])
    misses = 1
    const impatient = { queue: shaky, records, atOnce: 1, patienceMs: [0, 0] as const }
    await expect(driveJobs([job('b', 'true')], impatient)).rejects.toThrow(/unreachable/)
  })
})
