import { Fragment, useMemo } from 'react'
import type { Chart } from '../../src/charts/chart.js'
import type { Answers } from '../api.js'
import { ChartView } from '../charts/chart-view.js'
import { change, usePlace } from '../location.js'
import { Loading, ProblemBox, Scroll } from '../parts.js'
import { SideChooser } from '../side-chooser.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** The document for a colleague, made anew from the logs: words and figures as the file has them, charts to work with. */

type Block = NonNullable<Answers['report']['blocks']>[number]
type Inline = Extract<Block, { kind: 'paragraph' }>['parts'][number]

export function ReportPage() {
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
  if (typeof part === 'string') return part
  if ('strong' in part) return <strong>{part.strong}</strong>
  if ('code' in part) return <code>{part.code}</code>
  return (
    <span className="figure" title={part.source}>
      {part.figure}
    </span>
  )
}
