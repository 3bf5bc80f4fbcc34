import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useLive } from './live.js'
import { hrefOf, SHOWN_PAGES, usePlace } from './location.js'
import { OriginPanel } from './origin.js'
import { AuditPage } from './pages/audit.js'
import { ComparePage } from './pages/compare.js'
import { CurvesPage } from './pages/curves.js'
import { FrontierPage } from './pages/frontier.js'
import { GatePage } from './pages/gate.js'
import { HomePage } from './pages/home.js'
import { ReportPage } from './pages/report.js'
import { RunPage } from './pages/run.js'
import { RunsPage } from './pages/runs.js'
import { SamplesPage } from './pages/samples.js'
import { SettingsPage } from './pages/settings.js'
import { StudiesPage } from './pages/studies.js'
import { StudyPage } from './pages/study.js'
import { TrainPage } from './pages/train.js'
import { Palette } from './palette.js'
import { Link } from './parts.js'
import { PickedRuns } from './picked-runs.js'
import { PreferencesProvider, useLanguage, useTheme } from './preferences.js'
import { SessionProvider, SignOut, useSession } from './session.js'
import { siteIndex } from './site.js'
import { takeEarlyAnswers } from './use-ask.js'
import { useSay } from './words.js'

/** Navigation at the left, a page at the right. */

/** Rendering would hold up what is asked early, and be done again when its answers come: it gives way to them for so long. */
const GIVES_WAY_MS = 100

const root = document.getElementById('klens')
void Promise.race([globalThis.klensAsked, new Promise(resolve => setTimeout(resolve, GIVES_WAY_MS))]).then(() => {
  if (root === null) return
  createRoot(root).render(
    <StrictMode>
      <PreferencesProvider>
        <SessionProvider known={takeEarlyAnswers()}>
          <Shell />
        </SessionProvider>
      </PreferencesProvider>
    </StrictMode>,
  )
})

/** Pages that are reached from another one. */
const BELONGS: { readonly [page: string]: string | undefined } = { run: 'runs', train: 'study' }

function Shell() {
  const say = useSay()
  const { path } = usePlace()
  const { isConnected } = useLive()
  const [isPaletteOpen, setIsPaletteOpen] = useState(false)
  const [isMenuOpen, setIsMenuOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setIsPaletteOpen(true)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setIsMenuOpen(false), [path])
  const current: string = BELONGS[path[0] ?? 'home'] ?? path[0] ?? 'home'
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
        {say('web.skip', {})}
      </button>
      <aside className={`side${isMenuOpen ? ' open' : ''}`}>
        <div className="brand">
          <Link href={hrefOf('home')}>klens</Link>
          <WorkspaceName />
          <button
            type="button"
            className="menu"
            aria-expanded={isMenuOpen}
            onClick={() => setIsMenuOpen(open => !open)}
          >
            {say('web.nav.menu', {})}
          </button>
        </div>
        <div className="side-body">
          <button type="button" className="find" onClick={() => setIsPaletteOpen(true)}>
            <span>{say('web.search', {})}</span>
            <kbd>{/Mac/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
          </button>
          <nav aria-label={say('web.nav.main', {})}>
            {SHOWN_PAGES.map(page => (
              <Link key={page} href={hrefOf(page)} isCurrent={page === current}>
                {say(`web.nav.${page}`, {})}
              </Link>
            ))}
          </nav>
          <PickedRuns />
          <Preferences />
        </div>
      </aside>
      <main id="content" tabIndex={-1}>
        {!isConnected && (
          <p className="offline" role="status">
            {say('web.offline', {})}
          </p>
        )}
        <Page path={path} />
      </main>
      <OriginPanel />
      {isPaletteOpen && <Palette onClose={() => setIsPaletteOpen(false)} />}
    </div>
  )
}

function Page({ path: [name, id] }: { readonly path: readonly string[] }) {
  const say = useSay()
  switch (name) {
    case undefined:
      return <HomePage />
    case 'runs':
      return <RunsPage />
    case 'run':
      return id === undefined ? <RunsPage /> : <RunPage key={id} id={id} />
    case 'curves':
      return <CurvesPage />
    case 'compare':
      return <ComparePage />
    case 'settings':
      return <SettingsPage />
    case 'frontier':
      return <FrontierPage />
    case 'gate':
      return <GatePage />
    case 'study':
      return id === undefined ? <StudiesPage /> : <StudyPage key={id} name={id} />
    case 'samples':
      return <SamplesPage />
    case 'report':
      return <ReportPage />
    case 'audit':
      return <AuditPage />
    case 'train':
      return <TrainPage />
    default:
      return (
        <div className="page">
          <h1>{say('web.not-found', {})}</h1>
          <p>
            <Link href={hrefOf('home')}>{say('web.not-found.home', {})}</Link>
          </p>
        </div>
      )
  }
}

function WorkspaceName() {
  const say = useSay()
  const { workspace } = useSession()
  return <span className="workspace">{siteIndex === null ? workspace : say('web.copy', {})}</span>
}

function Preferences() {
  const say = useSay()
  const { language, setLanguage } = useLanguage()
  const { theme, setTheme } = useTheme()
  const next = theme === 'dark' ? 'light' : 'dark'
  return (
    <div className="preferences">
      <button
        type="button"
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={() => setLanguage(language === 'en' ? 'zh' : 'en')}
      >
        {language === 'en' ? '中文' : 'English'}
      </button>
      <button type="button" onClick={() => setTheme(next)}>
        {say(`web.theme.${next}`, {})}
      </button>
      <SignOut />
    </div>
  )
}
