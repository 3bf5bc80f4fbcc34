import type { RunView } from './run-view.js'

/**
 * The same score on every validation set. A log that validates on three data sets writes one metric for each, alike but
 * for the name of the set; a question about one of them concerns all, and none is picked in silence.
 */

/** The metric itself first, then its likes on other data sets, in the order of the log. */
export function onEverySet(run: RunView, metric: string): readonly string[] {
  const form = formOf(run, metric)
  if (form === null) return [metric]
  const likes = [...run.manifest.metrics.keys()].filter(name => name !== metric && formOf(run, name) === form)
  return [metric, ...likes]
}

/** The name with a blank for the data set; null where it names none. */
function formOf(run: RunView, metric: string): string | null {
  const { validation, condition } = run.meaningOf(metric)
  if (!validation || condition.dataset === undefined) return null
  const at = metric.indexOf(condition.dataset)
  return at < 0 ? null : `${metric.slice(0, at)}\u0000${metric.slice(at + condition.dataset.length)}`
}
