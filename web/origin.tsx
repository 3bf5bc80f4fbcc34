import { useEffect, useRef } from 'react'
import { count } from '../src/text/numbers.js'
import type { Answers } from './api.js'
import { hrefTo, usePlace } from './location.js'
import { hideOrigin, type OriginPoint, originIn, originText } from './origin-link.js'
import { Link, Loading, ProblemBox, shownFigure, shownTime } from './parts.js'
import { useLanguage } from './preferences.js'
import { siteIndex } from './site.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** Where a number comes from: the file, the line or record, and what stands around it there. Docked, so that charts stay in sight. */

type OriginOf = Answers['origin']
type PointOrigin = OriginOf['points'][number]

const MOST_SHOWN = 6

export function OriginPanel() {
  const say = useSay()
  const { query } = usePlace()
  const panel = useRef<HTMLElement>(null)
  const points = query.getAll('origin').flatMap(text => originIn(text) ?? [])
  const key = points.map(originText).join('\n')
  useEffect(() => {
    if (key !== '') panel.current?.focus({ preventScroll: true })
  }, [key])
  if (points.length === 0 || siteIndex !== null) return null
  return (
    <aside
      ref={panel}
      className="origin"
      aria-label={say('web.origin.title', {})}
      tabIndex={-1}
      onKeyDown={event => {
        if (event.key === 'Escape') hideOrigin()
      }}
    >
      <header className="origin-head">
        <h2>{say('web.origin.title', {})}</h2>
        <button type="button" onClick={hideOrigin}>
          {say('web.origin.close', {})}
        </button>
      </header>
      {points.slice(0, MOST_SHOWN).map(point => (
        <OneOrigin key={originText(point)} point={point} />
      ))}
      {points.length > MOST_SHOWN && (
        <p className="muted">{say('web.origin.more', { n: points.length - MOST_SHOWN })}</p>
      )}
    </aside>
  )
}

function OneOrigin({ point: { run, metric, step, to } }: { readonly point: OriginPoint }) {
  const { answer, problem } = useAsk('origin', { run, metric, step, ...(to !== undefined && { to }) })
  if (problem !== null) return <ProblemBox problem={problem} />
  if (answer === null) return <Loading rows={3} />
  return <Told origin={answer} />
}

function Told({ origin: { run, name, metric, canonical, total, points } }: { readonly origin: OriginOf }) {
  const say = useSay()
  return (
    <section className="origin-of">
      <p className="origin-what">
        <Link href={hrefTo(['run', run])}>{name}</Link> <code>{metric}</code>
        {canonical !== null && canonical !== metric && <span className="muted"> {canonical}</span>}
      </p>
      {total > points.length && <p className="muted">{say('web.origin.range', { n: count(total) })}</p>}
      {points.map(point => (
        <PointView key={point.step} point={point} />
      ))}
    </section>
  )
}

function PointView({ point }: { readonly point: PointOrigin }) {
  const say = useSay()
  const { language } = useLanguage()
  const { step, value, time, segment, file, place, lines, beside, why } = point
  return (
    <div>
      <p>
        {say('web.origin.step', { step })} <strong className="number">{shownFigure(value, 15)}</strong>{' '}
        <span className="muted">
          {time !== null && shownTime(time, language)} {segment > 0 && say('web.origin.segment', { n: segment + 1 })}
        </span>
      </p>
      {file !== null && (
        <p className="origin-file">
          <code>{file.path}</code>
          {place !== null && (
            <strong>
              {place.line === null
                ? say(`web.origin.${place.unit}`, { n: count(place.number) })
                : say('web.origin.line', { n: place.line })}
            </strong>
          )}
          <span className="muted">{file.source}</span>
        </p>
      )}
      {why !== null && <p className="muted">{why}</p>}
      {lines.length > 0 && <Lines lines={lines} />}
      {lines.length === 0 && beside.length > 0 && (
        <dl className="evidence">
          {beside.map(({ metric, value: logged }) => (
            <div key={metric}>
              <dt>{metric}</dt>
              <dd>{shownFigure(logged)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function Lines({ lines }: { readonly lines: PointOrigin['lines'] }) {
  const say = useSay()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines could not be read without a mouse
    <ol className="origin-lines" aria-label={say('web.origin.lines', {})} tabIndex={0}>
      {lines.map(({ number, text, mark, isCut }, i) => (
        <li key={i} className={mark === null ? '' : 'it'}>
          <span className="line-number">{number ?? ''}</span>
          <code>
            {mark === null ? (
              text
            ) : (
              <>
                {text.slice(0, mark.from)}
                <mark>{text.slice(mark.from, mark.to)}</mark>
                {text.slice(mark.to)}
              </>
            )}
            {isCut && ' …'}
          </code>
        </li>
      ))}
    </ol>
  )
}
