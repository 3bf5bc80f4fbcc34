import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { commandQueue, type QueueCommands, slurmCommands } from './commands.js'
import type { Attempt, JobQueue, JobStatus } from './executor.js'

/**
 * Programs that take the words that klens gives to Slurm's and keep jobs as files: sbatch starts the script at once, unless
 * the queue is held. No Slurm can be had here; what words the real ones take is from their manuals.
 */
const QUEUE = `#!${process.execPath}
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const queue = process.env.QUEUE
const given = new Map(process.argv.slice(2).map(word => [word.split('=')[0], word.split('=').slice(1).join('=')]))
const named = name => path.join(queue, name + '.state')
const read = name => { try { return fs.readFileSync(named(name), 'utf8') } catch { return null } }
switch (path.basename(process.argv[1])) {
  case 'sbatch': {
    const name = given.get('--job-name')
    fs.appendFileSync(path.join(queue, 'sbatch.log'), JSON.stringify(process.argv.slice(2)) + '\\n')
    const script = process.argv.at(-1)
    const log = fs.openSync(given.get('--output'), 'a')
    if (fs.existsSync(path.join(queue, 'held'))) fs.writeFileSync(named(name), 'PENDING 0')
    else {
      const child = spawn('sh', ['-c', '"$1"; code=$?; [ "$code" = 0 ] && state=COMPLETED || state=FAILED; [ -e "$2.gone" ] || echo "$state 0" > "$2"', 'job', script, named(name)], { cwd: given.get('--chdir'), detached: true, stdio: ['ignore', log, log] })
      fs.writeFileSync(named(name), 'RUNNING ' + child.pid)
      child.unref()
    }
    console.log('4711')
    break
  }
  case 'squeue': {
    const state = read(given.get('--name'))
    if (state !== null && /PENDING|RUNNING/.test(state)) console.log(state.split(' ')[0])
    break
  }
  case 'sacct': {
    if (fs.existsSync(path.join(queue, 'no-accounts'))) { console.error('Slurm accounting storage is disabled'); process.exit(1) }
    const state = read(given.get('--name'))
    if (state !== null) console.log(state.split(' ')[0])
    break
  }
  case 'scancel': {
    const state = read(given.get('--name'))
    if (state === null) break
    fs.writeFileSync(named(given.get('--name')) + '.gone', '')
    const group = Number(state.split(' ')[1])
    if (group > 0) process.kill(-group, 'SIGTERM')
    fs.writeFileSync(named(given.get('--name')), 'CANCELLED 0')
  }
}
`

interface Cluster {
  readonly folder: string
  readonly queue: string
  readonly executor: JobQueue
}

function cluster(commands: QueueCommands = slurmCommands(['--partition=gpu'])): Cluster {
  const folder = temporaryFolder()
  const [bin, queue] = ['bin', 'queue'].map(name => join(folder, name))
  for (const each of [bin, queue]) mkdirSync(each)
  for (const program of ['sbatch', 'squeue', 'sacct', 'scancel']) {
    writeFileSync(join(bin, program), QUEUE)
    chmodSync(join(bin, program), 0o755)
  }
  const environment = { PATH: `${bin}:${process.env.PATH}`, QUEUE: queue }
  const jobs = join(folder, 'jobs')
  return { folder, queue, executor: commandQueue(jobs, commands, { host: hostname(), environment, sightMs: 0 }) }
}

function job(folder: string, script: string): Attempt {
  const words = ['sh', '-c', script] as const
  const environment = { GREETING: "it's; $HOME" }
  return { id: 'a', name: 'kl/a', handle: 'h-1', words, folder, environment, resources: { cpus: 3, gpus: null } }
}

async function ended(executor: JobQueue): Promise<JobStatus> {
  for (;;) {
    const stand = await executor.status('h-1')
    if (stand.state !== 'running' && stand.state !== 'waiting') return stand
    await pause(20)
  }
}

describe('Slurm', () => {
  it('runs a job once, as it was told, and tells how it ended', async () => {
    const { folder, queue, executor } = cluster()
    const one = job(folder, 'echo "$GREETING"; exit 4')
    expect((await executor.status('h-1')).state).toBe('lost')
    await executor.submit(one)
    await executor.submit(one)
    expect(await ended(executor)).toEqual({ state: 'failed', reason: "exit code 4: it's; $HOME" })
    const asked = readFileSync(join(queue, 'sbatch.log'), 'utf8').trim().split('\n')
    expect(asked).toHaveLength(1)
    const words: string[] = JSON.parse(asked[0])
    expect(words).toEqual(expect.arrayContaining(['--cpus-per-task=3', '--partition=gpu', '--no-requeue']))
    // Nothing was said of graphics cards, so nothing is asked for.
    expect(words.filter(word => word.includes('gpus'))).toEqual([])
    expect((await executor.log('h-1', 0)).text).toBe("it's; $HOME\n")
  })

  it('that holds a job back and keeps no accounts is waited for, and can be told to drop it', async () => {
    const { folder, queue, executor } = cluster()
    writeFileSync(join(queue, 'held'), '')
    await executor.submit(job(folder, 'true'))
    expect((await executor.status('h-1')).state).toBe('waiting')
    await executor.stop('h-1')
    expect((await executor.status('h-1')).state).toBe('stopped')
    writeFileSync(join(queue, 'no-accounts'), '')
    expect((await executor.status('h-1')).state).toBe('lost')
  })

  it('whose machine died is asked for another attempt', async () => {
    const { folder, queue, executor } = cluster()
    await executor.submit(job(folder, 'kill -9 0'))
    writeFileSync(join(queue, 'h-1.state'), 'NODE_FAIL 0')
    expect((await ended(executor)).state).toBe('evicted')
  })

  it('that is not there, or does not answer, is a sentence', async () => {
    const commands = slurmCommands([])
    const nowhere = commandQueue(temporaryFolder(), commands, { host: 'here', environment: { PATH: '/nowhere' } })
    await expect(nowhere.status('h')).rejects.toMatchObject({ sentence: { key: 'executor.commands.none' } })
    const mute = { ...commands, status: [['sh', '-c', 'echo no answer >&2; exit 3']] as const }
    await expect(cluster(mute).executor.status('h')).rejects.toMatchObject({ code: 'unreachable' })
  })
})

describe('another queue', () => {
  it('tells the id by which it knows a job', async () => {
    const commands: QueueCommands = {
      ...slurmCommands([]),
      name: 'pbs',
      submit: ['sh', '-c', 'echo "job 12.head is queued"', '{script}'],
      id: '^job (\\S+)',
      status: [['sh', '-c', '[ "$1" = 12.head ] && echo "$1 Q"', 'qstat', '{id}']],
      states: { waiting: ['Q'], running: ['R'], done: [], failed: [], stopped: [], evicted: [] },
    }
    const { folder, executor } = cluster(commands)
    expect((await executor.status('h-1')).state).toBe('lost')
    await executor.submit(job(folder, 'true'))
    expect((await executor.status('h-1')).state).toBe('waiting')
    const silent = cluster({ ...commands, submit: ['true'] })
    await expect(silent.executor.submit(job(silent.folder, 'true'))).rejects.toThrow(/no-id/)
  })
})
