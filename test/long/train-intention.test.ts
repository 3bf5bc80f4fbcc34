import { describe, expect, it } from 'vitest'
import type { GymEvalAnswer } from '../../src/app/ask/gym-eval.js'
import { ended, klens, klensJson, startKlens } from '../cli.js'
import { afterSteps, folderWithConfig, numbersIn } from '../support/intention-processes.js'

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
})
