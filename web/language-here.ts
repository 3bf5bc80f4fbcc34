import type { Language } from '../src/text/language.js'

/** The reader's language: as it was last chosen in this browser, else the browser's own. */

const KEPT = 'klens-language'

export function languageHere(): Language {
  const kept = window.localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function keepLanguage(language: Language): void {
  window.localStorage.setItem(KEPT, language)
}
