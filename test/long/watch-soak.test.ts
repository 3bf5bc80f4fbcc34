import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedFolder } from '../workspace.js'

/**
 * A day of watching twenty runs, compressed: as many evaluations as they would make in a day arrive in minutes, while logs
 * are rotated, truncated and deleted. Linux tells what the watcher costs.
 */

const RUNS = 20
const ROUNDS = 60
const STEPS_A_ROUND = 25
const IDLE_SECONDS = 30
const TICKS = 100

const folder = sharedFolder()
const logOf = (run: number): string => join(folder, `run${run}`, 'metrics.jsonl')
const reached = Array.from({ length: RUNS }, () => 0)

function appendSteps(run: number, steps: number): void {
  let lines = ''
  for (let i = 0; i < steps; i += 1) {
    reached[run] += 1
    const step = reached[run]
    const data = {
      'critic/rewards/mean': 1 + (step % 7) / 50,
      'actor/grad_norm': 1 + (step % 5) / 9,
      'actor/entropy': 0.3 + (step % 3) / 90,
      ...(step % 5 === 0 && { 'val-core/gym/reward/mean@1': 1.7 + 0.05 * Math.sin(step) }),
    }
    lines += `${JSON.stringify({ step, data })}\n`
  }
  appendFileSync(logOf(run), lines)
}

function costOf({ pid }: ChildProcess): { readonly seconds: number; readonly megabytes: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    seconds: (Number(fields[11]) + Number(fields[12])) / TICKS,
    megabytes: (Number(fields[21]) * 4096) / 1e6,
  }
}

describe.skipIf(process.platform !== 'linux')('a watcher of twenty runs', () => {
  let watcher: ChildProcess
  const steps = new Map<string, number>()
  const errors: string[] = []

  beforeAll(async () => {
    for (let run = 0; run < RUNS; run += 1) {
      mkdirSync(join(folder, `run${run}`))
      writeFileSync(
        join(folder, `run${run}`, 'config.json'),
        JSON.stringify({ trainer: { total_training_steps: 1e6, test_freq: 5 } }),
      )
      appendSteps(run, 100 + run)
    }
    const klens = fileURLToPath(new URL('../../bin/klens.js', import.meta.url))
    const logs = reached.map((_, run) => join(folder, `run${run}`))
    watcher = spawn(process.execPath, [klens, 'watch', ...logs, '--json', '--stop', 'none'], { cwd: folder })
    if (watcher.stdout === null || watcher.stderr === null) throw new Error('no pipes')
    createInterface(watcher.stdout).on('line', line => {
      const { event, name, step } = JSON.parse(line)
      if (event === 'step') steps.set(basename(name), step)
    })
    createInterface(watcher.stderr).on('line', line => errors.push(line))
    while (steps.size < RUNS) await pause(200)
  }, 300_000)

  afterAll(() => {
    watcher.kill('SIGINT')
  })

  it('costs under 2 % of a core while nothing happens', async () => {
    await pause(10_000)
    const before = costOf(watcher).seconds
    await pause(IDLE_SECONDS * 1000)
    const share = (costOf(watcher).seconds - before) / IDLE_SECONDS
    console.log(`idle: ${(100 * share).toFixed(2)} % of a core`)
    expect(share).toBeLessThan(0.02)
  }, 120_000)

  it('holds its memory over a day of evaluations, and survives rotation, truncation and deletion', async () => {
    const megabytes: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round === 20) renameSync(logOf(0), `${logOf(0)}.1`)
      if (round === 25) truncateSync(logOf(1))
      if (round === 30) rmSync(join(folder, 'run2'), { recursive: true })
      for (let run = 0; run < RUNS; run += 1) if (run !== 2 || round < 30) appendSteps(run, STEPS_A_ROUND)
      await pause(1_500)
      megabytes.push(costOf(watcher).megabytes)
    }
    const deadline = Date.now() + 120_000
    const isBehind = (): boolean => (steps.get('run5') ?? 0) < reached[5] || (steps.get('run0') ?? 0) < reached[0]
    while (isBehind() && Date.now() < deadline) await pause(500)
    const third = Math.floor(ROUNDS / 3)
    const highest = (part: readonly number[]): number => Math.max(...part)
    const [early, late] = [highest(megabytes.slice(third, 2 * third)), highest(megabytes.slice(2 * third))]
    const evaluations = (RUNS * ROUNDS * STEPS_A_ROUND) / 5
    console.log(
      `${evaluations} evaluations: ${megabytes[0].toFixed(0)} MB at the start, at most ${early.toFixed(0)} MB in the second third, ${late.toFixed(0)} MB in the last; ${costOf(watcher).seconds} s of CPU`,
    )
    expect(watcher.exitCode).toBeNull()
    expect(steps.get('run5')).toBe(reached[5])
    expect(steps.get('run0')).toBe(reached[0])
    expect(late).toBeLessThan(1.15 * early)
    expect(errors.filter(line => /defect|TypeError|at .*\.js:/.test(line))).toEqual([])
  }, 600_000)
})
