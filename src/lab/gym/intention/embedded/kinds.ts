import { KINDS } from '../own/kinds.js'
import { stemOf } from './words.js'

type Language = 'en' | 'zh'

export const KIND_NAMES: readonly string[] = [...KINDS.keys()]

/**
 * Of klens's own kinds of detail those that a clause is about, what needed more words first: by their meaning units or, where
 * it has none of any, by the hints.
 */
export function kindsIn(clause: string, language: Language): readonly string[] {
  const has = partsIn(clause, language)
  const { units, hints } = SIGNS[language]
  const named = fitting(units, has)
  return named.length > 0 ? named : fitting(hints, has)
}

function partsIn(clause: string, language: Language): (part: string) => boolean {
  const text = clause.toLowerCase()
  if (language === 'zh') return part => text.includes(part)
  const stems = new Set((text.match(/[a-z0-9]+/g) ?? []).map(stemOf))
  return part => stems.has(part)
}

/** Those that a text names plainly. */
export function kindsNamed(text: string, language: Language): readonly string[] {
  return fitting(SIGNS[language].units, partsIn(text, language))
}

interface Sign {
  readonly kind: string
  readonly alternatives: readonly (readonly string[])[]
}

function fitting(signs: readonly Sign[], has: (part: string) => boolean): readonly string[] {
  const found: { readonly kind: string; readonly fit: number }[] = []
  for (const { kind, alternatives } of signs) {
    let fit = 0
    for (const parts of alternatives) if (parts.length > fit && parts.every(has)) fit = parts.length
    if (fit > 0) found.push({ kind, fit })
  }
  return found.sort((one, other) => other.fit - one.fit).map(({ kind }) => kind)
}

const SIGNS = { en: signsIn('en'), zh: signsIn('zh') }

function signsIn(language: Language): { readonly [member in 'units' | 'hints']: readonly Sign[] } {
  const of = (member: 'units' | 'hints'): readonly Sign[] =>
    [...KINDS].map(([kind, { [language]: wording }]) => {
      const alternatives = wording[member].split('|').map(unit => unit.split(' '))
      return { kind, alternatives: language === 'en' ? alternatives.map(words => words.map(stemOf)) : alternatives }
    })
  return { units: of('units'), hints: of('hints') }
}
