import { z } from 'zod'
import { counterKey, nameOf, type PrintedLine, printedNumber } from './printed-line.js'

/**
 * Tables that loggers draw, one per step: Stable-Baselines3's, whose groups (`| rollout/ | |`) name their rows, those of
 * OpenAI baselines and of Spinning Up, which have no groups. A table is one line of many values once it is closed.
 */
export const boxSchema = z.object({
  rows: z.array(z.tuple([z.string(), z.string()])),
  group: z.string(),
  indent: z.number(),
})

type Box = z.infer<typeof boxSchema>

export function newBox(): Box {
  return { rows: [], group: '', indent: 0 }
}

const ROW = /^\s{0,40}[|│┃]( {0,120})([^|│┃]{1,200}?)\s{0,200}[|│┃]\s{0,200}([^|│┃]{0,200}?)\s{0,200}[|│┃]\s*$/
const RULE = /^\s*[-+=─━┌┐└┘├┤┴┬╭╮╰╯]{5,}\s*$/
/** Longer than any table of a logger. */
const MOST_ROWS = 500

/** What a line does to a table: it is a row of it, it closes it, or it is none of its business. */
export function takeBoxLine(box: Box, text: string): 'row' | 'closed' | 'other' {
  const row = ROW.exec(text)
  if (row === null) return box.rows.length > 0 ? 'closed' : RULE.test(text) ? 'row' : 'other'
  const [, indent = '', name = '', value = ''] = row
  if (value === '' && name.endsWith('/')) {
    box.group = name
    box.indent = indent.length
  } else if (box.rows.length < MOST_ROWS && value !== '') {
    const isInGroup = box.group !== '' && indent.length > box.indent
    box.rows.push([(isInGroup ? box.group : '') + name, value])
  }
  return 'row'
}

/** The table as one line, and an empty one in its place. */
export function closeBox(box: Box): PrintedLine | null {
  const values = box.rows.flatMap(([name, cell]) => printedNumber(nameOf(name), cell) ?? [])
  Object.assign(box, newBox())
  const counters = values.flatMap(({ name, value }) => {
    const key = Number.isSafeInteger(value) && value >= 0 ? counterKey(name.slice(name.lastIndexOf('/') + 1)) : null
    return key === null ? [] : [{ key, name, value, total: null }]
  })
  const distinct = counters.filter(({ key }, at) => counters.findIndex(other => other.key === key) === at)
  return values.length < 2 ? null : { counters: distinct, values, isPure: true, time: null }
}

export function isRule(text: string): boolean {
  return RULE.test(text)
}
