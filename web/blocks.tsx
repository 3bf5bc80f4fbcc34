import { Fragment, useMemo } from 'react'
import { type Block, columnCount, type FindingItem, type Inline, numericColumns } from '../src/core/present/blocks.js'
import { type Speaker, speakerIn } from '../src/core/present/speaker.js'
import { ChartView } from './charts/chart-view.js'
import { Scroll, Section, SeveritySign, unbroken } from './parts.js'
import { useLanguage } from './preferences.js'

/** Puts answers into the reader's words, as the terminal and reports do. */
export function useSpeaker(): Speaker {
  const { language } = useLanguage()
  return useMemo(() => speakerIn(language), [language])
}

/** Blocks as a page shows them: the same words and figures as on the terminal and in a report, charts to work with. */
export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block, i) => <BlockView key={i} block={block} />)
}

type BlockOf<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'headline':
      return (
        <p className="facts">
          {[block.title, ...block.about].map((text, i) => (
            <span key={i}>{i === 0 ? <strong>{text}</strong> : unbroken(text)}</span>
          ))}
        </p>
      )
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
    case 'pairs':
      return (
        <dl className="pairs">
          {block.rows.map(({ label, value }, i) => (
            <div key={i}>
              <dt>{label}</dt>
              <dd>
                <Inlines parts={value} />
              </dd>
            </div>
          ))}
        </dl>
      )
    case 'verdict':
      return <VerdictView block={block} />
    case 'findings':
      return (
        <ol className="findings">
          {block.items.map((item, i) => (
            <li key={i}>
              <FindingView item={item} />
            </li>
          ))}
        </ol>
      )
    case 'note':
      return <p className={block.tone === 'warning' ? 'warning-line' : 'hint'}>{unbroken(block.text)}</p>
    case 'chart':
      return (
        <>
          <ChartView chart={block.definition} />
          <p className="caption">{block.caption}</p>
        </>
      )
    case 'texts':
      return block.items.map(({ title, text }, i) => (
        <figure key={i}>
          <figcaption>{title}</figcaption>
          <pre>{text}</pre>
        </figure>
      ))
    case 'command':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      )
    case 'progress':
      return (
        <p>
          {block.text} <progress value={block.done} max={block.total ?? undefined} />
        </p>
      )
    case 'section':
      return (
        <Section title={block.title}>
          <Blocks blocks={block.blocks} />
        </Section>
      )
    case 'fold':
      return (
        <details>
          <summary>{block.title}</summary>
          <Blocks blocks={block.blocks} />
        </details>
      )
  }
}

function VerdictView({ block }: { readonly block: BlockOf<'verdict'> }) {
  const { answer, word, sentence, scope, difference, margin, reasons, tags } = block
  return (
    <div className={`verdict ${answer}`}>
      <p className="verdict-answer">
        <strong>{word}</strong>
        <span className="verdict-scope">{scope}</span>
      </p>
      <p className="verdict-sentence">{sentence}</p>
      {difference !== null && (
        <p className="verdict-numbers">
          <span>{difference.of}</span>
          <b>
            <Inlines parts={[difference.size]} />
          </b>
          <span>{difference.share}</span>
          <span>{difference.interval}</span>
        </p>
      )}
      <ul className="sentences">
        {[...(margin === null ? [] : [margin]), ...reasons, ...tags.map(({ text }) => text)].map(text => (
          <li key={text}>{unbroken(text)}</li>
        ))}
      </ul>
    </div>
  )
}

function FindingView({ item }: { readonly item: FindingItem }) {
  const { severity, rule, where, message, remedy, evidence } = item
  return (
    <>
      <SeveritySign severity={severity} />
      <div>
        <p className="finding-message">{message}</p>
        {remedy !== null && <p>→ {remedy}</p>}
        <div className="finding-about">
          <code>{rule}</code>
          {where !== null && <span>{where}</span>}
          {evidence.length > 0 && (
            <dl className="evidence">
              {evidence.map(({ name, value }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      </div>
    </>
  )
}

/** Columns of figures stand to the right; the first names the row. */
function TableView({ block }: { readonly block: BlockOf<'table'> }) {
  const { header, rows } = block
  const numbers = numericColumns(block)
  const look = (k: number): string => (k > 0 && numbers.has(k) ? 'number' : '')
  const body = (
    <table className={header.length === 0 ? 'rows stack' : ''}>
      {header.length > 0 && (
        <thead>
          <tr>
            {header.map((title, k) => (
              <th key={k} className={look(k)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, k) => (
              <td key={k} className={look(k)} colSpan={row.length === 1 ? columnCount(block) : undefined}>
                <Inlines parts={[cell]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  return header.length === 0 ? body : <Scroll label={header.join(', ')}>{body}</Scroll>
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
  if ('tone' in part) return <span className={`tone ${part.tone}`}>{unbroken(part.text)}</span>
  return (
    <span className="figure" title={part.source}>
      {part.figure}
    </span>
  )
}
