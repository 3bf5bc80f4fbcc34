import { z } from 'zod'
import { list } from '../../logs/model/schema.js'
import { listed } from '../../text/language.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { NotChecked } from './rule.js'
import type { Need, RunRule } from './run-rule.js'
import type { Subject } from './subject.js'

/**
 * How much of a training the rules could look at. Silence of rules that could not be asked is no sign of health, so
 * "no finding" is said only where most of the checks that apply to this kind of training were made.
 */

const KINDS = ['language-policy', 'policy', 'supervised', 'unknown'] as const
export type TrainingKind = (typeof KINDS)[number]

/** What a kind of training never logs, by the first words of canonical names: checks that need it do not apply. */
const NEVER_LOGGED: { readonly [kind in TrainingKind]: readonly string[] } = {
  'language-policy': [],
  policy: ['kl.ref', 'kl.coef', 'kl.weighted', 'kl.train_infer', 'group', 'len', 'rollout', 'score', 'reward.part'],
  supervised: 'kl clip ratio adv group len rollout score reward entropy tools turns'.split(' '),
  unknown: [],
}

const REWARDS = ['reward.mean', 'score.mean', 'reward.part', 'reward.std', 'adv.max', 'kl.ref']
const OF_LANGUAGE = ['kl.ref', 'len.response', 'group.zero_std_frac', 'score.mean', 'reward.part']
const OF_POLICIES = ['loss.policy', 'kl.old', 'clip.frac']

/** What a training has to show of itself so that its kind can be known. */
interface Logged {
  readonly curve: (metric: string) => unknown
  readonly framework: Subject['framework']
}

export function trainingKind({ curve, framework }: Logged): TrainingKind {
  const has = (meanings: readonly string[]): boolean => meanings.some(meaning => curve(meaning) !== undefined)
  const isOfLanguage =
    has(['len.response']) ||
    (!has(['episode.return']) && (has(OF_LANGUAGE) || (framework !== null && framework !== 'hf')))
  if (has(REWARDS)) return isOfLanguage ? 'language-policy' : 'policy'
  if (has(OF_POLICIES)) return 'policy'
  return has(['loss.total', 'val.loss']) ? 'supervised' : 'unknown'
}

export const coverageSchema = z.object({
  kind: z.enum(KINDS),
  /** Checks that apply to this kind of training, and those of them that could be made. */
  applying: z.number(),
  made: z.number(),
  /** Most of them were made, so that finding nothing means something. */
  canTell: z.boolean(),
  /** Canonical metrics to log first, with the number of checks that each one opens beside those before it. */
  toLog: list(z.object({ metric: z.string(), opens: z.number() })),
})

export type Coverage = z.infer<typeof coverageSchema>

/** Reasons that a longer or fuller log takes away; any other is an answer of its own. */
const LACKING = new Set(['diagnose.not-logged', 'diagnose.too-short', 'diagnose.setting-unknown'])
const MOST_TO_LOG = 3

export function coverageOf(
  subject: Subject,
  rules: readonly RunRule[],
  { passed, found, notChecked }: Checked,
): Coverage {
  const kind = trainingKind(subject)
  const isPossible = loggedBy(kind)
  const applying = rules.filter(rule => canBeAsked(rule, isPossible))
  const reasons = new Map(notChecked.map(({ rule, reason }) => [rule, reason.key]))
  const lacking = applying.filter(({ id }) => LACKING.has(reasons.get(id) ?? ''))
  const made = applying.filter(({ id }) => passed.includes(id) || found.includes(id)).length
  const missing = lacking.map(({ needs }) =>
    needs.filter(need => !metricsOf(need).some(metric => subject.curve(metric) !== undefined)),
  )
  return {
    kind,
    applying: made + lacking.length,
    made,
    canTell: made > lacking.length,
    toLog: firstToLog(missing, isPossible),
  }
}

