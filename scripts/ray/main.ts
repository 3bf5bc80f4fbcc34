import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { pythonEnvironment } from '../trl/environment.js'
import { rayHead } from './head.js'

/**
 * `npm run test:ray`: studies on a real Ray head, started here, with what goes wrong on a cluster: a trial is killed, the
 * supervisor of a job dies, klens is killed, the head is killed and starts again with nothing in its memory, two studies
 * come at once, a study is stopped. After each the same must hold: every trial was trained once, to its end. Where Ray
 * cannot be had this says why and succeeds.
 */

const root = process.cwd()
const EPOCHS = 5
/** Small enough that a trial takes seconds, long enough to be caught in the middle. */
const BASE = `{policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 1, grpo: ${EPOCHS - 1}}}`

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
const stopSchema = z.object({ jobs: z.array(z.object({ state: z.string() })) })
const recordSchema = z.object({ name: z.string(), attempt: z.number(), handle: z.string() })
const holderSchema = z.object({ pid: z.number() })

const environment = pythonEnvironment('ray', join(root, 'scripts', 'ray', 'requirements.txt'), 1)
if ('lacks' in environment) {
  console.log(`Skipped: ${environment.lacks}.`)
  process.exit(0)
}
const outputs = new WeakMap<ChildProcess, { out: string; error: string }>()
const work = mkdtempSync(join(tmpdir(), 'klr-'))
const head = rayHead(environment.python, work, Math.max(2, availableParallelism()))
const began = Date.now()
try {
  await head.start()
  step(`a head is up after ${seconds(began)} s`)
  await everything()
  step(`all of it took ${seconds(began)} s`)
} finally {
  await head.kill()
  // Ray's last processes may still write their logs.
  await pause(2000)
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}

async function everything(): Promise<void> {
  const here = place('here')
  const local = study(here, 'kl', 2)
  assert.equal(await ended(klens(here, ['study', 'run', local])), 0)

  const whole = place('whole')
  const file = study(whole, 'kl', 2)
  await timed('a study of four trials', async () => assert.equal(await ended(onRay(whole, file)), 0))
  const expected = await trainedOnce(here, local)
  assert.deepEqual(await trainedOnce(whole, file), expected, 'the same trials, by name, hash and figure')
  await timed('the same again, of which nothing is left to do', async () =>
    assert.equal(await ended(onRay(whole, file)), 0),
  )
  assert.equal(
    attempts(whole, 'kl').every(attempt => attempt === 1),
    true,
    'nothing was handed over twice',
  )

  await timed('a trial is killed; the study is asked for again', async () => {
    const folder = place('trial')
    const one = study(folder, 'kl', 1)
    const running = onRay(folder, one)
    process.kill(await trainer(folder), 'SIGKILL')
    assert.equal(await ended(running), 1, 'a trial that was killed has failed, and that is said')
    assert.equal(await ended(onRay(folder, one)), 0)
    await trainedOnce(folder, one)
    assert.deepEqual(attempts(folder, 'kl').toSorted(), [1, 2])
  })

  await timed("the supervisor of a job dies, which is not the trial's fault", async () => {
    const folder = place('supervisor')
    const one = study(folder, 'kl', 1)
    const running = onRay(folder, one)
    await trainer(folder)
    process.kill(supervisor(folder), 'SIGKILL')
    assert.equal(await ended(running), 0, 'it has another attempt without being asked')
    await trainedOnce(folder, one)
    assert.ok(attempts(folder, 'kl').includes(2))
  })

  await timed('klens is killed, and finds its jobs again', async () => {
    const folder = place('klens')
    const one = study(folder, 'kl', 2)
    const running = onRay(folder, one)
    await trainer(folder)
    running.kill('SIGKILL')
    await ended(running)
    assert.equal(await ended(onRay(folder, one)), 0)
    await trainedOnce(folder, one)
    assert.equal(
      attempts(folder, 'kl').every(attempt => attempt === 1),
      true,
      'nothing was handed over twice',
    )
  })

  await timed('klens is asked to stop, and what was handed over goes on', async () => {
    const folder = place('left')
    const one = study(folder, 'kl', 1)
    const running = onRay(folder, one)
    await trainer(folder)
    running.kill('SIGINT')
    assert.equal(await ended(running), 130)
    assert.match(said(running), /go on at ray/)
    assert.equal(await ended(onRay(folder, one)), 0)
    await trainedOnce(folder, one)
    assert.equal(
      attempts(folder, 'kl').every(attempt => attempt === 1),
      true,
      'nothing was handed over twice',
    )
  })

  await timed('the head is killed and starts again while klens waits', async () => {
    const folder = place('head')
    const one = study(folder, 'kl', 2)
    const running = onRay(folder, one)
    await trainer(folder)
    await head.kill()
    await head.start()
    assert.equal(await ended(running), 0, said(running))
    await trainedOnce(folder, one)
  })

  await timed('klens and the head are killed at once', async () => {
    const folder = place('both')
    const one = study(folder, 'kl', 2)
    const running = onRay(folder, one)
    await trainer(folder)
    running.kill('SIGKILL')
    await head.kill()
    await ended(running)
    await head.start()
    assert.equal(await ended(onRay(folder, one)), 0)
    await trainedOnce(folder, one)
  })

  await timed('two studies with the same trials at once', async () => {
    const folder = place('two')
    const [first, second] = ['one', 'other'].map(name => study(folder, name, 1))
    const both = [onRay(folder, first), onRay(folder, second)]
    for (const each of both) assert.equal(await ended(each), 0, said(each))
    for (const each of [first, second]) await trainedOnce(folder, each)
  })

  await timed('a study is stopped, and goes on another day', async () => {
    const folder = place('stop')
    const one = study(folder, 'kl', 1)
    const running = onRay(folder, one)
    await trainer(folder)
    running.kill('SIGKILL')
    await ended(running)
    const stopped = klens(folder, ['study', 'stop', one, '--executor', `ray:${head.address}`, '--json'])
    assert.equal(await ended(stopped), 0, said(stopped))
    const { jobs } = stopSchema.parse(JSON.parse(printed(stopped)))
    assert.ok(jobs.some(({ state }) => state === 'stopped'))
    assert.ok(jobs.every(({ state }) => state === 'stopped' || state === 'done' || state === 'lost'))
    assert.equal(await ended(onRay(folder, one)), 0)
    await trainedOnce(folder, one)
  })

  await timed('no head at all is one sentence', async () => {
    const folder = place('nobody')
    const asked = klens(folder, ['study', 'run', study(folder, 'kl', 1), '--executor', 'ray:http://127.0.0.1:9'])
    assert.equal(await ended(asked), 2)
    assert.match(said(asked), /no Ray cluster answers at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)/)
    assert.doesNotMatch(said(asked), /\n\s+at /)
  })
}

