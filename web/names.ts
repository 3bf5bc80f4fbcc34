import type { Language } from '../src/text/language.js'
import { metricLabel, settingLabel, vocabularyTexts } from '../src/text/vocabulary.js'

/** What klens calls metrics and settings: for titles, and to choose from. */

export const KNOWN_NAMES = Object.keys(vocabularyTexts).flatMap(key => /^(?:metric|config)\.(.+)$/.exec(key)?.[1] ?? [])

export function columnTitle(name: string, language: Language): string {
  const metric = metricLabel(name, language)
  return metric === name ? settingLabel(name, language) : metric
}
