import type { Evidence, Finding } from '../../model/finding.js'
import { groupBy } from '../../model/util/group-by.js'
import { trapsFor } from '../../model/vocabulary/traps.js'
import { listed } from '../../text/figure.js'
import { sentences } from '../../text/sentences.js'
import type { Rule } from '../rule.js'
import { settingOf } from '../signs/acting.js'

const say = sentences({
  'logging-trap': {
    en: '{n} logged {n|metric|metrics} may not be what {n|its name says|their names say}, for {traps} known reasons: {list}',
    zh: '有 {n} 个指标记录的可能与名称不符（已知原因 {traps} 种）：{list}',
  },
  'logging-trap.remedy': {
    en: 'klens show {run} -m {metric} says what each one is; compare them only between runs of the same version',
    zh: '用 klens show {run} -m {metric} 查看各项的说明；只在相同版本的 run 之间比较',
  },
})

export const loggingTrap: Rule = {
  id: 'logging-trap',
  severity: 'note',
  about: {
    en: "Metrics that this framework's version logs in a way that has misled people. Said where it matters: the run's version is known to be one of those, or another finding rests on the metric. Else every run of a framework would have a finding; `klens show` has them all.",
    zh: '该框架此版本的某些指标，其记录方式曾误导他人。只在要紧时才说：已知该 run 正是这些版本之一，或别的发现依赖该指标。否则每个 run 都会有一条；`klens show` 中有全部说明。',
  },
  needs: [],
  detect(subject, findings) {
    const { manifest, framework } = subject
    const versions = manifest.about.versions ?? {}
    const relied = namesIn(findings)
    const isVersionTold = Object.keys(versions).length > 0
    const logged = [...manifest.metrics].filter(([name, { n }]) => n > 0 && (isVersionTold || relied.has(name)))
    const found = logged.flatMap(([metric, { firstStep, lastStep }]) =>
      trapsFor(metric, framework, versions, settingOf(subject, 'log.every'))
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
          : say('logging-trap', { n: metrics.length, list: listed(metrics), traps: traps.size }),
      remedy: say('logging-trap.remedy', { run: manifest.id, metric: first.metric }),
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
