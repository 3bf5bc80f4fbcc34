/**
 * The tokens of a shell script: words with their quoting and expansions resolved into parts, operators, line ends. It
 * is a reading, never a running: what a command substitution would print stays unknown. One pass, no backtracking, so
 * that ten megabytes of anything take time in proportion.
 */

export type Token =
  | { readonly kind: 'word'; readonly parts: readonly WordPart[]; readonly line: number }
  /** `;`, `&&`, `|`, `(`, `)`, `;;`, a redirection, or a line end. */
  | { readonly kind: 'operator'; readonly text: string; readonly line: number }

export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: 'variable'
      readonly name: string
      /** `[@]`, `[*]` or `[0]` of an array; null for a plain variable. */
      readonly index: string | null
      /** `:-`, `:=`, `:+` and so on; null for a plain one; `?` for a form whose outcome is not worked out. */
      readonly operator: string | null
      readonly argument: readonly WordPart[]
      readonly quoted: boolean
    }
  | { readonly kind: 'arithmetic'; readonly expression: string; readonly quoted: boolean }
  /** What stands between `$(` and `)`, or between backticks. */
  | { readonly kind: 'command'; readonly text: string; readonly quoted: boolean }

const OPERATORS = ['<<<', '&>>', ';;&', '<<-', '&&', '||', ';;', ';&', '<<', '>>', '>&', '<&', '&>', '>|', '|&']
const SINGLE = new Set([';', '&', '|', '(', ')', '<', '>'])
const DEEPEST = 16

/** Fifty times what a long launch script has; what lies behind is not read. */
const MOST_TOKENS = 50_000
const MOST_PARTS = 10_000

export function lex(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const token of tokensIn(text, 1)) {
    tokens.push(token)
    if (tokens.length >= MOST_TOKENS) break
  }
  return tokens
}

function* tokensIn(text: string, firstLine: number): Generator<Token> {
  let at = 0
  let line = firstLine
  let waiting: { readonly end: string; readonly dashed: boolean }[] = []
  let heredoc: string | null = null
  while (at < text.length) {
    const character = text[at]
    if (character === '\n') {
      yield { kind: 'operator', text: '\n', line }
      at += 1
      line += 1
      for (const { end, dashed } of waiting) {
        const behind = afterHereDocument(text, at, end, dashed)
        line += newlines(text, at, behind)
        at = behind
      }
      waiting = []
    } else if (continuedLine(text, at) > 0) {
      at += continuedLine(text, at)
      line += 1
    } else if (character === ' ' || character === '\t' || character === '\r') {
      at += 1
    } else if (character === '#') {
      at = endOfLine(text, at)
    } else if (SINGLE.has(character)) {
      const operator = OPERATORS.find(each => text.startsWith(each, at)) ?? character
      yield { kind: 'operator', text: operator, line }
      if (operator === '<<' || operator === '<<-') heredoc = operator
      at += operator.length
    } else {
      const { parts, end, lines } = wordAt(text, at, 0)
      yield { kind: 'word', parts, line }
      if (heredoc !== null) waiting.push({ end: literalOf(parts), dashed: heredoc === '<<-' })
      heredoc = null
      line += lines
      at = end
    }
  }
  yield { kind: 'operator', text: '\n', line }
}

/** How long a backslash with the line end behind it is, on Unix or Windows; 0 where there is none. */
function continuedLine(text: string, at: number): number {
  if (text[at] !== '\\') return 0
  return text[at + 1] === '\n' ? 2 : text[at + 1] === '\r' && text[at + 2] === '\n' ? 3 : 0
}

function literalOf(parts: readonly WordPart[]): string {
  return parts.map(part => (part.kind === 'text' ? part.text : '')).join('')
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Of a slice, so that a text without line ends is not searched to its end each time. */
function newlines(text: string, from: number, to: number): number {
  const piece = text.slice(from, to)
  let count = 0
  for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) count += 1
  return count
}

function afterHereDocument(text: string, from: number, end: string, dashed: boolean): number {
  for (let at = from; at < text.length; ) {
    const stop = endOfLine(text, at)
    // Only a line of the right length is taken out of the text.
    const isShort = stop - at <= end.length + 64
    const row = isShort ? text.slice(at, stop).replace(/\r$/, '') : null
    if (row !== null && (dashed ? row.replace(/^\t+/, '') : row) === end) return Math.min(text.length, stop + 1)
    at = stop + 1
  }
  return text.length
}

