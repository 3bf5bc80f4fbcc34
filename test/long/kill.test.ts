import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RunAnswer } from '../../src/app/ask/run-schema.js'
import type { ShowAnswer } from '../../src/app/ask/show.js'
import { ended, klens, klensJson, startKlens } from '../cli.js'
import { temporaryFolder } from '../workspace.js'

/** Nothing is lost and nothing counted twice, whenever a process is killed. */

const METRICS = 30
/** Three million points: an import of them commits several times before it ends. */
const MANY_ROWS = 100_000
const FEW_ROWS = 10_000
const TRIALS = 6

function line(step: number): string {
  const data = Object.fromEntries(
    Array.from({ length: METRICS }, (_, m) => [`group/metric_${m}`, step * 100 + m + 0.25]),
  )
  return `${JSON.stringify({ step, data })}\n`
}

function lines(from: number, to: number): string {
  const text: string[] = []
  for (let step = from; step < to; step += 1) text.push(line(step))
  return text.join('')
}

function expectWhole(folder: string, log: string, rows: number): void {
  klensJson(folder, ['import', log])
  const { run, series } = klensJson<ShowAnswer>(folder, ['show', log, '--metric', 'group/metric_7'])
  expect(run.points).toBe(rows * METRICS)
  expect(run.segments).toHaveLength(1)
  expect(series[0].points).toHaveLength(rows)
  expect(series[0].points.every(([step, value], i) => step === i && value === i * 100 + 7.25)).toBe(true)
}

/** Tells commits apart: each writes the manifest anew. */
function commits(folder: string): string {
  const runs = join(folder, '.klens', 'runs')
  if (!existsSync(runs)) return ''
  return readdirSync(runs)
    .map(id => statSync(join(runs, id, 'run.json'), { throwIfNoEntry: false })?.mtimeMs ?? '')
    .join()
}

/** Deterministic, so that a failure can be run again. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe('kill -9', () => {
  it('of an import at any moment leaves a store that opens, and the next import completes it', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'run.jsonl')
    writeFileSync(log, lines(0, MANY_ROWS))
    const random = randomNumbers(1)
    const kept: number[] = []
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const child = startKlens(folder, ['import', log])
      const commitsBefore = commits(folder)
      // Every second kill comes at any time, the others just after a commit, when there is something to lose.
      if (trial % 2 === 0) while (commits(folder) === commitsBefore && child.exitCode === null) await pause(5)
      else await pause(100 + random() * 900)
      child.kill('SIGKILL')
      await ended(child)
      const [run] = klensJson<RunAnswer[]>(folder, ['runs'])
      kept.push(run?.points ?? 0)
    }
    expect(kept.some(points => points > 0 && points < MANY_ROWS * METRICS)).toBe(true)
    expect(kept).toEqual([...kept].sort((a, b) => a - b))
    expectWhole(folder, log, MANY_ROWS)
  })

  it('of two importers at once: both are safe beside each other', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'run.jsonl')
    writeFileSync(log, lines(0, FEW_ROWS))
    const both = [startKlens(folder, ['import', log]), startKlens(folder, ['import', log])]
    expect(await Promise.all(both.map(ended))).toEqual([0, 0])
    expectWhole(folder, log, FEW_ROWS)
  })

  it('of a writer that dies in the middle of a line costs that line only', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'run.jsonl')
    const writer = spawn('sh', ['-c', 'cat > "$0"', log], { stdio: ['pipe', 'ignore', 'ignore'] })
    writer.stdin.write(lines(0, 500) + line(500).slice(0, 100))
    while (klens(folder, ['import', log]).code !== 0) await pause(50)
    writer.kill('SIGKILL')
    await ended(writer)
    const { integrity, run } = klensJson<ShowAnswer>(folder, ['show', log])
    expect(run.points).toBe(500 * METRICS)
    expect(integrity.join()).toContain('100 bytes')
    appendFileSync(log, line(500).slice(100))
    expectWhole(folder, log, 501)
  })
})
