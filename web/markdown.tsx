import { Fragment, type ReactNode } from 'react'

/**
 * A small part of Markdown for notes: headings, lists, bold, italic, code and links. Everything else, tags above all, stays
 * the text that it is: elements are made here and never from what somebody wrote.
 */
export function Markdown({ text }: { readonly text: string }) {
  return text
    .split(/\n{2,}/)
    .map((block, i) => <Block key={i} lines={block.split('\n').filter(line => line.trim() !== '')} />)
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/
const HEADING = /^#{1,6}\s+/

function Block({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length > 0 && lines.every(line => ITEM.test(line))) {
    const items = lines.map((line, i) => <li key={i}>{inline(line.replace(ITEM, ''))}</li>)
    return /^\s*\d/.test(lines[0]) ? <ol>{items}</ol> : <ul>{items}</ul>
  }
  return (
    <p>
      {lines.map((line, i) => (
        <span key={i} className="note-line">
          {HEADING.test(line) ? <strong>{inline(line.replace(HEADING, ''))}</strong> : inline(line)}
        </span>
      ))}
    </p>
  )
}

/** No other scheme becomes a link. */
const ADDRESS = 'https?:\\/\\/[^\\s<>"\'`)\\]]*[^\\s<>"\'`.,;:!?)\\]]'

const INLINE: readonly (readonly [RegExp, (found: readonly string[]) => ReactNode])[] = [
  [/`([^`]+)`/, ([, code]) => <code>{code}</code>],
  [new RegExp(`\\[([^\\]]+)\\]\\((${ADDRESS})\\)`), ([, words, href]) => <Outward href={href}>{words}</Outward>],
  [new RegExp(`(${ADDRESS})`), ([, href]) => <Outward href={href}>{href}</Outward>],
  [/\*\*([^*]+)\*\*/, ([, words]) => <strong>{inline(words)}</strong>],
  [/(?<![\w*])[*_]([^*_\s](?:[^*_]*[^*_\s])?)[*_](?![\w*])/, ([, words]) => <em>{inline(words)}</em>],
]

/** What begins first is made, and the rest is looked at again. */
function inline(text: string): ReactNode {
  const parts: ReactNode[] = []
  let rest = text
  for (;;) {
    const matches = INLINE.flatMap(([pattern, make]) => {
      const match = pattern.exec(rest)
      return match === null ? [] : [{ match, make }]
    })
    const [first] = matches.toSorted((a, b) => a.match.index - b.match.index)
    if (first === undefined) break
    const { match, make } = first
    parts.push(rest.slice(0, match.index), <Fragment key={parts.length}>{make(match)}</Fragment>)
    rest = rest.slice(match.index + match[0].length)
  }
  return [...parts, rest]
}

function Outward({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      {children}
    </a>
  )
}
