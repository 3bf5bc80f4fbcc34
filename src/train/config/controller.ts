import { z } from 'zod'
import type { KlRule } from '../schedules/kl-coefficient.js'
import { number, numberOrNone, word } from './leaves.js'

/** How a coefficient moves while a training runs: the settings, the same for every coefficient, and the rule they mean. */

const positive = { above: 0 }
const notNegative = { least: 0 }

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
