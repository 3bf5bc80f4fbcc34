import { describe, expect, it } from 'vitest'
import { smallConfig, smallDigits } from '../../../test/support/small-digits.js'
import { standardDeviation } from '../../stats/descriptive.js'
import { seededRandom } from '../../stats/random.js'
import { fitRewardModel } from './learned-reward.js'
import type { Task } from './tasks/task.js'
import { type Epoch, train } from './train.js'

describe('a reward model', () => {
  const random = seededRandom(2)
  const features = Array.from({ length: 400 }, () => ({
    indices: [0, 1, 2, 3],
    values: [0, 1, 2, 3].map(() => random.normal()),
  }))
  const worth = ({ values }: (typeof features)[number]): number => 2 + values[0] - 0.5 * values[2]
  const errorOf = (labels: number, noise: number): number => {
    const samples = features.slice(0, labels).map(each => ({ features: each, worth: worth(each) }))
    const model = fitRewardModel(samples, { size: 4, noise, random: seededRandom(5) })
    // Up to a constant, which the advantages of a group do not see.
    return standardDeviation(features.slice(300).map(each => model(each) - worth(each)))
  }

  it('is right with many clean labels, and less so with few or noisy ones', () => {
    expect(errorOf(300, 0)).toBeLessThan(0.02)
    expect(errorOf(10, 1)).toBeGreaterThan(3 * errorOf(300, 1))
    expect(errorOf(300, 2)).toBeGreaterThan(1.5 * errorOf(300, 0.5))
  })
})

async function trained(task: Task, settings: object): Promise<readonly Epoch[]> {
  const epochs: Epoch[] = []
  for await (const epoch of train(task, smallConfig(settings))) epochs.push(epoch)
  return epochs
}

const LEARNED = { epochs: { rce: 1, grpo: 2 }, lr: { rce: 1e-3, grpo: 1e-3 } }

describe('a selector that is paid by a reward model', () => {
  it('asks the task for the labels and for the validation, and for nothing else once GRPO begins', async () => {
    const small = smallDigits(20, 10)
    let asked = 0
    const task: Task = {
      ...small,
      score(query, choices) {
        if (query.split === 'train') asked += choices.length
        return small.score(query, choices)
      },
    }
    await trained(task, { ...LEARNED, epochs: { rce: 0, grpo: 3 }, reward: { source: 'learned', labels: 50 } })
    expect(asked).toBe(50)
  })

  it('logs the reward and the true score apart, and what training is paid is the model', async () => {
    const epochs = await trained(smallDigits(40), { ...LEARNED, reward: { source: 'learned', labels: 50 } })
    const { metrics } = epochs[2]
    expect(metrics['val.reward']).not.toBe(metrics['val.score'])
    expect(metrics).not.toHaveProperty('score.mean')
    expect(metrics['reward.mean']).not.toBeNaN()
  })

  it('has the same model for all settings of a seed, and another one for another seed', async () => {
    const still = { ...LEARNED, epochs: { rce: 0, grpo: 1 }, lr: { grpo: 1e-12 } }
    const reward = async (settings: object): Promise<number | undefined> =>
      (await trained(smallDigits(20), { ...still, reward: { source: 'learned', labels: 50 }, ...settings }))[0].metrics[
        'val.reward'
      ]
    const first = await reward({})
    expect(await reward({ kl: { loss: { coef: 1 } } })).toBeCloseTo(first ?? Number.NaN, 5)
    expect(await reward({ seed: 2 })).not.toBeCloseTo(first ?? Number.NaN, 3)
  })

  it('earns more and more of a poor one while the true score falls behind, and less so with a KL penalty', async () => {
    const ended = async (coef: number) => {
      const settings = { epochs: { rce: 3, grpo: 6 }, lr: { rce: 1e-3, grpo: 1e-3 }, batch: { prompts: 4 } }
      const kl = { loss: { coef, estimator: 'exact' } }
      const epochs = await trained(smallDigits(120), {
        ...{ ...settings, kl, reward: { source: 'learned', labels: 60, noise: 1 } },
      })
      return { start: epochs[2].metrics, first: epochs[3].metrics, last: epochs[epochs.length - 1].metrics }
    }
    const [free, held] = [await ended(0), await ended(1)]
    expect(free.last['val.reward']).toBeGreaterThan(free.first['val.reward'])
    expect(free.last['val.score.soft']).toBeLessThan(free.start['val.score.soft'])
    expect(held.last['val.score.soft']).toBeGreaterThan(free.last['val.score.soft'])
    expect(held.last['kl.ref.exact']).toBeLessThan(0.5 * free.last['kl.ref.exact'])
  })
})
