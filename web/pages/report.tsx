import { Fragment, useMemo } from 'react'
import type { Chart } from '../../src/charts/chart.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { change, hrefTo, usePlace } from '../location.js'
import { Link, Loading, ProblemBox, Prose, Scroll, Section, shownTime, unbroken } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { SideChooser } from '../side-chooser.js'
import { siteIndex } from '../site.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** The document for a colleague, made anew from the logs: words and figures as the file has them, charts to work with. */

type Block = NonNullable<Answers['report']['blocks']>[number]
type Inline = Extract<Block, { kind: 'paragraph' }>['parts'][number]

export function ReportPage() {
  const { query } = usePlace()
  const saved = query.get('saved')
  return saved === null ? <NewReport /> : <SavedReport key={saved} id={saved} />
}

/** As it was written, in the language it was written in. */
function SavedReport({ id }: { readonly id: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const { answer, problem } = useAsk('saved-report', { id }, { keeps: true })
  return (
    <div className="page">
      <header className="page-head">
        <p className="crumbs">
          <Link href={hrefTo(['report'])}>{say('web.report.title', {})}</Link>
          <span>{answer?.file ?? id}</span>
        </p>
      </header>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={10} />}
      {answer !== null && (
        <>
          <p className="facts">
            <span>{say('web.report.saved-at', { time: shownTime(answer.at, language) })}</span>
            {answer.runs.length > 0 && (
              <Link href={hrefTo(['report'], { run: answer.runs, metric: answer.metric, margin: answer.margin })}>
                {say('web.report.anew', {})}
              </Link>
            )}
            {answer.study !== null && <Link href={hrefTo(['study', answer.study])}>{answer.study}</Link>}
            <Link
              href={hrefTo(['audit'], {
                report: answer.id,
                data: answer.study === null ? answer.runs : `${answer.study}/*`,
              })}
            >
              {say('web.report.audit', {})}
            </Link>
          </p>
          <article className="report" lang={answer.language === 'zh' ? 'zh-CN' : 'en'}>
            <h1 className="report-title">{answer.title}</h1>
            {answer.blocks.map((block, i) => (
              <BlockView key={i} block={block} />
            ))}
          </article>
        </>
      )}
    </div>
  )
}

function SavedReports() {
  const say = useSay()
  const { language } = useLanguage()
  const { answer } = useAsk('reports', {}, { touching: 'all', keeps: true })
  if (answer === null || siteIndex !== null) return null
  return (
    <Section title={say('web.report.saved', {})}>
      {answer.reports.length === 0 ? (
        <p className="muted">
          <Prose text={say('web.report.saved.none', {})} />
        </p>
      ) : (
        <Scroll label={say('web.report.saved', {})}>
          <table>
            <thead>
              <tr>
                <th>{say('web.report.col.title', {})}</th>
                <th>{say('web.report.col.about', {})}</th>
                <th>{say('web.report.col.file', {})}</th>
                <th>{say('web.report.col.written', {})}</th>
              </tr>
            </thead>
            <tbody>
              {answer.reports.map(({ id, title, study, runs, file, at, language: own }) => (
                <tr key={id}>
                  <td lang={own === 'zh' ? 'zh-CN' : 'en'}>
                    <Link href={hrefTo(['report'], { saved: id })}>{title}</Link>
                  </td>
                  <td>{study ?? runs.join(', ')}</td>
                  <td>
                    <code>{file}</code>
                  </td>
                  <td className="muted">{shownTime(at, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Section>
  )
}

function NewReport() {
  const say = useSay()
  const { query } = usePlace()
  const runs = query.getAll('run')
  const [metric, margin] = ['metric', 'margin'].map(name => query.get(name))
  const request = { runs, ...(metric && { metric }), ...(margin && { margin }) }
  const { answer, problem } = useAsk('report', runs.length === 0 ? null : request, { keeps: false })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.report.title', {})}</h1>
      </header>
      <p className="lead">{say('web.report.about', {})}</p>
      <SideChooser sides={runs} placeholder={say('web.compare.side', {})} onSides={next => change({ run: next })} />
      {runs.length === 0 && <SavedReports />}
      {problem !== null && <ProblemBox problem={problem} />}
      {runs.length > 0 && answer === null && problem === null && <Loading rows={10} />}
      {answer !== null && (
        <article className="report">
          <h2 className="report-title">{answer.title}</h2>
          {(answer.blocks ?? []).map((block, i) => (
            <BlockView key={i} block={block} />
          ))}
        </article>
      )}
    </div>
  )
}

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? <h3 className="report-heading">{block.text}</h3> : <h4>{block.text}</h4>
    case 'paragraph':
      return (
        <p>
          <Inlines parts={block.parts} />
        </p>
      )
    case 'list':
      return (
        <ul>
          {block.items.map((parts, i) => (
            <li key={i}>
              <Inlines parts={parts} />
            </li>
          ))}
        </ul>
      )
    case 'table':
      return <TableView block={block} />
    case 'chart':
      return <ReportChart block={block} />
    case 'command':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
  }
}

/** Columns of figures stand to the right; the first names the row. */
function TableView({ block: { header, rows } }: { readonly block: Extract<Block, { kind: 'table' }> }) {
  const looks = header.map((_, k) => (k > 0 && rows.every(row => isNumber(row[k])) ? 'number' : ''))
  return (
    <Scroll label={header.join(', ')}>
      <table>
        <thead>
          <tr>
            {header.map((title, k) => (
              <th key={k} className={looks[k]}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, k) => (
                <td key={k} className={looks[k]}>
                  <Inlines parts={[cell]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function isNumber(part: Inline): boolean {
  const text = typeof part === 'string' ? part : 'figure' in part ? part.figure : ''
  return /^(?:[+\u2212-]?\d|[–×])/.test(text)
}

function ReportChart({ block: { definition, caption } }: { readonly block: Extract<Block, { kind: 'chart' }> }) {
  // The server wrote a chart here; JSON has no type for it.
  const chart = useMemo(() => definition as unknown as Chart, [definition])
  return (
    <>
      <ChartView chart={chart} />
      <p className="caption">{caption}</p>
    </>
  )
}

function Inlines({ parts }: { readonly parts: readonly Inline[] }) {
  return parts.map((part, i) => (
    <Fragment key={i}>
      <InlineView part={part} />
    </Fragment>
  ))
}

function InlineView({ part }: { readonly part: Inline }) {
  if (typeof part === 'string') return unbroken(part)
  if ('strong' in part) return <strong>{part.strong}</strong>
  if ('code' in part) return <code>{part.code}</code>
  return (
    <span className="figure" title={part.source}>
      {part.figure}
    </span>
  )
}
