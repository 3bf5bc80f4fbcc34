import type { Log, LogMetric, Part } from './log.js'
import type { MetricMention } from './metric-mentions.js'
import { type PartMention, partsMeant } from './part-mentions.js'
import type { FigureJudgement } from './reading.js'

/**
 * What a report usually speaks of. It says once that all values are means of the last five evaluations, or what it calls
 * "the score", and goes on without: figures that fit only one thing tell it, first those of tables.
 */
export interface Conventions {
  /** Parts of curves, with what each costs to believe where no word says another. */
  readonly parts: readonly { readonly part: Part; readonly cost: number }[]
  readonly metrics: ReadonlyMap<LogMetric, number>
  /** Which metrics a phrase was found to mean, and how often of all. */
  readonly meaningOf: (mention: MetricMention) => ReadonlyMap<LogMetric, number>
}

export interface ConventionKeeper {
  readonly conventions: () => Conventions
  /** `isPart`: also the part, which no word said. */
  readonly learn: (judged: FigureJudgement, isPart: boolean) => void
  /** What a phrase beside figures was found to mean. */
  readonly learnWord: (mention: MetricMention, metric: LogMetric) => void
}

/** What people mean who do not say it. */
const USUAL: readonly (readonly ['last' | 'max' | 'mean' | 'first' | 'min', number])[] = [
  ['last', 2],
  ['max', 0.6],
  ['mean', 0.4],
  ['first', 0.4],
  ['min', 0.3],
]

const NONE: ReadonlyMap<LogMetric, number> = new Map()
const MOST_PARTS = 12
/** Spoken of, and not yet found. */
const SPOKEN = 0.5

/** `spoken`: stretches and steps that any sentence of the report names. */
export function conventionsOf(log: Log, spoken: readonly PartMention[]): ConventionKeeper {
  const parts = new Map<string, { readonly part: Part; weight: number }>()
  const metrics = new Map<LogMetric, number>()
  const words = new Map<string, Map<LogMetric, number>>()
  const count = (part: Part, weight: number): void => {
    const key = Object.values(part).join()
    const known = parts.get(key)
    if (known === undefined) parts.set(key, { part, weight })
    else known.weight += weight
  }
  for (const [kind, weight] of USUAL) count({ kind }, weight)
  for (const one of spoken) for (const { part } of partsMeant([one], { goal: null }, false)) count(part, SPOKEN)
  let made: Conventions | null = null
  return {
    learn: (one, isPart) => {
      if (one.state !== 'traced' || one.reading.kind !== 'value' || one.reading.address === null) return
      made = null
      const { part, metric: name } = one.reading.address
      if (isPart) count(part, 1)
      const metric = log.metrics.get(name)
      if (metric !== undefined) metrics.set(metric, (metrics.get(metric) ?? 0) + 1)
    },
    learnWord: (mention, metric) => {
      const key = keyOf(mention)
      const own = words.get(key) ?? new Map<LogMetric, number>()
      words.set(key, own.set(metric, (own.get(metric) ?? 0) + 1))
    },
    conventions: () => {
      if (made !== null) return made
      const sorted = [...parts.values()].toSorted((a, b) => b.weight - a.weight).slice(0, MOST_PARTS)
      const all = sorted.reduce((sum, { weight }) => sum + weight, 0)
      const measured = [...metrics.values()].reduce((a, b) => a + b, 1)
      made = {
        parts: sorted.map(({ part, weight }) => ({ part, cost: -Math.log(weight / all) })),
        metrics: new Map([...metrics].map(([metric, n]) => [metric, n / measured])),
        meaningOf: mention => {
          const own = words.get(keyOf(mention))
          if (own === undefined) return NONE
          const sum = [...own.values()].reduce((a, b) => a + b, 0.5)
          return new Map([...own].map(([metric, n]) => [metric, n / sum]))
        },
      }
      return made
    },
  }
}

/** Two phrases are one where they may mean the same, in the same order. */
const keyOf = ({ ranked, settings }: MetricMention): string =>
  `${ranked.slice(0, 3).map(({ metric }) => metric.name)} ${settings.length}`
