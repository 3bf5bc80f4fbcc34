import { expect, it } from 'vitest'
import { firstKlCoefficient, nextCoefficients } from '../schedules/kl-coefficient.js'
import { frameworkLearningRate } from '../schedules/learning-rate.js'
import { coefficientRules, intentionSchema } from './language-settings.js'

it('warms up from the floor as UserRL does: 41 % of the rate over its first 45 of 630 steps', () => {
  const lr = { grpo: 1, schedule: 'cosine', min_ratio: 0.1, warmup: { ratio: 0.1, from: 'floor' } }
  const config = intentionSchema().parse({ steps: 630, lr })
  const factors = [5, 10, 20, 30, 40, 45].map(step =>
    frameworkLearningRate(step - 1, config.steps, config.lr.grpo, config.lr),
  )
  expect(factors.map(factor => Number(factor.toFixed(3)))).toEqual([0.157, 0.229, 0.371, 0.514, 0.657, 0.729])
})

it('raises the entropy coefficient when the entropy is low, and the KL coefficient when the KL is high', () => {
  const moved = (controller: string, kl: number, entropy: number) => {
    const settings = { controller, target: 0.5, horizon: 10, band: { low: 0.4, high: 0.6 } }
    const rules = coefficientRules(
      intentionSchema().parse({ kl: { loss: { coef: 0.1 }, ...settings }, entropy: { coef: 0.1, ...settings } }),
    )
    const before = { kl: firstKlCoefficient(rules.kl), entropy: firstKlCoefficient(rules.entropy) }
    const after = nextCoefficients(rules, before, { kl, entropy, batchSize: 10, totalSteps: 100 })
    return [after.kl.effective, after.entropy.effective].map(value => Math.sign(Number((value - 0.1).toFixed(9))))
  }
  for (const controller of ['band', 'proportional']) {
    expect(moved(controller, 0.9, 0.9)).toEqual([1, -1])
    expect(moved(controller, 0.1, 0.1)).toEqual([-1, 1])
    expect(moved(controller, 0.5, 0.5)).toEqual([0, 0])
  }
  expect(moved('constant', 9, 9)).toEqual([0, 0])
})