interface LexedWord {
  readonly parts: readonly WordPart[]
  readonly end: number
  /** Line ends inside it. */
  readonly lines: number
}

/** A word as far as it has been read. */
interface Draft {
  readonly parts: WordPart[]
  plain: string
  at: number
  lines: number
}

function flush(draft: Draft, quoted: boolean): void {
  // Empty quotes are a word, nothing at all is none.
  if (draft.plain !== '' || quoted) draft.parts.push({ kind: 'text', text: draft.plain, quoted })
  draft.plain = ''
}

function takePlain(draft: Draft, run: string): void {
  draft.plain += run
  draft.at += run.length
}

function takeWord(draft: Draft, { parts, end, lines }: LexedWord, quoted: boolean): void {
  flush(draft, quoted)
  for (const part of parts) draft.parts.push(part)
  draft.lines += lines
  draft.at = end
}

function takeExpansion(draft: Draft, text: string, quoted: boolean, depth: number): void {
  const expansion = expansionAt(text, draft.at, quoted, depth)
  if (expansion === null) takePlain(draft, text[draft.at])
  else takeWord(draft, expansion, quoted)
}

function wordAt(text: string, start: number, depth: number): LexedWord {
  const draft: Draft = { parts: [], plain: '', at: start, lines: 0 }
  while (draft.at < text.length) {
    const { at } = draft
    const character = text[at]
    if (character === '\n' || character === ' ' || character === '\t' || SINGLE.has(character)) break
    if (character === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) break
    if (draft.parts.length >= MOST_PARTS) {
      draft.at = endOfLine(text, at)
      break
    }
    if (character === '\\') takeBackslash(draft, text)
    else if (character === "'") {
      const close = text.indexOf("'", at + 1)
      const end = close < 0 ? text.length : close
      const part: WordPart = { kind: 'text', text: text.slice(at + 1, end), quoted: true }
      takeWord(draft, only(part, end + 1, newlines(text, at, end)), false)
    } else if (character === '"') takeWord(draft, quotedAt(text, at + 1, depth), false)
    else if (character === '$' || character === '`') takeExpansion(draft, text, false, depth)
    else takePlain(draft, matchAt(PLAIN, text, at) ?? character)
  }
  flush(draft, false)
  return { parts: draft.parts, end: Math.min(draft.at, text.length), lines: draft.lines }
}

/** A word goes on behind a continued line: `lr=1e-6\` and the next line at column 0 are one word. */
function takeBackslash(draft: Draft, text: string): void {
  const continued = continuedLine(text, draft.at)
  if (continued === 0) {
    const part: WordPart = { kind: 'text', text: text[draft.at + 1] ?? '', quoted: true }
    takeWord(draft, only(part, draft.at + 2, 0), false)
    return
  }
  draft.at += continued
  draft.lines += 1
}

/** Behind an opening `"`. */
function quotedAt(text: string, start: number, depth: number): LexedWord {
  const draft: Draft = { parts: [], plain: '', at: start, lines: 0 }
  while (draft.at < text.length && text[draft.at] !== '"' && draft.parts.length < MOST_PARTS) {
    const character = text[draft.at]
    if (character === '\\' && draft.at + 1 < text.length) {
      const next = text[draft.at + 1]
      if (next === '\n') draft.lines += 1
      else draft.plain += '"\\$`'.includes(next) ? next : `\\${next}`
      draft.at += 2
    } else if (character === '$' || character === '`') takeExpansion(draft, text, true, depth)
    else {
      if (character === '\n') draft.lines += 1
      takePlain(draft, matchAt(PLAIN_IN_QUOTES, text, draft.at) ?? character)
    }
  }
  flush(draft, true)
  return { parts: draft.parts, end: draft.at + 1, lines: draft.lines }
}

/** At a `$` or a backtick; null where it stands for itself. */
function expansionAt(text: string, at: number, quoted: boolean, depth: number): LexedWord | null {
  if (text[at] === '`') return backticksAt(text, at, quoted)
  const next = text[at + 1] ?? ''
  if (next === '(') return text[at + 2] === '(' ? arithmeticAt(text, at, quoted) : commandAt(text, at, quoted)
  if (next === '{') return bracedAt(text, at, quoted, depth)
  if (next === "'" && !quoted) return ansiAt(text, at)
  if (next === '"' && !quoted) return quotedAt(text, at + 2, depth)
  const name = matchAt(NAME_OR_SPECIAL, text, at + 1)
  if (name === null) return null
  return only({ kind: 'variable', name, index: null, operator: null, argument: [], quoted }, at + 1 + name.length, 0)
}

