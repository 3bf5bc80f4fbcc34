import { z } from 'zod'
import { findNumber, newFoundNumber } from './number.js'

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

export type Block = z.infer<typeof blockSchema>

export type BlockLine =
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
    const indent = section[1].length
    const sections = [...block.sections.filter(outer => outer.indent < indent), { indent, name: unquoted(section[2]) }]
    return sections.length > MOST_SECTIONS ? undefined : { kind: 'section', block: { ...block, sections } }
  }

  const leaf = LEAF.exec(body)
  if (leaf === null) return undefined
  const outer = block.sections.filter(section => section.indent < leaf[1].length).map(section => section.name)
  const metric = [...outer, unquoted(leaf[2])].join('/')
  if (!metric.includes('/')) return undefined
  const text = Buffer.from(body.slice(leaf[0].length).trimEnd())
  if (!findNumber(text, 0, text.length, number) || number.end < text.length) return { kind: 'other' }
  const rounded = number.decimals > 0 && number.decimals <= YAML_DECIMALS
  return { kind: 'leaf', metric, value: number.value, decimals: rounded ? YAML_DECIMALS : null }
}

function unquoted(name: string): string {
  return /^(['"]).*\1$/.test(name) ? name.slice(1, -1) : name
}
