import type { Evidence, Finding } from '../../model/finding.js'
import { groupBy } from '../../model/group-by.js'
import { trapsFor } from '../../model/vocabulary/traps.js'
import { listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { Rule } from '../rule.js'

/**
 * Metrics that this framework's version logs in a way that has misled people.
 * Said where it matters: the run's version is known to be one of those, or another finding rests on the metric. Else
 * every run of a framework would have a finding; `klens show` has them all.
 */
export const loggingTrap: Rule = {
  id: 'logging-trap',
  severity: 'note',
  needs: [],
  detect({ manifest, framework }, findings) {
    const logged = [...manifest.metrics].filter(([, { n }]) => n > 0)
    const relied = namesIn(findings)
    const found = logged.flatMap(([metric, { firstStep, lastStep }]) =>
      trapsFor(metric, framework, manifest.about.versions ?? {})
        .filter(({ params }) => 'version' in params || relied.has(metric))
        .map(trap => ({ metric, trap, firstStep, lastStep })),
    )
    if (found.length === 0) return
    const traps = groupBy(found, ({ trap }) => trap.key)
    const metrics = [...new Set(found.map(({ metric }) => metric))]
    const [first] = found
    return {
      steps: [
        found.reduce((least, { firstStep }) => Math.min(least, firstStep), Number.POSITIVE_INFINITY),
        found.reduce((most, { lastStep }) => Math.max(most, lastStep), Number.NEGATIVE_INFINITY),
      ],
      evidence: {
        traps: [...traps.keys()],
        metrics,
      },
      message:
        traps.size === 1
          ? first.trap
          : message('logging-trap', { n: metrics.length, list: listed(metrics), traps: traps.size }),
      remedy: message('logging-trap.remedy', { run: manifest.id, metric: first.metric }),
    }
  },
}

/** The words of all evidence; those that are names of metrics are what the findings rest on. */
function namesIn(findings: readonly Finding[]): ReadonlySet<string> {
  const words = (evidence: Evidence): string[] =>
    Object.values(evidence)
      .flat()
      .filter(value => typeof value === 'string')
  return new Set(findings.flatMap(({ evidence }) => words(evidence)))
}
