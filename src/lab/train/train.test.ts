import { describe, expect, it } from 'vitest'
import { testMessage } from '../../../test/support/message.js'
import { refusal } from '../../../test/support/refusal.js'
import { smallConfig, smallDigits } from '../../../test/support/small-digits.js'
import { mean } from '../../stats/descriptive.js'
import { message } from '../../text/say.js'
import { missing, type Task } from './tasks/task.js'
import { type Epoch, train } from './train.js'

async function trained(task: Task, settings: object): Promise<readonly Pick<Epoch, 'epoch' | 'phase' | 'metrics'>[]> {
  const epochs: Pick<Epoch, 'epoch' | 'phase' | 'metrics'>[] = []
  for await (const { epoch, phase, metrics } of train(task, smallConfig(settings))) {
    epochs.push({ epoch, phase, metrics })
  }
  return epochs
}

const last = <T>(items: readonly T[]): T => items[items.length - 1]

describe('training a selector', () => {
  it('gives the same numbers for the same seed, and others for another', async () => {
    const task = smallDigits(40)
    const settings = { seed: 3, epochs: { rce: 1, grpo: 2 } }
    const first = await trained(task, settings)
    expect(await trained(task, settings)).toEqual(first)
    expect(await trained(task, { ...settings, seed: 4 })).not.toEqual(first)
    expect(first.map(({ epoch, phase }) => [epoch, phase])).toEqual([
      [1, 'rce'],
      [2, 'grpo'],
      [3, 'grpo'],
    ])
  })

  it('learns: choices of the warmed-up policy score above chance and go on improving', async () => {
    const epochs = await trained(smallDigits(200), {
      epochs: { rce: 4, grpo: 8 },
      lr: { rce: 1e-3, grpo: 1e-3 },
      kl: { loss: { coef: 0 } },
      freeze: { grpo: [] },
    })
    const rewards = epochs.filter(({ phase }) => phase === 'grpo').map(({ metrics }) => metrics['score.mean'])
    expect(last(rewards)).toBeGreaterThan(1.3 * rewards[0])
    expect(epochs[3].metrics['loss.rce']).toBeLessThan(epochs[0].metrics['loss.rce'])
  })

  it('starts with a KL of zero and a ratio of one, unless dropout is on in the policy and off in the reference', async () => {
    const task = smallDigits(30)
    const still = { epochs: { rce: 1, grpo: 1 }, lr: { rce: 1e-3, grpo: 1e-12 }, group: { size: 8 } }
    const [, sound] = await trained(task, { ...still, dropout: { hidden: 0.1, attention: 0.1, reference: 'same' } })
    expect(sound.metrics['kl.ref']).toBeLessThan(1e-6)
    expect(sound.metrics['ratio.mean']).toBeCloseTo(1, 5)
    const [, mismatched] = await trained(task, { ...still, dropout: { hidden: 0.1, attention: 0.1, reference: 'off' } })
    expect(mismatched.metrics['kl.ref']).toBeGreaterThan(0.01)
  })

  it('logs a falling KL without any reward signal when dropout differs from the reference: the published curves', async () => {
    const task = smallDigits(100)
    const equal: Task = {
      ...task,
      score: async (_, choices) => choices.map(() => ({ kind: 'scored', hard: 1, soft: 0.5 })),
    }
    const epochs = await trained(equal, {
      epochs: { rce: 0, grpo: 20 },
      lr: { grpo: 3e-4 },
      freeze: { grpo: [] },
      adv: { degenerate: 'keep' },
      kl: { loss: { coef: 0.5 } },
      dropout: { hidden: 0.1, attention: 0.1, reference: 'off' },
    })
    const kl = epochs.map(({ metrics }) => metrics['kl.ref'])
    expect(kl[0]).toBeGreaterThan(0.05)
    expect(mean(kl.slice(-5))).toBeLessThan(0.85 * mean(kl.slice(0, 5)))
    expect(epochs[0].metrics['loss.policy']).toBe(0)
  })

  it('moves less from the reference the larger the KL coefficient, and not at all as it grows without bound', async () => {
    const task = smallDigits(60)
    const exact: number[] = []
    for (const coef of [0, 1, 30, 3000]) {
      const epochs = await trained(task, {
        epochs: { rce: 1, grpo: 6 },
        lr: { rce: 1e-3, grpo: 1e-3 },
        kl: { loss: { coef, estimator: 'exact' } },
      })
      exact.push(last(epochs).metrics['kl.ref.exact'])
    }
    expect(exact).toEqual(exact.toSorted((a, b) => b - a))
    expect(exact[3]).toBeLessThan(0.05 * exact[0])
  })

  it('counts groups without information and learns nothing from them', async () => {
    const task = smallDigits(20)
    const equal: Task = {
      ...task,
      score: async (_, choices) => choices.map(() => ({ kind: 'scored', hard: 0, soft: 0.1 })),
    }
    const [epoch] = await trained(equal, { epochs: { rce: 0, grpo: 1 } })
    expect(epoch.metrics['group.zero_std_frac']).toBe(1)
    expect(epoch.metrics['grad.norm']).toBeUndefined()
  })

  it('leaves out what could not be scored instead of taking it for a reward of zero', async () => {
    const task = smallDigits(20)
    const failing: Task = {
      ...task,
      score: async (query, choices) => {
        const outcomes = await task.score(query, choices)
        return outcomes.map((outcome, i) => (i % 2 === 0 ? { kind: 'missing', reason: testMessage('x') } : outcome))
      },
    }
    const [epoch] = await trained(failing, { epochs: { rce: 0, grpo: 1 }, eval: { every: 5 } })
    expect(epoch.metrics['group.missing']).toBe(4)
  })

  it('stops when not one score could be had, and says why', async () => {
    const task = smallDigits(5)
    const dead: Task = {
      ...task,
      score: async (_, choices) => choices.map(() => missing(message('lever.no-score', {}))),
    }
    const sentence = /none of 40 scores .* The first reason: the log has no score for this choice/
    expect(await refusal(trained(dead, { epochs: { rce: 0, grpo: 2 } }))).toMatch(sentence)
    expect(await refusal(trained(dead, { epochs: { rce: 1, grpo: 0 } }))).toMatch('none of')
    const unjudged: Task = {
      ...task,
      score: async (_, choices) => choices.map(() => ({ kind: 'scored', hard: null, soft: 0.5 })),
    }
    expect(await refusal(trained(unjudged, { epochs: { rce: 0, grpo: 1 } }))).toMatch('reward.mode=soft')
  })

  it('stops when patience runs out', async () => {
    const epochs = await trained(smallDigits(20), {
      epochs: { rce: 0, grpo: 30 },
      lr: { grpo: 1e-12 },
      early_stopping: { patience: 2 },
    })
    expect(epochs.length).toBeLessThan(10)
  })
})