/** Of the checks that apply to what a framework logs, those that can be made, and what to log so that more can. */
export function checksAllowed(
  metrics: ReadonlySet<string>,
  framework: Subject['framework'],
  rules: readonly RunRule[],
) {
  const isLogged = (metric: string): boolean => metrics.has(metric)
  const kind = trainingKind({ framework, curve: metric => (isLogged(metric) ? metric : undefined) })
  const isPossible = loggedBy(kind)
  const applying = rules.filter(rule => canBeAsked(rule, isPossible))
  const allowed = applying.filter(rule => canBeAsked(rule, isLogged))
  const lacking = applying.filter(rule => !allowed.includes(rule))
  const missing = lacking.map(({ needs }) => needs.filter(need => !metricsOf(need).some(isLogged)))
  return { kind, allowed, lacking, toLog: firstToLog(missing, isPossible) }
}

function loggedBy(kind: TrainingKind): (metric: string) => boolean {
  const never = NEVER_LOGGED[kind]
  return metric => !never.some(words => metric === words || metric.startsWith(`${words}.`))
}

/** Whether metrics of which this holds are enough for a rule to look at something. */
function canBeAsked({ needs, uses }: RunRule, isThere: (metric: string) => boolean): boolean {
  const asked = needs.length > 0 ? needs : uses.length > 0 ? [uses] : []
  return asked.every(need => metricsOf(need).some(isThere))
}

/** Asked some hundred times for each run: `flat` takes four times as long. */
function metricsOf(need: Need): readonly string[] {
  return typeof need === 'string' ? [need] : need
}

interface Checked {
  readonly passed: readonly string[]
  readonly found: readonly string[]
  readonly notChecked: readonly NotChecked[]
}

/** One after the other the metric that opens most checks, given those before it. */
function firstToLog(missing: readonly (readonly Need[])[], isPossible: (metric: string) => boolean): Coverage['toLog'] {
  const chosen: { metric: string; opens: number }[] = []
  let left = missing.filter(needs => needs.length > 0)
  while (chosen.length < MOST_TO_LOG && left.length > 0) {
    const candidates = new Set(left.flatMap(needs => needs.flatMap(need => metricsOf(need)[0])).filter(isPossible))
    const fills = (need: Need, metric: string): boolean => metricsOf(need).includes(metric)
    const opened = (metric: string): number => left.filter(needs => needs.every(need => fills(need, metric))).length
    const [best] = [...candidates].map(metric => ({ metric, opens: opened(metric) })).sort((a, b) => b.opens - a.opens)
    if (best === undefined || best.opens === 0) break
    chosen.push(best)
    left = left.map(needs => needs.filter(need => !fills(need, best.metric))).filter(needs => needs.length > 0)
  }
  return chosen
}

const say = sentences({
  'diagnose.healthy': {
    en: 'No problems found: {made} of {applying} applicable checks ran and passed.',
    zh: '未发现问题：适用的 {applying} 项检查中做了 {made} 项，均通过。',
  },
  'diagnose.cannot-tell': {
    en: 'Cannot tell: {lacking} of {applying} check{applying||s} need values that this log does not have; the other {made} found no problems.',
    zh: '无法判断：{applying} 项检查中有 {lacking} 项所需的数值不在此日志中；能做的 {made} 项未发现问题。',
  },
  'diagnose.cannot-tell.log': {
    en: 'Cannot tell: {lacking} of {applying} check{applying||s} need values that this log does not have; the other {made} found no problems. Log first: {list}.',
    zh: '无法判断：{applying} 项检查中有 {lacking} 项所需的数值不在此日志中；能做的 {made} 项未发现问题。建议先记录：{list}。',
  },
})

/** What is said of a run without findings, in the same words everywhere. */
export function silenceMeans({ applying, made, canTell, toLog }: Coverage): Message {
  if (canTell) return say('diagnose.healthy', { made, applying })
  const counts = { lacking: applying - made, applying, made }
  return toLog.length === 0
    ? say('diagnose.cannot-tell', counts)
    : say('diagnose.cannot-tell.log', {
        ...counts,
        list: listed(toLog.map(({ metric, opens }) => `${metric} (+${opens})`)),
      })
}
