import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DiagnoseAnswer } from '../src/app/ask/diagnose.js'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { listRuns, loadRun, pointCount } from '../src/core/store/catalogue.js'
import { readSeries } from '../src/core/store/series.js'
import { workspaceAt } from '../src/core/store/workspace.js'
import { ended, klens, klensJson, startKlens } from './cli.js'
import { expectRefusal, system } from './hostile.js'
import { smallDisk } from './support/small-disk.js'
import { temporaryFolder } from './workspace.js'

/** Trainings that are stopped, killed, run out of disk, or run beside each other, as separate processes. */

const settings = (...words: readonly string[]): readonly string[] => words.flatMap(word => ['--set', word])
const QUICK = settings('policy.hidden=32', 'data.width=24', 'data.candidates=24', 'epochs.rce=1', 'epochs.grpo=3')

interface Line {
  readonly epoch?: number
  readonly metrics?: object
  readonly run?: string
  readonly evaluations?: readonly object[]
  readonly volatile?: { readonly resumedAfter?: number | null }
}

function lines(out: string): readonly Line[] {
  return out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

const workspaceIn = (folder: string) => workspaceAt(join(folder, '.klens'))

/** The runs of a folder by name. */
async function runsIn(folder: string) {
  const { entries } = await listRuns(workspaceIn(folder))
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** What the seed decides of a training, and how much of it is stored. */
async function numbers(folder: string, id: string) {
  const run = await loadRun(workspaceIn(folder), id)
  if (run === null) throw new Error(`no run ${id}`)
  const names = [...run.manifest.metrics.keys()].sort()
  const decided = names.filter(name => !/^(?:time|throughput)\./.test(name))
  const series = await readSeries(run, decided)
  const points = decided.map(name => [
    name,
    [...(series.get(name)?.steps ?? [])],
    [...(series.get(name)?.values ?? [])],
  ])
  const { evaluations, samples } = run.manifest
  return { points, evaluations, samples, stored: pointCount(run.manifest) }
}

/** Which weights a checkpoint holds. */
function contentHash(folder: string, id: string, epoch: number): string {
  const path = join(folder, '.klens', 'runs', id, 'checkpoints', `epoch${epoch}.safetensors`)
  return /contentHash\W+([0-9a-f]{64})/.exec(readFileSync(path, 'latin1'))?.[1] ?? ''
}

/** When it has told of so many epochs, or has ended. */
function afterEpochs(child: ChildProcess, epochs: number): Promise<void> {
  return new Promise(resolve => {
    let told = 0
    const look = (piece: Buffer): void => {
      told += piece.toString().split('\n').length - 1
      if (told >= epochs) resolve()
    }
    child.stdout?.on('data', look)
    child.once('exit', () => resolve())
    look(Buffer.of())
  })
}

describe('a training', () => {
  it('goes on after Ctrl-C and after kill -9 at any moment as if nothing had been, and no number is counted twice', async () => {
    const [whole, folder] = [temporaryFolder(), temporaryFolder()]
    // Long enough to be hit in the middle, however late the blow falls.
    const words = ['train', ...QUICK, ...settings('epochs.rce=2', 'epochs.grpo=10'), '--name', 'mine', '--json']
    const inOneGo = lines(klens(whole, words).out)

    const first = startKlens(folder, words)
    await afterEpochs(first, 1)
    first.kill('SIGSTOP')
    const seen = klensJson<ShowAnswer>(folder, ['show', 'mine'])
    expect(seen.run.status).toBe('running')
    expect(seen.series.find(({ metric }) => metric === 'loss.rce')?.points[0]?.[0]).toBe(1)
    expect(klensJson<DiagnoseAnswer>(folder, ['diagnose', 'mine']).findings).toBeDefined()
    first.kill('SIGINT')
    first.kill('SIGCONT')
    expect(await ended(first)).toBe(130)
    const [{ id, status }] = await runsIn(folder)
    expect(status).toBe('killed')

    for (const [epochs, wait] of [
      [0, 250],
      [1, 0],
      [2, 30],
    ]) {
      const child = startKlens(folder, words)
      await afterEpochs(child, epochs)
      await pause(wait)
      child.kill('SIGKILL')
      await ended(child)
    }
    const last = klens(folder, words)
    expect(last.code).toBe(0)
    expect(last.error).toMatch(new RegExp(`resuming mine \\(${id}\\) after epoch \\d`))
    const resumed = lines(last.out)
    expect(resumed.at(-1)).toMatchObject({ run: id, evaluations: inOneGo.at(-1)?.evaluations })
    for (const { epoch, metrics } of resumed.slice(0, -1)) {
      expect(metrics).toEqual(inOneGo.find(line => line.epoch === epoch)?.metrics)
    }
    const { run = '' } = inOneGo.at(-1) ?? {}
    expect(await numbers(folder, id)).toEqual(await numbers(whole, run))
    expect(contentHash(folder, id, 12)).toBe(contentHash(whole, run, 12))
  })

  it('tells a full disk in one sentence, loses nothing, and goes on when there is room', context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 280)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    const words = ['train', ...QUICK, '--name', 'mine']
    const full = klens(folder, [...words, '--json'], home)
    expectRefusal({ ...full, out: '' }, `the disk is full: ${home.KLENS_HOME}`)
    // What the failed attempt cleared away may be room for another epoch.
    const still = klens(folder, [...words, '--json', '--lang', 'zh'], home)
    expect([still.code, still.error]).toEqual([2, expect.stringMatching(/磁盘已满，无法写入 .*\n$/)])
    const kept = lines(`${full.out}${still.out}`).length
    expect(kept).toBeGreaterThan(0)
    system('mount -o remount,size=32m "$1"', disk)
    const on = klens(folder, [...words, '--json'], home)
    expect(on.error).toMatch(new RegExp(`resuming mine \\(\\w+\\) after epoch ${kept}\n`))
    expect(lines(on.out).map(({ epoch }) => epoch)).toEqual([...[1, 2, 3, 4].slice(kept), undefined])
    expect(lines(on.out).at(-1)?.evaluations).toHaveLength(4)
  })
})

