import type { Evidence, Finding } from '../../../logs/model/finding.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { meaningOf, vocabularyFor } from '../../../logs/model/vocabulary/resolve.js'
import { trapsFor } from '../../../logs/model/vocabulary/traps.js'
import { listed } from '../../../text/language.js'
import type { Message } from '../../../text/sentences.js'
import { runRule, type Symptom, threshold } from '../run-rule.js'
import { settingOf } from '../signs/acting.js'
import type { Subject } from '../subject.js'

/** What the update is made of: without these numbers there is none. The rest may be empty averages. */
const VITAL = ['loss', 'kl', 'grad', 'entropy', 'reward', 'score', 'adv', 'ratio']
/** What moves the weights. While these are numbers, a broken KL or entropy is a hole in the log or a masked batch. */
const MOVERS = ['loss', 'grad']
/** Logged at every step by some framework; together they tell which steps there were. */
const CLOCKS = `grad.norm lr reward.mean score.mean len.response loss.total loss.policy entropy kl.ref`.split(' ')

export const nonFinite = runRule({
  id: 'non-finite',
  severity: 'error',
  about: {
    en: "Values that are no numbers: NaN or infinite, or null in verl's own log, which cannot write either. A KL or entropy that is lost while loss and gradient are logged and finite is never more than a warning.",
    zh: '不是数的值：NaN 或无穷，或 verl 日志中的 null（它无法写出这两者）。若 loss 与梯度仍正常记录，KL 或熵缺失最多是警告。',
  },
  needs: [],
  uses: CLOCKS,
  thresholds: {
    OFTEN: threshold(0.1, {
      en: 'A skipped update now and then is how loss scaling works; every tenth is not. Derived.',
      zh: 'loss scaling 本来就会偶尔跳过更新，但不会每十次跳一次。推得。',
    }),
  },
  says: {
    'non-finite': {
      en: 'NaN or infinite, first at step {first}: {list}',
      zh: '出现 NaN 或无穷，最早在 step {first}：{list}',
    },
    'non-finite.remedy': {
      en: 'resume from the last checkpoint before step {first}; with low_var_kl clamp the log-ratio, look for empty responses or fully masked batches, and use bf16 rather than fp16',
      zh: '从 step {first} 之前最后的 checkpoint 恢复；low_var_kl 需截断 log-ratio，检查空回答或全被 mask 的 batch，用 bf16 代替 fp16',
    },
    'non-finite.other': {
      en: 'NaN or infinite from step {first} on, in metrics that do not affect the update: {list}. Usually the mean of an empty set',
      zh: '自 step {first} 起有不参与更新的指标出现 NaN 或无穷：{list}。通常是对空集求平均',
    },
    'non-finite.other.remedy': {
      en: 'harmless unless you read these metrics: their curves have gaps from step {first} on',
      zh: '若不使用这些指标则无妨：自 step {first} 起它们的曲线有缺失',
    },
  },
  check(subject) {
    const nulls = nullsOf(subject)
    const broken = [...counted(subject), ...(nulls === undefined ? [] : written(subject, clocksOf(subject), nulls))]
    const vital = broken.filter(({ metric }) => isVital(subject, metric))
    const others = broken.filter(({ metric }) => !isVital(subject, metric))
    return [...brokenSymptom(vital, isUpdateHit(subject, vital)), ...brokenSymptom(others, null)]
  },
})

interface Broken {
  readonly metric: string
  readonly lost: number
  readonly n: number
  readonly steps: readonly [number, number]
  /** The last value is none either. */
  readonly toTheEnd: boolean
}

/** NaN and infinities in the log itself. */
function counted({ manifest, nonFinite }: Subject): Broken[] {
  return nonFinite.flatMap(({ metric, steps }) => {
    const record = manifest.metrics.get(metric)
    if (record === undefined || steps.length === 0) return []
    const toTheEnd = !Number.isFinite(record.last)
    return [{ metric, lost: steps.length, n: record.n, steps: [steps[0], steps[steps.length - 1]] as const, toTheEnd }]
  })
}

function nullsOf({ manifest }: Subject): Message | undefined {
  return manifest.files.flatMap(({ warnings }) => warnings).find(({ key }) => key === 'verl.null-values')
}

/**
 * Nulls are not stored; the source only counts them and names the first. Which steps lack a vital number is told by the
 * others that have it.
 */
function written(subject: Subject, clocks: Clocks, nulls: Message): Broken[] {
  const { lastStep } = subject
  const found = CLOCKS.flatMap(clock => subject.curve(clock) ?? []).flatMap(({ metric, steps }): Broken[] => {
    const gaps = gapsOf(clocks, metric, steps[0], lastStep)
    if (gaps.length === 0 || gaps.length > steps.length) return []
    const [from, to] = [gaps[0], gaps[gaps.length - 1]]
    return [{ metric, lost: gaps.length, n: steps.length + gaps.length, steps: [from, to], toTheEnd: to === lastStep }]
  })
  if (found.length > 0) return found
  const [metric, step, lost] = [String(nulls.params.metric), Number(nulls.params.step), Number(nulls.params.count)]
  return [{ metric, lost, n: lost, steps: [step, step], toTheEnd: false }]
}

