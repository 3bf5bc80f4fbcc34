import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { metricLabel, vocabularyTexts } from '../src/text/vocabulary.js'
import { change, go, hrefOf, hrefTo, SHOWN_PAGES, usePlace } from './location.js'
import { withPicked } from './picked.js'
import { useLanguage } from './preferences.js'
import { siteIndex } from './site.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** Ctrl-K: pages, studies, reports, runs and metrics by a few letters. What there are few of comes first, or runs would bury it. */

interface Found {
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly go: () => void
}

const MOST_RUNS = 12
const MOST_METRICS = 5
const MOST_DOCUMENTS = 6
const METRICS = Object.keys(vocabularyTexts).flatMap(key => (key.startsWith('metric.') ? [key.slice(7)] : []))

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const say = useSay()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = useFound(text)
  useEffect(() => dialog.current?.showModal(), [])
  const choose = (one: Found | undefined): void => {
    if (one === undefined) return
    onClose()
    one.go()
  }
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt(Math.min(found.length - 1, Math.max(0, at + step)))
    }
    if (event.key === 'Enter') choose(found[at])
  }
  return (
    <dialog ref={dialog} className="palette" onClose={onClose} aria-label={say('web.search', {})}>
      <input
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found[at] === undefined ? undefined : `palette-${at}`}
        aria-label={say('web.search', {})}
        placeholder={say('web.palette.hint', {})}
        value={text}
        autoFocus
        onChange={event => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <div id="palette-found" role="listbox" aria-label={say('web.search', {})} tabIndex={-1}>
        {found.length === 0 && <p className="hint">{say('web.palette.none', {})}</p>}
        {found.map((one, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the field above
          <div
            key={one.key}
            id={`palette-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            ref={i === at ? intoSight : undefined}
            onClick={() => choose(one)}
            onPointerMove={() => setAt(i)}
          >
            <span>{one.title}</span>
            <small>{one.kind}</small>
          </div>
        ))}
      </div>
    </dialog>
  )
}

/** A list that is longer than its place follows the arrow keys. */
function intoSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

function useFound(text: string): readonly Found[] {
  const say = useSay()
  const { language } = useLanguage()
  const { path } = usePlace()
  const { answer } = useAsk('run-table', { search: text, most: MOST_RUNS, sort: '-started' }, { keeps: true })
  const isNaming = text.trim() !== '' && siteIndex === null
  const studies = useAsk('studies', isNaming ? {} : null, { touching: 'all', keeps: true }).answer?.studies ?? []
  const reports = useAsk('reports', isNaming ? {} : null, { touching: 'all', keeps: true }).answer?.reports ?? []
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (title: string): boolean => words.every(word => title.toLowerCase().includes(word))
  const pages = SHOWN_PAGES.map(page => ({
    key: page,
    title: say(`web.nav.${page}`, {}),
    kind: say('web.palette.page', {}),
    go: () => go(withPicked(hrefOf(page))),
  }))
  const runs = (answer?.runs ?? []).map(({ id, name }) => ({
    key: id,
    title: name,
    kind: `${say('web.palette.run', {})} ${id}`,
    go: () => go(withPicked(hrefTo(['run', id]))),
  }))
  const documents = [
    ...studies.map(({ study, question }) => ({
      key: `study ${study}`,
      title: `${study} · ${question}`,
      kind: say('web.palette.study', {}),
      go: () => go(withPicked(hrefTo(['study', study]))),
    })),
    ...reports.map(({ id, title, file }) => ({
      key: `report ${id}`,
      title: `${title} · ${file}`,
      kind: say('web.palette.report', {}),
      go: () => go(withPicked(hrefTo(['report'], { saved: id }))),
    })),
  ]
  const metrics = METRICS.map(metric => ({
    key: `metric ${metric}`,
    title: `${metricLabel(metric, language)} · ${metric}`,
    kind: say('web.nav.curves', {}),
    go: () => (path[0] === 'compare' ? change({ metric }) : go(withPicked(hrefTo(['curves'], { m: metric })))),
  }))
  return [
    ...pages.filter(({ title }) => fits(title)),
    ...documents.filter(({ title }) => isNaming && fits(title)).slice(0, MOST_DOCUMENTS),
    ...runs,
    ...(isNaming ? metrics.filter(({ title }) => fits(title)).slice(0, MOST_METRICS) : []),
  ]
}
