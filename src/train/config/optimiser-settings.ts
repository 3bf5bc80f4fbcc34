import { z } from 'zod'
import { notNegative, number, positive } from './leaves.js'

/** Those of AdamW, whatever it trains. */
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
