import { z } from 'zod'

/**
 * A Python value that is printed over many lines: pprint's config dict, or a long string in parentheses. The lines of
 * other processes fall in between, so a value goes on only in lines of the same process that begin with a blank, as
 * all of pprint's do behind the first.
 */

export const captureSchema = z.object({
  kind: z.enum(['config', 'initial']),
  /** Ray's `(TaskRunner pid=1) ` in front of every line; '' without Ray. */
  process: z.string(),
  firstLine: z.number(),
  text: z.string(),
  /** Brackets still open. */
  depth: z.number(),
})

export type Capture = z.infer<typeof captureSchema>

/** Ten times the largest config seen. More is no config, and the text is kept in cursors. */
const MOST_CHARACTERS = 1 << 19

export function isContinuation(capture: Capture, process: string, body: string): boolean {
  return process === capture.process && (body.startsWith(' ') || body === '}')
}

/** The capture with one more line, or null when it has become too long to be what it seemed. */
export function extended(capture: Capture, body: string): Capture | null {
  const text = capture.text === '' ? body : `${capture.text}\n${body}`
  if (text.length > MOST_CHARACTERS) return null
  return { ...capture, text, depth: depthBehind(body, capture.depth) }
}

/** How many brackets are open behind this line. pprint never breaks a string across lines, so quotes close in each. */
function depthBehind(line: string, before: number): number {
  let depth = before
  for (let at = 0; at < line.length; at += 1) {
    const mark = line[at]
    if (mark === '{' || mark === '[' || mark === '(') depth += 1
    else if (mark === '}' || mark === ']' || mark === ')') depth -= 1
    else if (mark === "'" || mark === '"') at = endOfString(line, at)
  }
  return depth
}

function endOfString(line: string, opening: number): number {
  for (let at = opening + 1; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === line[opening]) return at
  }
  return line.length
}
