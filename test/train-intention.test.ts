import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GymEvalAnswer } from '../src/app/ask/gym-eval.js'
import { ended, klens, startKlens } from './cli.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectRefusal, system } from './hostile.js'
import { afterSteps, folderWithConfig, numbersIn } from './support/intention-processes.js'
import { smallDisk } from './support/small-disk.js'
import { temporaryFolder } from './workspace.js'

/**
 * Trainings of the language model as separate processes: killed, out of disk, side by side. What they are compared with,
 * and what takes them up, is trained in the test's own process. More kills and a larger grid:
 * test/long/train-intention.test.ts.
 */

describe('klens train --task intention', () => {
  it('goes on after a kill as if nothing had been; its checkpoints play in the gym', async () => {
    const [whole, folder] = [folderWithConfig(), folderWithConfig()]
    const words = ['train', 'small.yaml', '--json']
    expect((await klensInside(whole, words)).code).toBe(0)
    const child = startKlens(folder, words)
    await afterSteps(child, 1)
    child.kill('SIGKILL')
    await ended(child)
    const last = await klensInside(folder, words)
    expect(last.code).toBe(0)
    expect(last.error).toContain('resuming small')
    expect(await numbersIn(folder)).toEqual(await numbersIn(whole))
    const eval2 = ['gym', 'eval', 'small@7', '--limit', '2', '--max-turns', '4']
    const { policies } = await jsonInside<GymEvalAnswer>(folder, eval2)
    expect(policies).toMatchObject([{ label: 'gym/small@7', n: 2, failed: 0 }])
  })

  it('trains a grid on two cores to the same numbers as alone', { timeout: 120_000 }, async () => {
    const [one, two] = [folderWithConfig(), folderWithConfig()]
    const quick = ['train', 'small.yaml', '--set', 'steps=1', '--set', 'start.steps=2', '--name', 'seed{seed}']
    expect(klens(two, [...quick, '--seed', '1,2', '--workers', '2']).code).toBe(0)
    expect((await klensInside(one, [...quick, '--seed', '2'])).code).toBe(0)
    const numbers = await numbersIn(two)
    expect(numbers).toHaveLength(2)
    expect(numbers.slice(1)).toEqual(await numbersIn(one))
    expect(klens(two, [...quick, '--seed', '1,2']).out).toContain('2 of them are finished already')
  })

  it('tells a full disk in one sentence, and goes on when there is room', async context => {
    const folder = folderWithConfig()
    const disk = smallDisk(folder, 900)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    const full = klens(folder, ['train', 'small.yaml', '--json'], home)
    expectRefusal({ ...full, out: '' }, `the disk is full: ${home.KLENS_HOME}`)
    system('mount -o remount,size=64m "$1"', disk)
    const on = await klensInside(folder, ['train', 'small.yaml', '--json'], home)
    expect(on.error).toContain('resuming small')
    expect(on.code).toBe(0)
  })

  it('refuses what only the selector can do, and settings that it has not', async () => {
    const folder = temporaryFolder()
    expectRefusal(
      await klensInside(folder, ['train', '--task', 'intention', '--out', 'x']),
      '--out and --task intention',
    )
    expectRefusal(
      await klensInside(folder, ['train', '--task', 'intention', '--set', 'policy.hidden=8']),
      'policy.hidden',
    )
    expectRefusal(
      await klensInside(folder, ['train', '--task', 'intention', '--set', 'entropy.controller=scheduled']),
      'entropy.final',
    )
  })
})