describe('many trainings at once', () => {
  it('give the same numbers one after the other and side by side, stopped in the middle or not, and are trained once', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    const grid = ['train', ...QUICK, '--seed', '1,2', '--over', 'kl.loss.coef=0,1', ...settings('epochs.grpo=2')]
    expect(klens(one, [...grid, '--workers', '1']).code).toBe(0)

    const child = startKlens(two, [...grid, '--workers', '2', '--json'])
    await afterEpochs(child, 2)
    child.kill('SIGINT')
    expect(await ended(child)).toBe(130)
    expect(new Set((await runsIn(two)).map(({ status }) => status))).toEqual(new Set(['killed']))
    const on = klens(two, [...grid, '--workers', '2', '--json'])
    expect(on.code).toBe(0)
    expect(lines(on.out).some(({ volatile }) => typeof volatile?.resumedAfter === 'number')).toBe(true)

    const [expected, found] = [await runsIn(one), await runsIn(two)]
    const names = [0, 1].flatMap(kl => [1, 2].map(seed => `digits/kl.loss.coef=${kl}/seed${seed}`))
    expect(found.map(({ name, status }) => [name, status])).toEqual(names.map(name => [name, 'finished']))
    for (const [i, { id }] of expected.entries()) {
      expect(await numbers(two, found[i].id)).toEqual(await numbers(one, id))
      expect(contentHash(two, found[i].id, 3)).toBe(contentHash(one, id, 3))
    }
    expect(klens(two, grid).out).toContain('4 of them are finished already and are skipped')
    expect(await runsIn(two)).toHaveLength(4)
  })

  it('do not hinder each other when one fails, and end with its reason and exit code 1', () => {
    const name = ['--name', 'x-{freeze.grpo}', '--over', 'freeze.grpo=nothing,query_proj']
    const { code, out, error } = klens(temporaryFolder(), ['train', ...QUICK, ...name, ...settings('epochs.grpo=1')])
    expect(code).toBe(1)
    expect(out).toMatch(/x-nothing +failed: the policy has no part "nothing"/)
    expect(out).toMatch(/x-query_proj +\w{10} {2}val\.score 0\.\d+/)
    expect(error).toContain('1 of 2 trainings failed')
  })
})
