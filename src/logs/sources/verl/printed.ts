import { z } from 'zod'
import { isJsonObject } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { endOfString, readPythonLiteral } from '../console/python-literal.js'
import { flatten, type Numbers, numbersIn } from '../python-json.js'
import { findNumber, newFoundNumber } from './step-line.js'

/**
 * Metrics on lines of their own. EasyR1, a fork of verl, prints `Step 5` and then nested YAML, whose names it had split
 * at the slashes:
 *
 *     Step 5
 *     actor:
 *       entropy_loss: 0.313
 *
 * Logs that were re-wrapped for reading have `- actor/entropy:0.313` on lines under the step.
 */

export const blockSchema = z.object({
  /** Under a bare step all forms may follow; under a step line only `- key:value`, since chatter is full of colons. */
  bareStep: z.boolean(),
  process: z.string(),
  step: z.number(),
  sections: z.array(z.object({ indent: z.number(), name: z.string() })),
})

type Block = z.infer<typeof blockSchema>

type BlockLine =
  | { readonly kind: 'fields'; readonly text: string }
  | { readonly kind: 'section'; readonly block: Block }
  | { readonly kind: 'leaf'; readonly metric: string; readonly value: number; readonly decimals: number | null }
  /** Belongs to the block, but is no number. */
  | { readonly kind: 'other' }

const LISTED = /^\s*- (?=\S)/
const SECTION = /^( *)([^\s:][^:]*):\s*$/
const LEAF = /^( *)([^\s:][^:]*):(?= +\S)/
/** Deeper than metric names have slashes. */
const MOST_SECTIONS = 16
/** EasyR1 rounds to three places and drops the zeros, so 0.5 is 0.500. */
const YAML_DECIMALS = 3

const number = newFoundNumber()

/** What a line means in the block, or undefined when it ends the block. Every metric of verl has a slash in its name. */
export function readBlockLine(block: Block, body: string): BlockLine | undefined {
  const listed = LISTED.exec(body)
  if (listed !== null) return { kind: 'fields', text: ` - ${body.slice(listed[0].length)}` }
  if (!block.bareStep) return undefined

  const section = SECTION.exec(body)
  if (section !== null) {
    const [, { length: indent } = '', name = ''] = section
    const sections = [...block.sections.filter(outer => outer.indent < indent), { indent, name: unquoted(name) }]
    return sections.length > MOST_SECTIONS ? undefined : { kind: 'section', block: { ...block, sections } }
  }

  const leaf = LEAF.exec(body)
  if (leaf === null) return undefined
  const [label, { length: indent } = '', name = ''] = leaf
  const outer = block.sections.filter(section => section.indent < indent).map(section => section.name)
  const metric = [...outer, unquoted(name)].join('/')
  if (!metric.includes('/')) return undefined
  const text = Buffer.from(body.slice(label.length).trimEnd())
  if (!findNumber(text, 0, text.length, number) || number.end < text.length) return { kind: 'other' }
  const rounded = number.decimals > 0 && number.decimals <= YAML_DECIMALS
  return { kind: 'leaf', metric, value: number.value, decimals: rounded ? YAML_DECIMALS : null }
}

function unquoted(name: string): string {
  return /^(['"]).*\1$/.test(name) ? name.slice(1, -1) : name
}

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
