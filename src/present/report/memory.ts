import { z } from 'zod'

/** What a report concluded and what it was made of, as a comment at its end: for the next report, and for an audit. */

export const memory = z.object({
  runs: z.array(z.string()).readonly(),
  metric: z.string(),
  evaluations: z.number(),
  verdicts: z.array(z.object({ question: z.string(), other: z.string(), answer: z.string() })).readonly(),
  findings: z.array(z.string()).readonly(),
})

/** What the report concluded. */
export type Memory = Readonly<z.infer<typeof memory>>

const START = '<!-- klens-report '
const END = ' -->'

/** JSON with every `<`, `>` and `-` of its texts spelled out, so that nothing can end the comment. */
export function memoryComment({ memory, recipe }: { readonly memory: Memory; readonly recipe: object | null }): string {
  const json = JSON.stringify({ ...memory, recipe }).replace(
    /[<>-]/g,
    mark => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${START}${json}${END}`
}

/** Null where the text is no report of klens's, or was changed by hand. */
export function memoryIn(text: string): Memory | null {
  const read = memory.safeParse(commentedIn(text))
  return read.success ? read.data : null
}

/** What the last such comment says, whatever that is. */
export function commentedIn(text: string): unknown {
  const start = text.lastIndexOf(START)
  const end = text.indexOf(END, start)
  if (start < 0 || end < 0) return null
  try {
    return JSON.parse(text.slice(start + START.length, end))
  } catch {
    return null
  }
}
