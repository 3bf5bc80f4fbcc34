import { type ChangeEvent, type MouseEvent, type ReactNode, useId } from 'react'
import { speakerIn } from '../src/core/present/speaker.js'
import type { Language } from '../src/text/language.js'
import { figure, fixed } from '../src/text/numbers.js'
import { NOT_IN_COPY, type ServerProblem } from './api.js'
import { go, linkTo } from './location.js'
import { withPicked } from './picked.js'
import { useSay } from './words.js'

/** The few parts that every page is made of. */

/** What is picked and hidden goes along. */
export function Link({
  href,
  className,
  children,
  isCurrent = false,
  title,
  label,
}: {
  readonly href: string
  readonly className?: string
  readonly children: ReactNode
  readonly isCurrent?: boolean
  readonly title?: string
  /** What it is called where its words are parted. */
  readonly label?: string
}) {
  const target = withPicked(href)
  const follow = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(target)
    document.getElementById('content')?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }
  return (
    <a
      href={linkTo(target)}
      className={className}
      onClick={follow}
      title={title}
      aria-label={label}
      {...(isCurrent && { 'aria-current': 'page' })}
    >
      {children}
    </a>
  )
}

export function Section({
  title,
  aside,
  children,
  id,
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly id?: string
}) {
  const heading = useId()
  return (
    <section className="section" aria-labelledby={heading} id={id}>
      <header className="section-head">
        <h2 id={heading}>{title}</h2>
        {aside !== undefined && <div className="section-aside">{aside}</div>}
      </header>
      {children}
    </section>
  )
}

/** What may be wider than the page, such as a table of numbers: it can be moved by the keyboard, too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: or its end could not be reached without a mouse
    <div role="group" className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}

/** A sentence in which what stands between backticks is to be typed. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, i) => (i % 2 === 1 ? <Typed key={i}>{part}</Typed> : part))
}

/** What is to be typed into a terminal. */
export function Typed({ children }: { readonly children: string }) {
  return <code className="typed">{children}</code>
}

/** So many letters at the end of a name tell runs apart: seeds, values and dates stand there. */
const TAIL = 14

/** Where there is no room for a long name, its middle gives way and not its end. */
export function RunName({ name }: { readonly name: string }) {
  if (name.length < 2 * TAIL) return name
  return (
    <span className="long-name">
      <span>{name.slice(0, -TAIL)}</span>
      <span>{name.slice(-TAIL)}</span>
    </span>
  )
}

export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const say = useSay()
  return (
    <div className="loading" role="status" aria-label={say('web.loading', {})}>
      {Array.from({ length: rows }, (_, i) => i).map(row => (
        <i key={row} />
      ))}
    </div>
  )
}

export function ProblemBox({ problem }: { readonly problem: ServerProblem }) {
  const say = useSay()
  return (
    <div className="problem" role="alert">
      <strong>{say('web.problem', {})}</strong>
      <p>
        {problem.message === '' ? (
          <Prose
            text={say(problem.status === NOT_IN_COPY ? 'web.problem.not-in-copy' : 'web.problem.unreachable', {})}
          />
        ) : (
          problem.message
        )}
      </p>
    </div>
  )
}

export type Severity = 'error' | 'warning' | 'note'

/** Told apart by shape as well as by colour. */
const SIGNS = { error: '■', warning: '▲', note: '●' } as const

export function SeveritySign({ severity }: { readonly severity: Severity }) {
  const say = useSay()
  return (
    <span className={`severity ${severity}`} role="img" aria-label={say(`web.severity.${severity}`, {})}>
      {SIGNS[severity]}
    </span>
  )
}

export type Status = 'running' | 'finished' | 'failed' | 'killed' | 'unknown'

export function StatusChip({ status }: { readonly status: Status }) {
  const say = useSay()
  return <span className={`status ${status}`}>{say(`web.status.${status}`, {})}</span>
}

export function Field({
  label,
  value,
  onValue,
  placeholder,
  list,
  isSearch = false,
  width,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly placeholder?: string
  readonly list?: string
  readonly isSearch?: boolean
  readonly width?: number
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type={isSearch ? 'search' : 'text'}
        value={value}
        placeholder={placeholder}
        list={list}
        spellCheck={false}
        autoComplete="off"
        style={{ width }}
        onChange={event => onValue(event.target.value)}
      />
    </label>
  )
}

export function Choice<Value extends string>({
  label,
  value,
  choices,
  onValue,
}: {
  readonly label: string
  readonly value: Value
  /** What cannot be chosen here says so in its text. */
  readonly choices: readonly (readonly [value: Value, text: string, isBarred?: boolean])[]
  readonly onValue: (value: Value) => void
}) {
  const choose = (event: ChangeEvent<HTMLSelectElement>): void => {
    const chosen = choices.find(([each]) => each === event.target.value)
    if (chosen !== undefined) onValue(chosen[0])
  }
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={choose}>
        {choices.map(([each, text, isBarred = false]) => (
          <option key={each} value={each} disabled={isBarred}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A figure from JSON, where NaN and infinities are words. */
export function shownFigure(value: unknown, digits = 4): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return '–'
  if (typeof value === 'number') return figure(value, digits)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return value
  return JSON.stringify(value)
}

/** As many digits throughout, zeros at the end included, and four decimals below one: a column of scores is easier to compare so. */
export function shownScore(value: unknown): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return shownFigure(value)
  const size = Math.abs(value)
  return size !== 0 && (size < 1e-3 || size >= 1e5)
    ? figure(value, 4)
    : fixed(value, Math.max(0, 3 - Math.floor(Math.log10(Math.max(size, 0.1)))))
}

export function shownTime(seconds: number | null, language: string): string {
  if (seconds === null) return '–'
  const options = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Date(seconds * 1000).toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB', options)
}

/** Rounded to what matters: `3 min`, `2 h 5 min`, `4 d 3 h`. */
export function shownDuration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)]
  if (days > 1) return `${days} d ${hours % 24} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

export function asSentence(text: string, language: Language): string {
  return unbroken(speakerIn(language).sentence(text))
}

/** A long name that may go on in the next line behind its slashes. */
export function breakable(name: string): string {
  return name.replaceAll('/', '/\u200b')
}

/** A number and its percent sign stay in one line. */
export function unbroken(text: string): string {
  return text.replace(/(\d) %/g, '$1\u00a0%')
}
