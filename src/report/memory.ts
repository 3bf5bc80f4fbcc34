import { z } from 'zod'
import type { Memory } from './blocks.js'

/** What a report concluded, as a comment at its end, so that the next one can say what changed. */

const memory = z.object({
  runs: z.array(z.string()),
  metric: z.string(),
  evaluations: z.number(),
  verdicts: z.array(z.object({ question: z.string(), other: z.string(), answer: z.string() })),
  findings: z.array(z.string()),
})

const START = '<!-- klens-report '
const END = ' -->'

/** JSON with every `<`, `>` and `-` of its texts spelled out, so that nothing can end the comment. */
export function memoryComment(value: Memory): string {
  const json = JSON.stringify(value).replace(/[<>-]/g, mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${START}${json}${END}`
}

/** Null where the text is no report of klens's, or was changed by hand. */
export function memoryIn(text: string): Memory | null {
  const start = text.lastIndexOf(START)
  const end = text.indexOf(END, start)
  if (start < 0 || end < 0) return null
  try {
    const read = memory.safeParse(JSON.parse(text.slice(start + START.length, end)))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
