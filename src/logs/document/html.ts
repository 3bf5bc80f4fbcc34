import { decoded, type Edit, type EditedText, edited } from './markup.js'

/**
 * An HTML page as the Markdown that says the same, so that one reader does for both: headings, tables, lists, paragraphs
 * and code; scripts, styles and drawings are left out. Every character knows where it stood in the page. One pass that
 * never looks far ahead, so a hostile page costs no more than a long one.
 */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500))
}

/** A comment, a tag, white space, a mark that Markdown would take for its own, an entity, or words without any of these. */
const PIECE =
  /<!--|<(\/?)([a-z!][a-z0-9-]*)(?:"[^"]{0,20000}"|'[^']{0,20000}'|[^"'<>]){0,20000}>|(\s+)|([\\`*_[\]|])|(&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});)|[^\s\\`*_[\]|&<]+|[&<]/gi
const UNREAD: ReadonlySet<string> = new Set(['head', 'script', 'style', 'svg', 'template'])

/** What Markdown writes for the beginning of an element and for its end. */
const WRITTEN = new Map<string, readonly [opening: string, closing: string]>([
  ...'p div section article main header footer figure figcaption blockquote ul ol dl dt dd table hr'
    .split(' ')
    .map(name => [name, ['\n\n', '\n\n']] as const),
  ...[1, 2, 3, 4, 5, 6].map(level => [`h${level}`, [`\n\n${'#'.repeat(level)} `, '\n\n']] as const),
  ...['td', 'th'].map(name => [name, [' ', ' |']] as const),
  ...['strong', 'b'].map(name => [name, ['**', '**']] as const),
  ['code', ['`', '`']],
  ['li', ['\n- ', '']],
  ['br', ['\n', '\n']],
  ['pre', ['\n```\n', '\n```\n']],
  ['tr', ['\n|', '']],
])
const INLINE: ReadonlySet<string> = new Set(['strong', 'b', 'code'])

export function htmlAsMarkdown(page: string): EditedText {
  const edits: Edit[] = []
  const unclosed = new Set<string>()
  const insteadOf = elementWriter()
  PIECE.lastIndex = 0
  for (let match = PIECE.exec(page); match !== null; match = PIECE.exec(page)) {
    const [piece, slash, tag = '', space, mark, entity] = match
    const from = match.index
    if (tag !== '' || piece === '<!--') {
      const name = tag.toLowerCase()
      const end = tag === '' ? '-->' : UNREAD.has(name) && slash === '' ? `</${name}` : null
      if (end !== null && !unclosed.has(end)) {
        const close = page.indexOf(end, PIECE.lastIndex)
        if (close < 0) unclosed.add(end)
        else PIECE.lastIndex = tag === '' ? close + end.length : close
      }
      edits.push({ from, to: PIECE.lastIndex, instead: insteadOf(name, slash === '/') })
    } else if (entity !== undefined) edits.push({ from, to: PIECE.lastIndex, instead: decoded(entity) })
    else if (space !== undefined) edits.push({ from, to: PIECE.lastIndex, instead: ' ' })
    else if (mark !== undefined) edits.push({ from, to: from, instead: '\\' })
  }
  return edited(page, edits)
}

/** What to write instead of each tag, by what it stands in. */
function elementWriter(): (name: string, isClosing: boolean) => string {
  let [isCell, rows, cells] = [false, 0, 0]
  return (name, isClosing) => {
    const [opening, closing] = WRITTEN.get(name) ?? ['', '']
    if (name === 'td' || name === 'th') {
      isCell = !isClosing
      if (isClosing) cells += 1
    } else if (isCell) {
      return INLINE.has(name) ? opening : opening === '' ? '' : ' '
    } else if (name === 'table') rows = 0
    else if (name === 'tr' && !isClosing) cells = 0
    else if (name === 'tr') {
      rows += 1
      if (rows === 1) return `\n|${' --- |'.repeat(cells)}`
    }
    return isClosing ? closing : opening
  }
}
