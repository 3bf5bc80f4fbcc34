/**
 * Lines that no person writes, made harmless for the parser. Lezer is quadratic in the markers that open one line
 * (a million `- ` run for minutes) and in white space before a table's row of dashes. Such lines are replaced by
 * text of the same length, so every offset stays right.
 */
const LONGEST_LINE = 1 << 18
const LONGEST_INDENT = 1_000
const DEEPEST_NESTING = 32

export function tame(piece: string): string {
  const lines = piece.split('\n')
  let changed = false
  for (const [index, line] of lines.entries()) {
    const harmless = tameLine(line)
    if (harmless === line) continue
    lines[index] = harmless
    changed = true
  }
  return changed ? lines.join('\n') : piece
}

function tameLine(line: string): string {
  const indent = indentation(line)
  if (indent > LONGEST_INDENT) return '\n'.repeat(indent) + tameLine(line.slice(indent))
  if (line.length > LONGEST_LINE || opensMoreThan(DEEPEST_NESTING, line)) return 'x'.repeat(line.length)
  // A carriage return would count as a cell of its own.
  return line.endsWith('\r') ? `${line.slice(0, -1)} ` : line
}

function indentation(line: string): number {
  let at = 0
  while (at < line.length && (line[at] === '>' || /\s/.test(line[at]))) at += 1
  return at
}

/** Whether a line opens more lists and quotations inside one another than `limit`. */
function opensMoreThan(limit: number, line: string): boolean {
  const marker = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y
  for (let depth = 0; depth <= limit; depth += 1) if (!marker.test(line)) return false
  return true
}