/** What stands for itself, in pieces: a repetition over megabytes is more than the stack of a pattern always holds. */
const PLAIN = /[^\s"'`$\\;&|()<>]{1,9999}/y
const PLAIN_IN_QUOTES = /[^"`$\\\n]{1,9999}/y
const NAME_OR_SPECIAL = /[A-Za-z_]\w{0,999}|[@*#?$!0-9-]/y
const BRACED_NAME = /[#!]?(?:[A-Za-z_]\w{0,999}|[@*#?$!-]|\d{1,9})/y

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

function only(part: WordPart, end: number, lines: number): LexedWord {
  return { parts: [part], end, lines }
}

/** The next such character without a backslash before it, or the end of the text. */
function unescaped(text: string, from: number, character: string): number {
  let end = from
  while (end < text.length && text[end] !== character) end += text[end] === '\\' ? 2 : 1
  return Math.min(end, text.length)
}

function backticksAt(text: string, at: number, quoted: boolean): LexedWord {
  const end = unescaped(text, at + 1, '`')
  return only({ kind: 'command', text: text.slice(at + 1, end), quoted }, end + 1, newlines(text, at, end))
}

function commandAt(text: string, at: number, quoted: boolean): LexedWord {
  const end = closing(text, at + 2, '(', ')')
  return only({ kind: 'command', text: text.slice(at + 2, end), quoted }, end + 1, newlines(text, at, end))
}

function arithmeticAt(text: string, at: number, quoted: boolean): LexedWord {
  const end = closing(text, at + 2, '(', ')')
  const expression = text.slice(at + 3, end - 1)
  return only({ kind: 'arithmetic', expression, quoted }, end + 1, newlines(text, at, end))
}

/** `${NAME}`, `${NAME:-default}`, `${NAME[@]}`; every other form is known by its name, its outcome is not. */
function bracedAt(text: string, at: number, quoted: boolean, depth: number): LexedWord {
  const end = closing(text, at + 2, '{', '}')
  const lines = newlines(text, at, end)
  const name = matchAt(BRACED_NAME, text, at + 2) ?? ''
  const inside = text.slice(at + 2 + name.length, end)
  const index = /^\[([^\]]{0,64})\]/.exec(inside)
  const rest = index === null ? inside : inside.slice(index[0].length)
  const operator = rest === '' ? null : (/^:?[-=+?]/.exec(rest)?.[0] ?? (/^:\s*\d/.test(rest) ? ':' : '?'))
  const isOdd = name === '' || (name.length > 1 && /^[#!]/.test(name)) || depth >= DEEPEST
  const argument = operator === null || isOdd ? [] : inQuotes(rest.slice(operator.length), depth + 1)
  const known = { name, index: index?.[1] ?? null, operator: isOdd ? '?' : operator, argument, quoted }
  return only({ kind: 'variable', ...known }, end + 1, lines)
}

/** The word of a default keeps its blanks, and its own quotes fall away. */
function inQuotes(text: string, depth: number): readonly WordPart[] {
  const parts: WordPart[] = []
  for (let at = 0; at < text.length; ) {
    if (/[ \t\n<>;&|()]/.test(text[at])) {
      parts.push({ kind: 'text', text: text[at], quoted: false })
      at += 1
    } else {
      const word = wordAt(text, at, depth)
      parts.push(...word.parts)
      at = Math.max(word.end, at + 1)
    }
  }
  return parts
}

function ansiAt(text: string, at: number): LexedWord {
  const end = unescaped(text, at + 2, "'")
  const body = text.slice(at + 2, end).replace(/\\(.)/gs, (_, letter: string) => ANSI[letter] ?? letter)
  return only({ kind: 'text', text: body, quoted: true }, end + 1, newlines(text, at, end))
}

const ANSI: { readonly [letter: string]: string } = { n: '\n', t: '\t' }

/** Where the bracket that is open at `start` closes, quotes skipped; the end of the text where it does not. */
function closing(text: string, start: number, open: string, close: string): number {
  let depth = 1
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === "'" && open === '(') {
      const end = text.indexOf("'", at + 1)
      if (end < 0) return text.length
      at = end
    } else if (character === open) depth += 1
    else if (character === close) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return text.length
}
