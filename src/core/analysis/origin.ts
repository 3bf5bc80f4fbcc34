import { realpath } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { z } from 'zod'
import { figure, list } from '../../logs/model/schema.js'
import type { FileLine } from '../../logs/sources/lines-around.js'
import { sentence } from '../../text/answer-schema.js'
import { harmless } from '../../text/harmless.js'
import { sentences } from '../../text/sentences.js'
import { type NoOrigin, type Origin, originOf } from '../store/origin.js'
import type { SeriesPoints } from '../store/series.js'
import type { RunView } from './run-view.js'

/**
 * Where a number comes from: the line or record of the log that it was read from, what stands around it, and where in the
 * line the number is.
 */

const say = sentences({
  'origin.made-here': {
    en: 'klens wrote it itself, into {folder}: there is no log behind it',
    zh: '由 klens 自己写入 {folder}：没有读取日志',
  },
  'origin.evaluated': {
    en: 'it is the score of an evaluation, over the responses that `klens samples` shows; it is not in a log line',
    zh: '它是一次评估的得分，由 `klens samples` 所示的回答得出；没有日志行直接写明',
  },
  'origin.not-found': {
    en: 'the log was read again and does not have it in one place: the number was made from several, or read with --step',
    zh: '重新读取日志后没有找到写明它的一处：该数值由多处得出，或导入时使用了 --step',
  },
  'origin.gone': { en: 'the log is no longer at its path', zh: '日志已不在读取时的位置' },
  'origin.changed': {
    en: 'the log has changed since it was read: its beginning or end differs',
    zh: '日志已不是当时读取的内容：开头或结尾不同',
  },
  'origin.out-of-reach': {
    en: 'a server for other machines shows no file outside its workspace',
    zh: '服务于本机之外时，不显示工作区之外的文件',
  },
})

const lineSchema = z.object({
  /** As an editor counts; null where the encoding hides it. */
  number: z.number().nullable(),
  text: z.string(),
  /** Where the number itself stands in it; null in all other lines. */
  mark: z.object({ from: z.number(), to: z.number() }).nullable(),
  isCut: z.boolean(),
})

export const originPoint = z.object({
  step: z.number(),
  value: figure,
  /** Unix seconds. */
  time: z.number().nullable(),
  /** 0, and one more after each restart. */
  segment: z.number(),
  file: z.object({ path: z.string(), source: z.string() }).nullable(),
  place: z
    .object({
      unit: z.enum(['line', 'text', 'record', 'row', 'entry']),
      number: z.number(),
      line: z.number().nullable(),
    })
    .nullable(),
  lines: list(lineSchema),
  /** What else was read from the same line or record. */
  beside: list(z.object({ metric: z.string(), value: figure })),
  /** Why there is no place. */
  why: sentence.nullable(),
})

export type OriginPoint = z.infer<typeof originPoint>

export interface OriginOptions {
  /** Files outside the workspace are opened only where the person who asks could open them, too. */
  readonly reach: 'registered' | 'workspace'
  readonly signal?: AbortSignal | undefined
}

/** Of each of these points of a series. */
export async function originsOf(
  run: RunView,
  metric: string,
  points: SeriesPoints,
  wanted: readonly number[],
  { reach, signal }: OriginOptions,
): Promise<readonly OriginPoint[]> {
  const { manifest } = run
  const home = await realpath(run.workspace.root)
  const mayOpen = (path: string): boolean => reach === 'registered' || isInside(home, path)
  const origins: OriginPoint[] = []
  for (const at of wanted) {
    const [value, time] = [points.values[at], points.times[at]]
    const number = { metric, step: points.steps[at], value }
    const isScore = manifest.evaluated?.has(metric) === true
    const found = isScore ? ('evaluated' as const) : await originOf(manifest, number, mayOpen, signal)
    origins.push({
      step: number.step,
      value,
      time: Number.isFinite(time) ? time : null,
      segment: points.segments[at],
      ...(typeof found === 'string'
        ? { ...NOWHERE, why: whyNot(found, run.folder) }
        : { ...placeOf(found, number), why: null }),
    })
  }
  return origins
}

const NOWHERE = { file: null, place: null, lines: [], beside: [] }

function whyNot(found: NoOrigin | 'evaluated', folder: string) {
  return found === 'made-here' ? say('origin.made-here', { folder }) : say(`origin.${found}`, {})
}

