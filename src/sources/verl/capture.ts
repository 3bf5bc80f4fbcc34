import { z } from 'zod'
import { isJsonObject } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { endOfString, readPythonLiteral } from '../console/python-literal.js'
import { flatten, type Numbers, numbersIn } from '../python-json.js'

/**
 * What verl prints as a Python value over many lines: its config, and the validation before the first step. The lines of
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

/** Flat, or undefined when the text is some other dict; null when it cannot be read at all. */
export function configFromPrint(text: string): Config | undefined | null {
  const value = readPythonLiteral(text)
  if (value === undefined) return null
  if (!isJsonObject(value) || !('trainer' in value || 'actor_rollout_ref' in value)) return undefined
  return Object.fromEntries(flatten(value).leaves)
}

/** `("Initial validation metrics: {'val-core/…': " "0.12}")`, which is pprint of a string with a dict in it, or plain. */
export function metricsFromPrint(text: string): Numbers | undefined {
  const sentence = /^\(?["']/.test(text) ? readPythonLiteral(text) : text
  if (typeof sentence !== 'string') return undefined
  const value = readPythonLiteral(sentence.slice(Math.max(0, sentence.indexOf('{'))))
  if (!isJsonObject(value)) return undefined
  const printed = numbersIn(value)
  return printed.metrics.length === 0 ? undefined : printed
}
