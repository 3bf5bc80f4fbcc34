import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Language } from '../src/text/language.js'
import { keepLanguage, languageHere } from './first-questions.js'

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
  const [language, setLanguage] = useState<Language>(languageHere)
  const [chosen, setTheme] = useState<Theme>(() => keptTheme() ?? usualTheme())
  const theme = useIsPrinting() ? 'light' : chosen
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
    document.documentElement.dataset.theme = theme
  }, [language, theme])
  const value = useMemo(
    () => ({
      language,
      theme,
      setLanguage: (next: Language) => {
        keepLanguage(next)
        setLanguage(next)
      },
      setTheme: (next: Theme) => {
        window.localStorage.setItem(KEPT_THEME, next)
        setTheme(next)
      },
    }),
    [language, theme],
  )
  return <Context.Provider value={value}>{children}</Context.Provider>
}

/** Paper is white; charts are pixels and must be drawn again for it, before the browser takes the page. */
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

const KEPT_THEME = 'klens-theme'

function keptTheme(): Theme | null {
  const kept = window.localStorage.getItem(KEPT_THEME)
  return kept === 'light' || kept === 'dark' ? kept : null
}

function usualTheme(): Theme {
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
