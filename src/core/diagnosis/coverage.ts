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

export function trainingKind({ curve, framework }: Subject): TrainingKind {
  const has = (meanings: readonly string[]): boolean => meanings.some(meaning => curve(meaning) !== undefined)
  const isOfLanguage = has(OF_LANGUAGE) || (framework !== null && framework !== 'hf' && !has(['episode.return']))
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
  const never = NEVER_LOGGED[kind]
  const isPossible = (metric: string): boolean =>
    !never.some(words => metric === words || metric.startsWith(`${words}.`))
  const applying = rules.filter(({ needs, uses }) => {
    const asked = needs.length > 0 ? needs : uses.length > 0 ? [uses] : []
    return asked.every(need => [need].flat().some(isPossible))
  })
  const reasons = new Map(notChecked.map(({ rule, reason }) => [rule, reason.key]))
  const lacking = applying.filter(({ id }) => LACKING.has(reasons.get(id) ?? ''))
  const made = applying.filter(({ id }) => passed.includes(id) || found.includes(id)).length
  const missing = lacking.map(({ needs }) =>
    needs.filter(need => ![need].flat().some(metric => subject.curve(metric) !== undefined)),
  )
  return {
    kind,
    applying: made + lacking.length,
    made,
    canTell: made > lacking.length,
    toLog: firstToLog(missing, isPossible),
  }
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
    const candidates = new Set(left.flatMap(needs => needs.flatMap(need => [need].flat()[0])).filter(isPossible))
    const fills = (need: Need, metric: string): boolean => [need].flat().includes(metric)
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
    en: 'No finding: {made} of the {applying} checks that apply were made and passed.',
    zh: '未发现问题：适用的 {applying} 项检查中做了 {made} 项，均通过。',
  },
  'diagnose.cannot-tell': {
    en: 'Cannot tell: {lacking} of {applying} checks need values that this log does not have; the {made} that could be made found nothing.',
    zh: '无法判断：{applying} 项检查中有 {lacking} 项所需的数值不在此日志中；能做的 {made} 项未发现问题。',
  },
  'diagnose.cannot-tell.log': {
    en: 'Cannot tell: {lacking} of {applying} checks need values that this log does not have; the {made} that could be made found nothing. Log first: {list}.',
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
