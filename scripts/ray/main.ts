import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { pythonEnvironment } from '../trl/environment.js'
import { rayHead } from './head.js'
import type { Klens } from './klens.js'
import {
  askStudy,
  attempts,
  begunJobs,
  type LaidStudy,
  laidStudy,
  supervisor,
  trainedOnce,
  trainer,
} from './laid-study.js'

/**
 * `npm run test:ray`: studies on a real Ray head, started here, with what goes wrong on a cluster: a trial is killed, the
 * supervisor of a job dies, klens is killed, the head is killed and starts again with nothing in its memory, two studies
 * come at once, a study is stopped. After each the same must hold: every trial was trained once, to its end. Where Ray
 * cannot be had this says why and succeeds.
 */

const stopSchema = z.object({ jobs: z.array(z.object({ state: z.string() })) })

const environment = pythonEnvironment('ray', join(process.cwd(), 'scripts', 'ray', 'requirements.txt'), 1)
if ('lacks' in environment) {
  console.log(`Skipped: ${environment.lacks}.`)
  process.exit(0)
}
const work = mkdtempSync(join(tmpdir(), 'klr-'))
const CPUS = Math.max(2, availableParallelism())
const head = rayHead(environment.python, work, CPUS)
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
  const here = laid('here', 2)
  assert.equal(await askStudy(here, 'run').ended, 0)

  const whole = laid('whole', 2)
  await timed('a study of four trials', async () => assert.equal(await onRay(whole).ended, 0))
  assert.deepEqual(await trainedOnce(whole), await trainedOnce(here), 'the same trials, by name, hash and figure')
  await timed('the same again, of which nothing is left to do', async () => assert.equal(await onRay(whole).ended, 0))
  nothingTwice(whole)

  await timed('a trial is killed; the study is asked for again', async () => {
    const { study, running, pid } = await caught('trial', 1)
    process.kill(pid, 'SIGKILL')
    assert.equal(await running.ended, 1, 'a trial that was killed has failed, and that is said')
    await goesOn(study)
    assert.deepEqual(attempts(study).toSorted(), [1, 2])
  })

  await timed("the supervisor of a job dies, which is not the trial's fault", async () => {
    const { study, running } = await caught('supervisor', 1)
    process.kill(supervisor(study), 'SIGKILL')
    assert.equal(await running.ended, 0, 'it has another attempt without being asked')
    await trainedOnce(study)
    assert.ok(attempts(study).includes(2))
  })

  await timed('klens is killed, and finds its jobs again', async () => {
    const { study, running } = await caught('klens', 2)
    running.kill('SIGKILL')
    await running.ended
    await goesOn(study)
    nothingTwice(study)
  })

  await timed('klens is asked to stop, and what was handed over goes on', async () => {
    const { study, running } = await caught('left', 1)
    running.kill('SIGINT')
    assert.equal(await running.ended, 130)
    assert.match(running.said(), /continue at ray/)
    await goesOn(study)
    nothingTwice(study)
  })

  await timed('the head is killed and starts again while klens waits', async () => {
    const { study, running } = await caught('head', 2)
    await head.kill()
    await head.start()
    assert.equal(await running.ended, 0, running.said())
    await trainedOnce(study)
  })

  await timed('klens and the head are killed at once', async () => {
    const { study, running } = await caught('both', 2)
    running.kill('SIGKILL')
    await head.kill()
    await running.ended
    await head.start()
    await goesOn(study)
  })

  await timed('two studies with the same trials at once', async () => {
    const both = ['one', 'other'].map(name => laid('two', 1, name))
    for (const running of both.map(onRay)) assert.equal(await running.ended, 0, running.said())
    for (const study of both) await trainedOnce(study)
  })

  await timed('a study is stopped, and goes on another day', async () => {
    const { study, running } = await caught('stop', 1)
    running.kill('SIGKILL')
    await running.ended
    const stopped = askStudy(study, 'stop', '--executor', `ray:${head.address}`, '--json')
    assert.equal(await stopped.ended, 0, stopped.said())
    const { jobs } = stopSchema.parse(JSON.parse(stopped.printed()))
    assert.ok(jobs.some(({ state }) => state === 'stopped'))
    assert.ok(jobs.every(({ state }) => state === 'stopped' || state === 'done' || state === 'lost'))
    await goesOn(study)
  })

  await timed('a study that says nothing of resources has no more trials at once than there are CPUs', async () => {
    const study = laidStudy(join(work, 'plain'), CPUS + 1, 'plain', '')
    const running = onRay(study)
    let [hasEnded, most] = [false, 0]
    void running.ended.then(() => {
      hasEnded = true
    })
    while (!hasEnded) {
      most = Math.max(most, begunJobs(study).length)
      await pause(50)
    }
    assert.equal(await running.ended, 0, running.said())
    await trainedOnce(study)
    assert.ok(most >= 1 && most <= CPUS, `${most} at once`)
  })

  await timed('no head at all is one sentence', async () => {
    const asked = askStudy(laid('nobody', 1), 'run', '--executor', 'ray:http://127.0.0.1:9')
    assert.equal(await asked.ended, 2)
    assert.match(asked.said(), /no Ray cluster answers at http:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)/)
    assert.doesNotMatch(asked.said(), /\n\s+at /)
  })
}

function laid(folder: string, seeds: number, name?: string): LaidStudy {
  return laidStudy(join(work, folder), seeds, name)
}

function onRay(study: LaidStudy): Klens {
  return askStudy(study, 'run', '--executor', `ray:${head.address}`)
}

/** A study whose run on Ray has come to the middle of a trial. */
async function caught(
  folder: string,
  seeds: number,
): Promise<{ readonly study: LaidStudy; readonly running: Klens; readonly pid: number }> {
  const study = laid(folder, seeds)
  const running = onRay(study)
  return { study, running, pid: await trainer(study) }
}

async function goesOn(study: LaidStudy): Promise<void> {
  const again = onRay(study)
  assert.equal(await again.ended, 0, again.said())
  await trainedOnce(study)
}

function nothingTwice(study: LaidStudy): void {
  assert.ok(
    attempts(study).every(attempt => attempt === 1),
    'nothing was handed over twice',
  )
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
