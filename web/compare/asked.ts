import type { Answers } from '../api.js'
import type { ChartedRun } from '../charts/metric-chart.js'
import { siteIndex } from '../site.js'

/** What a comparison asks for to draw its curves, read off its address. */

/** Beside the metric in question, what people look at to understand it. */
const BESIDE = ['score.mean', 'kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'loss.policy']

export function comparedSides(query: URLSearchParams): { readonly sides: readonly string[] } {
  return { sides: query.getAll('side') }
}

export function comparedMetric(query: URLSearchParams): string {
  return query.get('metric') ?? 'val.score'
}

/** The metric in question, and what stands beside it. */
export function panelsFor(metric: string): readonly [own: readonly string[], beside: readonly string[]] {
  return [[metric], BESIDE.filter(each => each !== metric)]
}

/** A side is a run or several by name, which the server knows too; only of a checkpoint it must be told first whose it is. */
export function namedBefore(sides: readonly string[]): readonly string[] | undefined {
  return siteIndex !== null || sides.some(side => side.includes('@')) ? undefined : sides
}

export function chartedRuns({ sides }: Answers['sides'], hidden: ReadonlySet<string>): readonly ChartedRun[] {
  return sides.flatMap(({ label, runs: members }, look) =>
    members
      .filter(({ id }) => !hidden.has(id))
      .map(({ id, name }) => ({ id, look, side: label, name: members.length === 1 ? label : name })),
  )
}