function step(sentence: string): void {
  console.log(`— ${sentence}`)
}

async function timed(sentence: string, work: () => Promise<void>): Promise<void> {
  const from = Date.now()
  await work()
  step(`${sentence}: ${seconds(from)} s`)
}

function seconds(from: number): string {
  return ((Date.now() - from) / 1000).toFixed(1)
}

function place(name: string): string {
  const folder = join(work, name)
  mkdirSync(folder)
  return folder
}

function study(folder: string, name: string, seeds: number): string {
  const text = `question: does the KL matter?\nbase: ${BASE}\narms: {a: {}, b: {kl.loss.coef: 0}}\nseeds: ${seeds}\n`
  writeFileSync(join(folder, `${name}.yaml`), `${text}resources: {cpus: 1}\n`)
  return `${name}.yaml`
}

function klens(folder: string, words: readonly string[]): ChildProcess {
  const surroundings = {
    ...process.env,
    KLENS_HOME: join(folder, '.klens'),
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    LC_ALL: '',
  }
  const child = spawn(process.execPath, [join(root, 'bin', 'klens.js'), ...words], { cwd: folder, env: surroundings })
  const output = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.error += text
  })
  outputs.set(child, output)
  return child
}

function onRay(folder: string, file: string): ChildProcess {
  return klens(folder, ['study', 'run', file, '--executor', `ray:${head.address}`])
}

function printed(child: ChildProcess): string {
  return outputs.get(child)?.out ?? ''
}

function said(child: ChildProcess): string {
  return outputs.get(child)?.error ?? ''
}

/** Its exit code. */
function ended(child: ChildProcess): Promise<number | null> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('close', code => resolve(code))
  })
}

/** The process that trains a trial of this workspace, once there is a checkpoint and not all of them. */
async function trainer(folder: string): Promise<number> {
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

/** Ray's process above the shell that has claimed a job of this workspace. */
function supervisor(folder: string): number {
  const jobs = join(folder, '.klens', 'studies', 'kl', 'jobs')
  const open = readdirSync(jobs).filter(
    name => name.endsWith('.claim') && !existsSync(join(jobs, name.replace(/claim$/, 'exit'))),
  )
  const [pid] = readFileSync(join(jobs, open[0]), 'utf8').split('\n')
  return parentOf(Number(pid))
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function attempts(folder: string, name: string): readonly number[] {
  const jobs = join(folder, '.klens', 'studies', name, 'jobs')
  return readdirSync(jobs)
    .filter(file => file.endsWith('.json'))
    .map(file => recordSchema.parse(JSON.parse(readFileSync(join(jobs, file), 'utf8'))).attempt)
}

/** Every trial has one run, whole and no more than whole; what it comes to, by trial. */
async function trainedOnce(folder: string, file: string): Promise<readonly (readonly unknown[])[]> {
  const asked = klens(folder, ['study', 'status', file, '--json'])
  assert.equal(await ended(asked), 0, said(asked))
  const { cells } = statusSchema.parse(JSON.parse(printed(asked)))
  for (const { trial, state, runs, n } of cells) {
    assert.deepEqual([trial, state, runs.length, n], [trial, 'done', 1, EPOCHS])
  }
  return cells.map(({ trial, id, value }) => [trial, id, value])
}
