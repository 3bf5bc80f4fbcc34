import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { GymEvalAnswer } from '../src/ask/gym-eval.js'
import { listRuns, loadRun } from '../src/store/catalogue.js'
import { readSeries } from '../src/store/series.js'
import { workspaceAt } from '../src/store/workspace.js'
import { ended, klens, klensJson, startKlens } from './cli.js'
import { expectRefusal, system } from './hostile.js'
import { smallDisk } from './support/small-disk.js'
import { SMALL_INTENTION } from './support/small-intention.js'
import { temporaryFolder } from './workspace.js'

/** Trainings of the language model as separate processes: stopped, killed, out of disk, side by side. */

function folderWithConfig(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'small.yaml'), stringify({ ...SMALL_INTENTION, name: 'small' }))
  return folder
}

async function numbersIn(folder: string) {
  const workspace = workspaceAt(join(folder, '.klens'))
  const { entries } = await listRuns(workspace)
  const numbers: unknown[] = []
  for (const { id, name, status } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const run = await loadRun(workspace, id)
    if (run === null) throw new Error(`no run ${id}`)
    const names = [...run.manifest.metrics.keys()].filter(each => !/^(?:time|throughput)\./.test(each)).sort()
    const series = await readSeries(run, names)
    const points = names.map(each => [
      each,
      [...(series.get(each)?.steps ?? [])],
      [...(series.get(each)?.values ?? [])],
    ])
    numbers.push([name, status, points, run.manifest.evaluations, run.manifest.samples])
  }
  return numbers
}

/** When it has told of so many steps, or has ended. */
function afterSteps(child: ChildProcess, steps: number): Promise<void> {
  return new Promise(resolve => {
    let told = 0
    child.stdout?.on('data', (piece: Buffer) => {
      told += piece.toString().split('\n').length - 1
      if (told >= steps) resolve()
    })
    child.once('exit', () => resolve())
  })
}

describe('klens train --task intention', () => {
  it('goes on after Ctrl-C and kill -9 as if nothing had been; its checkpoints play in the gym', async () => {
    const [whole, folder] = [folderWithConfig(), folderWithConfig()]
    const words = ['train', 'small.yaml', '--json']
    expect(klens(whole, words).code).toBe(0)
    for (const [steps, signal] of [
      [2, 'SIGINT'],
      [1, 'SIGKILL'],
      [3, 'SIGKILL'],
    ] as const) {
      const child = startKlens(folder, words)
      await afterSteps(child, steps)
      child.kill(signal)
      await ended(child)
    }
    const last = klens(folder, words)
    expect(last.code).toBe(0)
    expect(last.error).toContain('resuming small')
    expect(await numbersIn(folder)).toEqual(await numbersIn(whole))
    const eval6 = ['gym', 'eval', 'small@7', '--limit', '6', '--max-turns', '4']
    const { policies } = klensJson<GymEvalAnswer>(folder, eval6)
    expect(policies).toMatchObject([{ label: 'gym/small@7', n: 6, failed: 0 }])
  })

  it('trains a grid on several cores to the same numbers as one after the other', async () => {
    const [one, two] = [folderWithConfig(), folderWithConfig()]
    const grid = ['train', 'small.yaml', '--seed', '1,2', '--over', 'kl.loss.coef=0,1', '--set', 'steps=3']
    expect(klens(one, [...grid, '--workers', '1']).code).toBe(0)
    expect(klens(two, [...grid, '--workers', '2']).code).toBe(0)
    const numbers = await numbersIn(one)
    expect(numbers).toHaveLength(4)
    expect(await numbersIn(two)).toEqual(numbers)
    expect(klens(two, grid).out).toContain('4 of them are finished already')
  })

  it('tells a full disk in one sentence, and goes on when there is room', context => {
    const folder = folderWithConfig()
    const disk = smallDisk(folder, 900)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    const full = klens(folder, ['train', 'small.yaml', '--json'], home)
    expectRefusal({ ...full, out: '' }, `the disk is full: ${home.KLENS_HOME}`)
    system('mount -o remount,size=64m "$1"', disk)
    const on = klens(folder, ['train', 'small.yaml', '--json'], home)
    expect(on.error).toContain('resuming small')
    expect(on.code).toBe(0)
  })

  it('refuses what only the selector can do, and settings that it has not', () => {
    const folder = temporaryFolder()
    expectRefusal(klens(folder, ['train', '--task', 'intention', '--out', 'x']), '--out and --task intention')
    expectRefusal(klens(folder, ['train', '--task', 'intention', '--set', 'policy.hidden=8']), 'policy.hidden')
    expectRefusal(
      klens(folder, ['train', '--task', 'intention', '--set', 'entropy.controller=scheduled']),
      'entropy.final',
    )
  })
})