/** Both real. */
export function isInside(home: string, path: string): boolean {
  const inner = relative(home, path)
  return inner !== '' && !inner.startsWith('..') && !isAbsolute(inner)
}

/** Which points lie at the step, or within the stretch. */
export function pointsWithin({ steps }: SeriesPoints, step: number | null, to: number | null): readonly number[] {
  const [low, high] = [step ?? Number.NEGATIVE_INFINITY, to ?? step ?? Number.POSITIVE_INFINITY]
  return [...steps.keys()].filter(at => steps[at] >= low && steps[at] <= high)
}

/** The lowest and the highest of them. */
export function extremesOf({ values }: SeriesPoints, among: readonly number[]): readonly number[] {
  const finite = among.filter(at => Number.isFinite(values[at]))
  if (finite.length === 0) return among.slice(0, 1)
  const lowest = finite.reduce((best, at) => (values[at] < values[best] ? at : best))
  const highest = finite.reduce((best, at) => (values[at] > values[best] ? at : best))
  return [...new Set([lowest, highest])]
}

const MOST_BESIDE = 60
/** Before and behind the line itself. */
const SHOWN_AROUND = 3

type FoundPlace = Pick<OriginPoint, 'file' | 'place' | 'lines' | 'beside'>

function placeOf(
  { record: { path, source }, place, row, lines }: Origin,
  number: { readonly metric: string; readonly value: number },
): FoundPlace {
  const itself = lineOf(lines, number)
  const around = lines.slice(Math.max(0, itself.at - SHOWN_AROUND), itself.at + SHOWN_AROUND + 1)
  return {
    file: { path, source },
    place: place === null ? null : { ...place, line: lines[itself.at]?.number ?? null },
    lines: around.map((line, i) => {
      const isIt = i === Math.min(itself.at, SHOWN_AROUND)
      return shownLine(line, isIt ? itself.mark : null)
    }),
    beside: row.metrics.slice(0, MOST_BESIDE).map((metric, i) => ({ metric, value: row.values[i] })),
  }
}

type Mark = z.infer<typeof lineSchema>['mark']

/** A reader may let a row go a few lines behind where its numbers stand: the nearest line that says the number is it. */
function lineOf(
  lines: readonly FileLine[],
  { metric, value }: { readonly metric: string; readonly value: number },
): { readonly at: number; readonly mark: Mark } {
  const marked = Math.max(
    0,
    lines.findIndex(({ isPlace }) => isPlace),
  )
  for (let at = marked; at >= 0 && at < lines.length; at -= 1) {
    const mark = markOf(lines[at].text, metric, value)
    if (mark !== null) return { at, mark }
  }
  return { at: marked, mark: null }
}

const NUMBERS = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf(?:inity)?)\b/gi

/** Of several equal numbers, the first behind the metric's name. */
function markOf(text: string, metric: string, value: number): Mark {
  const equal = [...text.matchAll(NUMBERS)].filter(([token]) => Object.is(numberIn(token), value))
  const name = [metric, metric.slice(metric.lastIndexOf('/') + 1)].find(each => text.includes(each))
  const named = name === undefined ? -1 : text.indexOf(name)
  const found = equal.find(({ index }) => index >= named) ?? equal[0]
  return found === undefined ? null : { from: found.index, to: found.index + found[0].length }
}

function numberIn(token: string): number {
  if (/nan/i.test(token)) return Number.NaN
  if (/inf/i.test(token)) return token.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(token)
}

const LONGEST_SHOWN = 600

/** The line itself with what is around the number; of the others the beginning. */
function shownLine({ number, text, isCut }: FileLine, mark: Mark): z.infer<typeof lineSchema> {
  const from = mark === null ? 0 : Math.max(0, mark.from - LONGEST_SHOWN / 2)
  const to = Math.min(text.length, from + LONGEST_SHOWN)
  const before = `${from > 0 ? '… ' : ''}${harmless(text.slice(from, mark?.from ?? to))}`
  const token = mark === null ? '' : text.slice(mark.from, mark.to)
  const behind = mark === null ? '' : harmless(text.slice(mark.to, to))
  return {
    number,
    text: `${before}${token}${behind}`,
    mark: mark === null ? null : { from: before.length, to: before.length + token.length },
    isCut: isCut || to < text.length,
  }
}
