/**
 * Which metric counts the steps of which: W&B's `define_metric`. A definition names one metric, or a whole family by a
 * prefix and a star; W&B allows the star at the end only. W&B 0.30.0 also logs what a star expands to, 0.15.12 and
 * 0.31.0 do not, so klens expands by itself.
 */
export interface MetricDefinition {
  readonly name: string
  /** The name is a prefix. */
  readonly isPrefix: boolean
  /** '' when the metric is defined without an axis of its own. */
  readonly stepMetric: string
}

/** More than any real run defines; what a hostile file defines beyond is ignored. */
const MOST_NAMES = 10_000
const MOST_PREFIXES = 1_000

export interface Axes {
  /** Whether anything changed by it. */
  define(definition: MetricDefinition): boolean
  /** The metric that counts the steps of this one, or undefined when that is the run's own step. */
  axisOf(metric: string): string | undefined
  isAxis(metric: string): boolean
  definitions(): readonly MetricDefinition[]
}

export function axesFrom(known: readonly MetricDefinition[]): Axes {
  const byName = new Map<string, MetricDefinition>()
  const byPrefix = new Map<string, MetricDefinition>()
  const stepMetrics = new Set<string>()
  for (const definition of known) define(definition)

  function define(definition: MetricDefinition): boolean {
    const { name, isPrefix, stepMetric } = definition
    const definitions = isPrefix ? byPrefix : byName
    const before = definitions.get(name)
    if (before?.stepMetric === stepMetric) return false
    if (before === undefined && definitions.size >= (isPrefix ? MOST_PREFIXES : MOST_NAMES)) return false
    definitions.set(name, definition)
    if (stepMetric !== '') stepMetrics.add(stepMetric)
    return true
  }

  function axisOf(metric: string): string | undefined {
    const definition = byName.get(metric) ?? longestPrefix(metric)
    const axis = definition?.stepMetric
    return axis === undefined || axis === '' || axis === '_step' || axis === metric ? undefined : axis
  }

  function longestPrefix(metric: string): MetricDefinition | undefined {
    let longest: MetricDefinition | undefined
    for (const definition of byPrefix.values()) {
      if (!metric.startsWith(definition.name)) continue
      if (longest === undefined || definition.name.length > longest.name.length) longest = definition
    }
    return longest
  }

  return {
    define,
    axisOf,
    isAxis: metric => stepMetrics.has(metric),
    definitions: () => [...byName.values(), ...byPrefix.values()],
  }
}
