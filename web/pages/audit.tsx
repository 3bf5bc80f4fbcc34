import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import type { Answers } from '../api.js'
import { DropFile } from '../drop-file.js'
import { change, hrefTo, usePlace } from '../location.js'
import { OriginLink, type OriginPoint } from '../origin-link.js'
import { Link, Loading, ProblemBox, Section, SeveritySign } from '../parts.js'
import { SideChooser } from '../side-chooser.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Is this report true? Its text with the findings in the margin, like a review, and every figure coloured by the ledger. */

type Audited = Answers['audit']['files'][number]
type Finding = Audited['findings'][number]
type LedgerEntry = NonNullable<Audited['ledger']>[number]

interface Report {
  readonly name: string
  readonly text: string
}

export function AuditPage() {
  const say = useSay()
  const { query } = usePlace()
  const data = query.getAll('data')
  const saved = query.get('report')
  const [given, setReport] = useState<Report | null>(null)
  const kept = useAsk('saved-report', saved === null ? null : { id: saved })
  const report = useMemo(
    () => (kept.answer === null ? given : { name: asMarkdown(kept.answer.file), text: normalised(kept.answer.text) }),
    [kept.answer, given],
  )
  const { answer, problem } = useAsk('audit', report === null ? null : { texts: [report], data }, { keeps: false })
  return (
    <div className="page wide">
      <header className="page-head">
        <h1>{say('web.audit.title', {})}</h1>
        {report !== null && (
          <button
            type="button"
            onClick={() => {
              setReport(null)
              change({ report: null })
            }}
          >
            {say('web.audit.other', {})}
          </button>
        )}
      </header>
      {kept.problem !== null && <ProblemBox problem={kept.problem} />}
      {report === null && saved === null && <ReportGiver onReport={setReport} />}
      <div className="audit-data">
        <h2 className="small-head">{say('web.audit.data', {})}</h2>
        <SideChooser sides={data} placeholder={say('web.compare.side', {})} onSides={next => change({ data: next })} />
      </div>
      {problem !== null && <ProblemBox problem={problem} />}
      {report !== null && answer === null && problem === null && <Loading rows={10} />}
      {report !== null && answer?.files[0] !== undefined && <Review report={report} audited={answer.files[0]} />}
    </div>
  )
}

function ReportGiver({ onReport }: { readonly onReport: (report: Report) => void }) {
  const say = useSay()
  const [text, setText] = useState('')
  const paste = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() !== '') onReport({ name: 'report.md', text: normalised(text) })
  }
  return (
    <>
      <DropFile
        accept=".md,.txt,.markdown"
        onFile={file => void file.text().then(read => onReport({ name: file.name, text: normalised(read) }))}
      >
        <p>{say('web.audit.about', {})}</p>
      </DropFile>
      <form className="paste" onSubmit={paste}>
        <label className="field">
          <span>{say('web.audit.paste', {})}</span>
          <textarea rows={8} value={text} spellCheck={false} onChange={event => setText(event.target.value)} />
        </label>
        <button type="submit">{say('web.audit.check', {})}</button>
      </form>
      <KeptReports />
    </>
  )
}

/** Something to click: the reports that klens has written here. */
function KeptReports() {
  const say = useSay()
  const { answer } = useAsk('reports', {}, { touching: 'all', keeps: true })
  if (answer === null || answer.reports.length === 0) return null
  return (
    <Section title={say('web.report.saved', {})}>
      <ul className="to-click">
        {answer.reports.slice(0, MOST_KEPT).map(({ id, title, study, runs }) => (
          <li key={id}>
            <Link href={hrefTo(['audit'], { report: id, data: study === null ? runs : `${study}/*` })}>{title}</Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const MOST_KEPT = 8

/** What is kept of a report is its Markdown, whatever its file was. */
function asMarkdown(file: string): string {
  return file.replace(/\.html$/i, '.md')
}

/** As the server counts lines. */
function normalised(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

const STATES = ['traced', 'derived', 'contradicted', 'untraced'] as const

function Review({ report, audited }: { readonly report: Report; readonly audited: Audited }) {
  const say = useSay()
  const { findings, quantities, claims, ledger } = audited
  const lines = report.text.split('\n')
  const byLine = groupBy(findings, ({ line }) => line)
  const entriesByLine = groupBy(ledger ?? [], ({ line }) => line)
  return (
    <div className="review">
      <p className="review-head">
        <strong>{report.name}</strong> {say('web.audit.counts', { findings: findings.length, quantities, claims })}
      </p>
      {ledger !== null && (
        <ul className="ledger-key">
          {STATES.map(state => (
            <li key={state}>
              <mark className={state}>{ledger.filter(entry => entry.state === state).length}</mark>{' '}
              {say(`web.audit.ledger.${state}`, {})}
            </li>
          ))}
        </ul>
      )}
      {ledger !== null && <OpenFigures ledger={ledger} />}
      <ol className="review-lines">
        {lines.map((line, i) => {
          const found = byLine.get(i + 1) ?? []
          return (
            <li key={i} className={found.length > 0 ? 'flagged' : ''}>
              <span className="line-number">{i + 1}</span>
              <code className="line-text">
                <Marked line={line} entries={entriesByLine.get(i + 1) ?? []} />
              </code>
              <div className="margin-notes">
                {found.map(finding => (
                  <MarginNote key={`${finding.rule} ${finding.column} ${finding.message}`} finding={finding} />
                ))}
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** What somebody has to look at, the contradicted first: the list that the terminal prints too. */
function OpenFigures({ ledger }: { readonly ledger: readonly LedgerEntry[] }) {
  const open = [
    ...ledger.filter(({ state }) => state === 'contradicted'),
    ...ledger.filter(({ state }) => state === 'untraced'),
  ]
  if (open.length === 0) return null
  return (
    <ul className="ledger-open">
      {open.map(({ line, column, text, state, says }) => (
        <li key={`${line}:${column}`}>
          {line}:{column} <mark className={state}>{text}</mark> {says}
        </li>
      ))}
    </ul>
  )
}

function MarginNote({ finding: { severity, rule, message } }: { readonly finding: Finding }) {
  return (
    <p className={`margin-note ${severity}`}>
      <SeveritySign severity={severity} /> {message} <code>{rule}</code>
    </p>
  )
}

/** Figures stand at their column; two at one place are one. */
function Marked({ line, entries }: { readonly line: string; readonly entries: readonly LedgerEntry[] }) {
  const say = useSay()
  const parts: ReactNode[] = []
  let at = 0
  for (const entry of entries.toSorted((a, b) => a.column - b.column)) {
    const from = entry.column - 1
    if (from < at || !line.startsWith(entry.text, from)) continue
    parts.push(line.slice(at, from))
    const state = say(`web.audit.ledger.${entry.state}`, {})
    parts.push(
      <OriginLink key={from} points={originOf(entry)} what={`${state}: ${entry.says}`}>
        <mark className={entry.state} title={`${state}: ${entry.says}`}>
          {entry.text}
        </mark>
      </OriginLink>,
    )
    at = from + entry.text.length
  }
  return [...parts, line.slice(at)]
}

/** A figure that was traced to one logged value leads to its line. */
function originOf({ source }: LedgerEntry): readonly OriginPoint[] {
  if (source === null || 'derived' in source) return []
  const { run, metric, step, across } = 'from' in source ? source.from : source
  return step === null || across !== null ? [] : [{ run, metric, step }]
}