/** All steps of the run's clocks in order, and which of them each of those metrics has a finite value at. */
interface Clocks {
  readonly steps: readonly number[]
  readonly finite: ReadonlyMap<string, ReadonlySet<number>>
}

function clocksOf(subject: Subject): Clocks {
  const curves = CLOCKS.flatMap(clock => subject.curves(clock))
  const finite = new Map(curves.map(({ metric, steps }) => [metric, new Set(steps)]))
  const all = new Set([...finite.values()].flatMap(steps => [...steps]))
  return { steps: [...all].sort((a, b) => a - b), finite }
}

/** Steps within a range at which the run logged something every step has, but not a finite value of this metric. */
function gapsOf({ steps, finite }: Clocks, metric: string, from: number, to: number): readonly number[] {
  const own = finite.get(metric)
  return own === undefined ? [] : steps.filter(step => step >= from && step <= to && !own.has(step))
}

function isVital(subject: Subject, metric: string): boolean {
  return VITAL.includes(headOf(subject, metric))
}

/** Without a finite loss and gradient in the log to say otherwise, it is. */
function isUpdateHit(subject: Subject, broken: readonly Broken[]): boolean {
  const isKnown = ['loss.total', 'loss.policy'].some(loss => subject.curve(loss) !== undefined)
  if (!isKnown || subject.curve('grad.norm') === undefined) return true
  return broken.some(({ metric }) => MOVERS.includes(headOf(subject, metric)))
}

/** What kind of training metric it is; nothing for validation. */
function headOf({ framework }: Subject, metric: string): string {
  const { canonical, validation } = meaningOf(metric, vocabularyFor({ framework }))
  return validation ? '' : (canonical?.split('.')[0] ?? '')
}

/** `hitsUpdate`: null for metrics that are not part of one. */
function brokenSymptom(broken: readonly Broken[], hitsUpdate: boolean | null): Symptom[] {
  const { OFTEN } = nonFinite.limits
  if (broken.length === 0) return []
  const areVital = hitsUpdate !== null
  const first = Math.min(...broken.map(({ steps }) => steps[0]))
  const isGrave = broken.some(({ lost, n, toTheEnd }) => toTheEnd || lost >= OFTEN * n)
  const list = listed(broken.map(({ metric, lost, n }) => `${metric} (${lost}/${n})`))
  return [
    {
      severity: areVital ? (hitsUpdate && isGrave ? 'error' : 'warning') : 'note',
      steps: [first, Math.max(...broken.map(({ steps }) => steps[1]))],
      evidence: {
        metrics: broken.map(({ metric }) => metric),
        lost: broken.map(({ lost }) => lost),
        points: broken.map(({ n }) => n),
        firstSteps: broken.map(({ steps }) => steps[0]),
      },
      message: nonFinite.say(areVital ? 'non-finite' : 'non-finite.other', { list, first }),
      remedy: nonFinite.say(areVital ? 'non-finite.remedy' : 'non-finite.other.remedy', { first }),
    },
  ]
}

export const loggingTrap = runRule({
  id: 'logging-trap',
  severity: 'note',
  about: {
    en: "Metrics that this framework's version logs in a way that has misled people. Said where it matters: the run's version is known to be one of those, or another finding rests on the metric. Else every run of a framework would have a finding; `klens show` has them all.",
    zh: '该框架此版本的某些指标，其记录方式曾误导他人。只在要紧时才说：已知该 run 正是这些版本之一，或别的发现依赖该指标。否则每个 run 都会有一条；`klens show` 中有全部说明。',
  },
  needs: [],
  says: {
    'logging-trap': {
      en: '{n} logged {n|metric|metrics} may not be what {n|its name says|their names say}, for {traps} known reasons: {list}',
      zh: '有 {n} 个指标记录的可能与名称不符（已知原因 {traps} 种）：{list}',
    },
    'logging-trap.remedy': {
      en: 'klens show {run} -m {metric} explains each one; compare them only between runs of the same version',
      zh: '用 klens show {run} -m {metric} 查看各项的说明；只在相同版本的 run 之间比较',
    },
  },
  check(subject, { say, before: findings }) {
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
      evidence: { traps: [...traps.keys()], metrics },
      message:
        traps.size === 1
          ? first.trap
          : say('logging-trap', { n: metrics.length, list: listed(metrics), traps: traps.size }),
      remedy: say('logging-trap.remedy', { run: manifest.id, metric: first.metric }),
    }
  },
})

/** The words of all evidence; those that are names of metrics are what the findings rest on. */
function namesIn(findings: readonly Finding[]): ReadonlySet<string> {
  const words = (evidence: Evidence): string[] =>
    Object.values(evidence)
      .flat()
      .filter(value => typeof value === 'string')
  return new Set(findings.flatMap(({ evidence }) => words(evidence)))
}
