import { z } from 'zod'
import { pair } from '../../../logs/model/schema.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import { wilson } from '../../../stats/proportion.js'
import { pairedPrompts, reachOf, unpairedPrompts } from '../../../stats/sample-size.js'
import type { Column } from './matrix.js'

/** What accuracies on n prompts can tell apart at all. */
export const resolution = z.object({
  /** 100 where scores are printed in percent, else 1. */
  scale: z.union([z.literal(1), z.literal(100)]),
  n: z.number(),
  /** Half of the widest 95 % interval of one accuracy, as a share. */
  halfWidth: z.number(),
  /** The smallest gap that n prompts a side would show in 80 % of cases, as a share: other prompts, then the same ones. */
  unpaired: z.number(),
  paired: pair(z.number()),
  /** Prompts that would confirm the largest gap between settings; null where there is none. */
  toConfirm: z
    .object({ gap: z.number(), paired: z.number(), pairedTwice: z.number(), unpaired: z.number() })
    .nullable(),
})

export type Resolution = z.infer<typeof resolution>

/** Shares of prompts on which two close models differ: one prompt in twenty where they are much alike, one in five where not. */
export const DISCORDANCE = { low: 0.05, middle: 0.1, high: 0.2 } as const

const ACCURACY = /acc|exact|correct|pass|win|(?:^|[^a-z])em(?:[^a-z]|$)/i

/**
 * 1 for shares, 100 for percentages, null for anything else. A reward of 1.8 is no percentage, so a number above one
 * needs a name that says accuracy, or a condition that only an accuracy has.
 */
export function accuracyScale(
  values: readonly number[],
  goal: Goal | null,
  names: readonly { readonly metric: string; readonly shots?: number }[],
): 1 | 100 | null {
  if (values.length === 0 || goal !== 'max' || values.some(value => value < 0 || value > 100)) return null
  if (values.every(value => value <= 1)) return 1
  return names.every(({ metric, shots }) => shots !== undefined || ACCURACY.test(metric)) ? 100 : null
}

/** `summaries` are the settings' means. */
export function resolutionOf(
  columns: readonly Column[],
  summaries: readonly number[],
  goal: Goal | null,
): Resolution | null {
  const values = columns.flatMap(({ points, window }) =>
    [...points.values()].flatMap(own => window.map(step => own.get(step) ?? Number.NaN)),
  )
  const scale = accuracyScale(
    values,
    goal,
    columns.map(({ metric, condition: { shots } }) => ({ metric, ...(shots !== undefined && { shots }) })),
  )
  const counts = columns.flatMap(({ n }) => (n === null ? [] : [n]))
  if (scale === null || counts.length < columns.length || counts.length === 0) return null
  const n = Math.min(...counts)
  const shares = values.map(value => value / scale)
  const halfWidth = Math.max(...shares.map(share => half(wilson(share, n))))
  const share = mean(shares)
  const reach = reachOf()
  const gap = summaries.length > 1 ? (Math.max(...summaries) - Math.min(...summaries)) / scale : 0
  return {
    scale,
    n,
    halfWidth,
    unpaired: reach * Math.sqrt((2 * share * (1 - share)) / n),
    paired: [reach * Math.sqrt(DISCORDANCE.low / n), reach * Math.sqrt(DISCORDANCE.high / n)],
    toConfirm: gap > 0 ? toConfirm(gap, share) : null,
  }
}

function toConfirm(difference: number, share: number): NonNullable<Resolution['toConfirm']> {
  const paired = (discordance: number): number =>
    pairedPrompts(Math.max(discordance, difference) - difference ** 2, { difference })
  return {
    gap: difference,
    paired: paired(DISCORDANCE.low),
    pairedTwice: paired(DISCORDANCE.middle),
    unpaired: unpairedPrompts(share, { difference }),
  }
}

function half({ low, high }: { readonly low: number; readonly high: number }): number {
  return (high - low) / 2
}
