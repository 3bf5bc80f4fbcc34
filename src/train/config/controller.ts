import { z } from 'zod'
import type { Message } from '../../model/run.js'
import { message } from '../../text/say.js'
import type { KlRule } from '../schedules/kl-coefficient.js'
import { notNegative, number, numberOrNone, positive, word } from './leaves.js'

/** How a coefficient moves while a training runs: the settings, the same for every coefficient, and the rule they mean. */

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

interface KlSettings extends ControllerSettings {
  readonly loss: { readonly coef: number }
  readonly reward: { readonly coef: number }
}

/** A KL acts in one place, and moves by a rule that is whole. */
export function klProblems(kl: KlSettings): readonly Message[] {
  const { loss, reward } = kl
  const twice = loss.coef > 0 && reward.coef > 0
  return [
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
