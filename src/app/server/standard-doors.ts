import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { list, request } from '../ask/fields.js'
import { type Asking, question } from '../ask/question.js'
import { isPresentable } from '../library/answer-blocks.js'
import { present } from '../library/present.js'
import { helperDied, problemAnswer } from './answer.js'
import { carrierOf } from './assistant-route.js'
import { Helper } from './jobs.js'

/**
 * Doors on standard input and output, for a program that starts klens as a process of its own: an assistant (MCP), or another
 * program (`import klens` in Python). Both leave the computing to a helper and so always hear when the other side is gone;
 * then the helper is killed in the middle of whatever it does.
 */

/** The command that makes a process serve as a helper. */
const helper = list(z.string())

/** Until the assistant is gone. */
export const assist = question({
  request: request({
    helper,
    write: z.boolean().default(false),
    /** Files in it may be named. */
    folder: z.string().optional(),
  }),
  answer: z.object({}),
  async ask(workspace, { helper: command, write, folder = dirname(workspace.root), lang }, asking: Asking) {
    const { serveAssistant } = await import('../mcp/over-stdio.js')
    let computing = new Helper(command)
    const carry = carrierOf({
      ...{ workspace, entrance: null, shown: json => json },
      get helper() {
        return computing
      },
      onGivenUp: () => {
        computing.close()
        computing = new Helper(command)
      },
    })
    const { signal = new AbortController().signal } = asking
    await serveAssistant({ workspace, write, folder, language: lang, carry }, signal).finally(() => computing.close())
    return {}
  },
})

const lang = z.enum(['en', 'zh']).default('en')
const id = z.number()

/** A line of the other program. */
const lineSchema = z.union([
  z.object({
    id,
    ask: z.string(),
    request: z.record(z.string(), z.unknown()).default({}),
    lang,
    progress: z.boolean().default(false),
  }),
  z.object({
    id,
    present: z.string(),
    answer: z.unknown(),
    lang,
    as: z.enum(['text', 'markdown', 'html']).default('html'),
  }),
  z.object({ id, stop: z.literal(true) }),
])

type Line = z.infer<typeof lineSchema>

/**
 * Whole answers for another program on the same machine, a line of JSON each: `{"id", "ask", "request"}` is answered by
 * `{"id", "answer"}` or `{"id", "error"}`, perhaps after `{"id", "progress"}`. Many may be asked at once.
 */
export const answerLines = question({
  request: request({ helper }),
  answer: z.object({}),
  async ask(_, { helper: command }, { signal = new AbortController().signal, onProgress }: Asking<string>) {
    const computing = new Helper(command)
    const stops = new Map<number, AbortController>()
    const tell = (line: string): void => onProgress?.(line)
    const lines = createInterface({ input: process.stdin, signal })
    for await (const text of lines) {
      const line = lineOf(text)
      if (line === null) continue
      if ('stop' in line) stops.get(line.id)?.abort()
      else if ('present' in line) void presented(line).then(tell)
      else {
        const stop = new AbortController()
        stops.set(line.id, stop)
        void asked(computing, line, stop.signal, tell)
          .then(tell)
          .finally(() => stops.delete(line.id))
      }
    }
    computing.close()
    return {}
  },
})

function lineOf(text: string): Line | null {
  try {
    return lineSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function asked(
  computing: Helper,
  { id, ask, request, lang, progress }: Extract<Line, { readonly ask: string }>,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<string> {
  const onProgress = progress ? (news: unknown) => tell(JSON.stringify({ id, progress: news })) : undefined
  const answered = await computing.ask(ask, request, lang, { signal, onProgress, importPaths: true })
  if (answered === null) return JSON.stringify({ id, ...helperDied(lang).body })
  // Written by the helper already: a large answer is not read again here.
  return answered.status < 400 ? `{"id":${id},"answer":${answered.text}}` : `{"id":${id},${answered.text.slice(1)}`
}

async function presented({
  id,
  present: name,
  answer,
  lang,
  as,
}: Extract<Line, { readonly present: string }>): Promise<string> {
  try {
    // The answer comes back as klens gave it to the other program.
    const shown = isPresentable(name) ? await present(name, answer as never, { lang, as, all: as === 'html' }) : null
    return JSON.stringify({ id, answer: shown })
  } catch (error) {
    return JSON.stringify({ id, ...problemAnswer(error, lang).body })
  }
}
