import { z } from 'zod'
import { once } from '../../model/util/memo.js'
import { counterKey } from './counters.js'
import {
  nameOf,
  type PrintedCounter,
  type PrintedLine,
  type PrintedValue,
  printedNumber,
  splitIn,
} from './printed-line.js'

/**
 * Tables that loggers draw, one per step: Stable-Baselines3's, whose groups (`| rollout/ | |`) name their rows, those of
 * OpenAI baselines and of Spinning Up, which have no groups. A table is one line of many values once it is closed.
 */
export const boxSchema = z.object({
  rows: z.array(z.tuple([z.string(), z.string()])),
  group: z.string(),
  indent: z.number(),
  /** The names above columns of numbers. */
  columns: z.array(z.string()),
  /** How far the counter above a block is indented, and what its section is of: `Episode 3:`, `Val results:`. */
  heading: z.number().nullable(),
  section: z.string().nullable(),
})

type Box = z.infer<typeof boxSchema>

export function newBox(): Box {
  return { rows: [], group: '', indent: 0, columns: [], heading: null, section: null }
}

/** What stands around the cells is cut off later: a pattern that knew blanks from text would try all ways to share them out. */
const ROW = /^\s{0,40}[|│┃]([^|│┃]{1,400})[|│┃]([^|│┃]{0,400})[|│┃]\s*$/
const RULE = /^\s*[-+=─━┌┐└┘├┤┴┬╭╮╰╯]{5,}\s*$/
/** Longer than any table of a logger. */
const MOST_ROWS = 500

/** What a line does to a table: it is a row of it, it closes it, or it is none of its business. */
export function takeBoxLine(box: Box, text: string): 'row' | 'closed' | 'other' {
  const row = ROW.exec(text)
  if (row === null) return box.rows.length > 0 ? 'closed' : RULE.test(text) ? 'row' : 'other'
  const [name = '', value = ''] = row.slice(1).map(cell => cell.trim())
  const indent = row[1]?.search(/[^ ]|$/) ?? 0
  if (value === '' && name.endsWith('/')) {
    box.group = name
    box.indent = indent
  } else if (box.rows.length < MOST_ROWS && value !== '') {
    const isInGroup = box.group !== '' && indent > box.indent
    box.rows.push([(isInGroup ? box.group : '') + name, value])
  }
  return 'row'
}

/** The table as one line, and an empty one in its place. */
export function closeBox(box: Box): PrintedLine | null {
  const values = box.rows.flatMap(([name, cell]) => printedNumber(nameOf(name), cell) ?? [])
  box.rows = []
  box.group = ''
  return values.length < 2 ? null : lineOfCells(values)
}

function lineOfCells(values: readonly PrintedValue[]): PrintedLine {
  const counters = values.flatMap(({ name, value }): PrintedCounter[] => {
    const key = Number.isSafeInteger(value) && value >= 0 ? counterKey(name.slice(name.lastIndexOf('/') + 1)) : null
    return key === null ? [] : [{ key, name, value, total: null }]
  })
  const distinct = counters.filter(({ key }, at) => counters.findIndex(other => other.key === key) === at)
  return { counters: distinct, values, isPure: true, split: null, time: null }
}

/** Fewer columns are two words and a count. */
const FEWEST_COLUMNS = 3
const NAME_CELL = once(() => /^[\p{L}_][\p{L}\p{N}_ ./@()%-]{0,40}$/u)
/** `1/100`, as YOLO counts epochs. */
const COUNTED_CELL = /^(\d{1,9})\/\d{1,9}$/

/**
 * Rows of numbers under a line of names, with bars or wide blanks between them: fastai's, YOLO's and many of one's own.
 * The names stay until others come.
 */
export function readColumns(box: Box, text: string): PrintedLine | null {
  const cells = cellsOf(text)
  if (cells.length < FEWEST_COLUMNS) return null
  if (cells.every(cell => NAME_CELL().test(cell)) && cells.some(cell => counterKey(cell) !== null)) {
    box.columns = cells.map(nameOf)
    return null
  }
  const { columns } = box
  if (columns.length === 0 || !/^\|?\s*[\d[(]/.test(text.trimStart())) return null
  const row = cells.length === columns.length ? cells : text.trim().split(/\s+/).slice(0, columns.length)
  if (row.length !== columns.length) return null
  const values = row.flatMap((cell, at) => {
    const name = columns[at] ?? ''
    return printedNumber(name, COUNTED_CELL.exec(cell)?.[1] ?? cell.replace(/:$/, '')) ?? []
  })
  const line = values.length >= FEWEST_COLUMNS - 1 ? lineOfCells(values) : null
  return line === null || line.counters.length === 0 ? null : withoutCounters(line)
}

/** A column that counts is told by its counter. */
function withoutCounters({ counters, values, ...line }: PrintedLine): PrintedLine {
  return { ...line, counters, values: values.filter(({ name }) => !counters.some(counter => counter.name === name)) }
}

const SECTION = once(() => /^\s*[\p{L}][\p{L} _-]{1,40}:\s*$/u)

/** A line as a part of its block: a counter indented below another is a number of it, and a section says what it is of. */
export function inBlock(box: Box, text: string, line: PrintedLine | null): PrintedLine | null {
  if (line === null) {
    if (SECTION().test(text)) box.section = splitIn(text)
    return null
  }
  const indent = text.search(/\S/)
  const { counters, values } = line
  if (counters.length > 0) {
    if (values.length === 0 && box.heading !== null && indent > box.heading) {
      const numbers = counters.map(({ name, value }) => ({ name, value, decimals: 0, seconds: null }))
      return { ...line, counters: [], values: numbers, split: box.section }
    }
    box.heading = values.length === 0 ? indent : null
    box.section = null
  }
  return { ...line, split: line.split ?? box.section }
}

function cellsOf(text: string): string[] {
  const line = text.trim()
  const cells = line.includes('|') ? line.split('|').map(cell => cell.trim()) : line.split(/\s{2,}|\t/)
  return cells.filter((cell, at) => cell !== '' || (at > 0 && at < cells.length - 1))
}
