import type { Language } from '../src/text/language.js'
import { metricLabel, settingLabel, vocabularyTexts } from '../src/text/vocabulary.js'

/** What klens calls metrics and settings, for titles and to choose from. */

export const KNOWN_NAMES = Object.keys(vocabularyTexts).flatMap(key => /^(?:metric|config)\.(.+)$/.exec(key)?.[1] ?? [])

export function columnTitle(name: string, language: Language): string {
  const metric = metricLabel(name, language)
  return metric === name ? settingLabel(name, language) : metric
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
