import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { message } from '../../../text/say.js'
import { sentences } from '../../../text/sentences.js'
import { WEIGHABLE_ESTIMATORS } from '../objectives/kl-estimators.js'
import type { AdamWSettings } from '../optimiser/adamw.js'
import type { KlRule } from '../schedules/kl-coefficient.js'
import { atLeastOne, flag, notNegative, number, numberOrNone, positive, whole, wholeOrNone, word } from './leaves.js'

/** Settings that mean the same whatever is trained, what cannot hold together among them, and the rules that they stand for. */

export const OPTIMISER_SETTINGS = {
  optimiser: z
    .object({
      beta1: number(0.9, { least: 0, below: 1 }),
      beta2: number(0.999, { least: 0, below: 1 }),
      epsilon: number(1e-8, positive),
      weight_decay: number(0.01, notNegative),
    })
    .prefault({}),
  grad: z.object({ clip: number(1, positive) }).prefault({}),
}

const optimiserSchema = z.object(OPTIMISER_SETTINGS)

export function adamWSettings({ optimiser, grad }: z.output<typeof optimiserSchema>): AdamWSettings {
  const { beta1, beta2, epsilon, weight_decay: weightDecay } = optimiser
  return { beta1, beta2, epsilon, weightDecay, clipNorm: grad.clip }
}

const say = sentences({
  'train-config.weighed-kl': {
    en: 'kl.loss.bias_correction weights a sampled estimate ({estimators}); kl.loss.estimator is {estimator}.',
    zh: 'kl.loss.bias_correction 只用于采样估计（{estimators}），而 kl.loss.estimator 为 {estimator}。',
  },
})

export const LOSS_TYPE = word(['ppo', 'cispo'], 'ppo').describe(
  '`ppo`: a ratio beyond the clip range loses its gradient. `cispo`: the clipped ratio is a weight and every token keeps its gradient.',
)

/** Who pays: the task itself, or a model of what it pays. */
export const LEARNED_REWARD = {
  source: word(['task', 'learned'], 'task').describe(
    '`learned`: a reward model, fitted to labels of what the starting policy does, pays in training; the task only validates.',
  ),
  labels: whole(300, atLeastOne).describe('`learned`: how many samples are labelled.'),
  noise: number(0.5, notNegative).describe('`learned`: standard deviation of the noise in a label.'),
}

/** The reference may follow the policy. */
export const REFERENCE_SETTINGS = z
  .object({
    sync: z
      .object({
        steps: wholeOrNone(atLeastOne).describe(
          'The reference moves to the policy after every so many steps (of the selector: epochs of GRPO); none: never.',
        ),
        mixup: number(1, { above: 0, most: 1 }).describe(
          'How far: 1 is a reset; 0.01 with `ref.sync.steps` 1 is a moving average.',
        ),
      })
      .prefault({}),
  })
  .prefault({})

/** Of the ratio, on either side of 1. */
export const CLIP_RANGE = { low: number(0.2, { above: 0, most: 1 }), high: number(0.2, positive) }

export const WARMUP_LENGTH = {
  ratio: number(0, { least: 0, below: 1 }),
  steps: wholeOrNone(notNegative).describe('Instead of the ratio.'),
}

/** How a coefficient moves while a training runs. */
export const CONTROLLER_SETTINGS = {
  controller: word(['constant', 'scheduled', 'band', 'proportional'], 'constant'),
  final: numberOrNone(notNegative).describe('Where `scheduled` ends.'),
  shape: word(['linear', 'step'], 'linear'),
  band: z
    .object({
      low: number(0.01, notNegative),
      high: number(0.1, positive),
      factor: number(1.5, { above: 1 }),
      floor: number(0.001, notNegative),
      ceiling: number(10, positive),
    })
    .prefault({}),
  target: number(0.1, positive),
  horizon: number(10_000, positive),
}

const controllerSchema = z.object(CONTROLLER_SETTINGS)
type ControllerSettings = z.output<typeof controllerSchema>

/** A KL in the loss or in the reward; one rule moves the one coefficient that acts, wherever it acts. */
export const klSettings = <Estimator extends string>(
  coefficient: number,
  estimators: readonly [Estimator, ...Estimator[]],
  usual: { readonly loss: NoInfer<Estimator>; readonly reward: NoInfer<Estimator> },
) => ({
  loss: z
    .object({
      coef: number(coefficient, notNegative),
      estimator: word([...estimators, 'exact', 'forward'], usual.loss).describe(
        '`exact`: summed over all candidates or the vocabulary; `forward`: so too, KL(reference ‖ policy).',
      ),
      bias_correction: flag(false).describe(
        'Weighs the estimate by policy / old policy, which gives k3 the gradient of the KL, as in DeepSeek-V3.2.',
      ),
    })
    .prefault({}),
  reward: z
    .object({ coef: number(0, notNegative), estimator: word([...estimators, 'exact'], usual.reward) })
    .prefault({}),
  ...CONTROLLER_SETTINGS,
})

interface KlSettings extends ControllerSettings {
  readonly loss: { readonly coef: number; readonly estimator: string; readonly bias_correction: boolean }
  readonly reward: { readonly coef: number }
}

export function klIsInReward({ reward }: KlSettings): boolean {
  return reward.coef > 0
}

/** The coefficient of the KL in the loss, of the one in force. */
export function klInLoss(kl: KlSettings, effective: number): number {
  return klIsInReward(kl) ? 0 : effective
}

export function klRule(kl: KlSettings): KlRule {
  return coefficientRule(klIsInReward(kl) ? kl.reward.coef : kl.loss.coef, kl)
}

export function coefficientRule(coefficient: number, settings: ControllerSettings): KlRule {
  const { controller, final, shape, band, target, horizon } = settings
  switch (controller) {
    case 'constant':
      return { kind: 'constant', coefficient }
    case 'scheduled':
      return { kind: 'scheduled', coefficient, finalCoefficient: final ?? coefficient, shape }
    case 'band':
      return { kind: 'band', coefficient, ...band }
    case 'proportional':
      return { kind: 'proportional', coefficient, target, horizon }
  }
}

/** A KL acts in one place, and moves by a rule that is whole. */
export function klProblems(kl: KlSettings): readonly Message[] {
  const { loss, reward } = kl
  const twice = loss.coef > 0 && reward.coef > 0
  const { estimator } = loss
  const cannotWeigh = loss.bias_correction && !WEIGHABLE_ESTIMATORS.includes(estimator)
  return [
    ...(cannotWeigh
      ? [say('train-config.weighed-kl', { estimator, estimators: WEIGHABLE_ESTIMATORS.join(', ') })]
      : []),
    ...(twice ? [message('train-config.kl-twice', { loss: String(loss.coef), reward: String(reward.coef) })] : []),
    ...controllerProblems('kl', kl),
  ]
}

export function controllerProblems(key: string, { controller, final, band }: ControllerSettings): readonly Message[] {
  const ordered = [
    [`${key}.band.low`, band.low, `${key}.band.high`, band.high],
    [`${key}.band.floor`, band.floor, `${key}.band.ceiling`, band.ceiling],
  ] as const
  return [
    ...(controller === 'scheduled' && final === null ? [message('train-config.no-final', { key })] : []),
    ...ordered.flatMap(([lower, value, other, limit]) =>
      value < limit
        ? []
        : [message('train-config.order', { key: lower, value: String(value), other, limit: String(limit) })],
    ),
  ]
}
