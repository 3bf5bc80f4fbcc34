import { KINDS } from '../own/kinds.js'
import { stemOf } from './english.js'

/** Of klens's own kinds of detail those that a clause names by their meaning units; what needed more words first. */
export function kindsIn(clause: string, language: 'en' | 'zh'): readonly string[] {
  const stems = new Set((clause.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(stemOf))
  const has = language === 'en' ? (part: string) => stems.has(part) : (part: string) => clause.includes(part)
  const found: { readonly kind: string; readonly fit: number }[] = []
  for (const { kind, alternatives } of UNITS[language]) {
    let fit = 0
    for (const parts of alternatives) if (parts.length > fit && parts.every(has)) fit = parts.length
    if (fit > 0) found.push({ kind, fit })
  }
  return found.sort((one, other) => other.fit - one.fit).map(({ kind }) => kind)
}

const UNITS = { en: unitsOf('en'), zh: unitsOf('zh') }

function unitsOf(language: 'en' | 'zh') {
  return [...KINDS].map(([kind, wordings]) => {
    const alternatives = wordings[language].units.split('|').map(unit => unit.split(' '))
    return {
      kind,
      alternatives: language === 'en' ? alternatives.map(words => words.map(stemOf)) : alternatives,
    }
  })
}
