import type { Language } from '../src/text/language.js'
import { metricLabel, settingLabel, vocabularyTexts } from '../src/text/vocabulary.js'

/** What klens calls metrics and settings, for titles and to choose from, and which panel a metric or a finding belongs to. */

export const KNOWN_NAMES = Object.keys(vocabularyTexts).flatMap(key => /^(?:metric|config)\.(.+)$/.exec(key)?.[1] ?? [])

export function columnTitle(name: string, language: Language): string {
  const metric = metricLabel(name, language)
  return metric === name ? settingLabel(name, language) : metric
}

export const TOPICS = ['reward', 'kl', 'entropy', 'length', 'optimisation', 'efficiency', 'other'] as const

export type Topic = (typeof TOPICS)[number]

const METRICS: readonly (readonly [RegExp, Topic])[] = [
  [/^(?:val|score|reward|group|return|eval)\b/, 'reward'],
  [/^kl\b/, 'kl'],
  [/^entropy\b/, 'entropy'],
  [/^(?:len|turns|tools)\b/, 'length'],
  [/^(?:loss|grad|lr|clip|adv|value|ratio|variance|vespo|rce)\b/, 'optimisation'],
  [/^(?:time|throughput|mfu|memory|rank|gpu|cpu|tokens|rollout)\b/, 'efficiency'],
]

export function topicOf(canonical: string | null): Topic {
  return METRICS.find(([pattern]) => pattern.test(canonical ?? ''))?.[1] ?? 'other'
}

const RULES: readonly (readonly [RegExp, Topic])[] = [
  [/^kl-/, 'kl'],
  [/^entropy-/, 'entropy'],
  [/^(?:length-|truncation)/, 'length'],
  [/^(?:grad-|lr-|clip-|loss-|advantage-|train-inference)/, 'optimisation'],
  [/^throughput-/, 'efficiency'],
]

/** What belongs to no curve in particular is shown where people look first. */
export function topicOfRule(rule: string): Topic {
  return RULES.find(([pattern]) => pattern.test(rule))?.[1] ?? 'reward'
}

/** What a reader looks for first; then what klens knows, then the rest. */
const FIRST = [
  ...['val.score', 'score.mean', 'reward.mean', 'val.loss', 'kl.ref', 'kl.coef', 'entropy', 'len.response'],
  ...['grad.norm', 'clip.frac', 'loss.policy'],
]

export function rankOf(canonical: string | null): number {
  if (canonical === null) return FIRST.length + TOPICS.length
  const at = FIRST.indexOf(canonical)
  return at < 0 ? FIRST.length + TOPICS.indexOf(topicOf(canonical)) : at
}

interface NamedMetric {
  readonly metric: string
  readonly canonical: string | null
}

/** In words; where two metrics would then be called alike, with the part of their names in which they differ. */
export function metricTitles(all: readonly NamedMetric[], language: Language): ReadonlyMap<string, string> {
  return new Map(
    all.map(({ metric, canonical }) => {
      if (canonical === null) return [metric, metric]
      const alike = all.flatMap(other => (other.canonical === canonical ? [other.metric] : []))
      const label = metricLabel(canonical, language)
      return [metric, alike.length === 1 ? label : `${label} · ${ownPart(metric, alike)}`]
    }),
  )
}

/** `val/gsm8k/acc` beside `val/math/acc` is `gsm8k`. */
function ownPart(name: string, all: readonly string[]): string {
  const others = all.map(each => each.split('/'))
  const own = name.split('/').filter((part, i) => others.some(other => other[i] !== part))
  return own.length === 0 ? name : own.join('/')
}
