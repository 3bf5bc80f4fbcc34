import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '../src/text/language.js'

/** What belongs to the reader and not to what is looked at: language and theme. Remembered in this browser. */

export type Theme = 'light' | 'dark'

interface Preferences {
  readonly language: Language
  readonly theme: Theme
  readonly setLanguage: (language: Language) => void
  readonly setTheme: (theme: Theme) => void
}

const Context = createContext<Preferences>({
  language: 'en',
  theme: 'light',
  setLanguage: () => {},
  setTheme: () => {},
})

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() => kept('klens-language', ['en', 'zh']) ?? usualLanguage())
  const [chosen, setTheme] = useState<Theme>(() => kept('klens-theme', ['light', 'dark']) ?? usualTheme())
  const theme = useIsPrinting() ? 'light' : chosen
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
    document.documentElement.dataset.theme = theme
  }, [language, theme])
  const value = useMemo(
    () => ({
      language,
      theme,
      setLanguage: (next: Language) => keep('klens-language', next, setLanguage),
      setTheme: (next: Theme) => keep('klens-theme', next, setTheme),
    }),
    [language, theme],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

/** Paper is white; charts are pixels and must be drawn anew for it, before the browser takes the page. */
function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const before = (): void => flushSync(() => setIsPrinting(true))
    const after = (): void => setIsPrinting(false)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  return isPrinting
}

export function useLanguage(): Pick<Preferences, 'language' | 'setLanguage'> {
  return useContext(Context)
}

export function useTheme(): Pick<Preferences, 'theme' | 'setTheme'> {
  return useContext(Context)
}

function kept<Value extends string>(name: string, known: readonly Value[]): Value | null {
  const value = window.localStorage.getItem(name)
  return known.find(each => each === value) ?? null
}

function keep<Value extends string>(name: string, value: Value, set: (value: Value) => void): void {
  window.localStorage.setItem(name, value)
  set(value)
}

function usualLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

function usualTheme(): Theme {
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
