import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { RunAbout } from '../../model/run.js'
import { parsePythonJson } from '../python-json.js'
import { type Column, columnOf, type SwanlabMemory } from './memory.js'

/**
 * Records as SwanLab wrote them up to 0.7 (header versions 0 and 1, `backup.swanlab`): lines of JSON, `{"model_type":
 * "Scalar", "data": {…}}`. Infinities stand there as "INF" whatever their sign, which is lost.
 */

/** More names than any run logs; they are kept only to share arrays. */
const MOST_COLUMNS = 65_536

/** Reads one record into memory; false when it is no record. */
export function jsonRecords(memory: SwanlabMemory): (record: Buffer) => boolean {
  const columns = new Map<string, Column>()

  function columnNamed(name: string): Column {
    const known = columns.get(name)
    if (known !== undefined) return known
    if (columns.size >= MOST_COLUMNS) columns.clear()
    const column = columnOf(name)
    columns.set(name, column)
    return column
  }

  function readScalar({ key, step, metric }: JsonObject): boolean {
    if (typeof key !== 'string' || typeof step !== 'number' || !isJsonObject(metric)) return false
    const value = metric.data === 'INF' ? Number.POSITIVE_INFINITY : numberFromJson(metric.data)
    if (value !== undefined) memory.scalar(columnNamed(key), step, value, secondsOf(metric.create_time))
    return value !== undefined
  }

  return record => {
    const value = parsePythonJson(record.toString('utf8'))
    if (!isJsonObject(value) || !isJsonObject(value.data)) return false
    const { data } = value
    switch (value.model_type) {
      case 'Scalar':
        return readScalar(data)
      case 'Header':
        memory.about(told({ startedAt: secondsOf(data.create_time) }))
        return true
      case 'Project':
        memory.about(told({ project: textOf(data.name) }))
        return true
      case 'Experiment':
        memory.about(
          told({
            trackerId: textOf(data.id),
            name: textOf(data.name),
            notes: textOf(data.description),
            tags: Array.isArray(data.tags) ? data.tags.filter(tag => typeof tag === 'string') : null,
          }),
        )
        return true
      case 'Footer':
        memory.end({ status: data.success === true ? 'finished' : 'failed', at: secondsOf(data.create_time) })
        return true
      default:
        return true
    }
  }
}

type Doubtful = { readonly [Key in keyof RunAbout]: RunAbout[Key] | null }

/** Only what was really said. */
function told(about: Doubtful): RunAbout {
  return Object.fromEntries(Object.entries(about).filter(([, member]) => member !== null && member !== ''))
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** `2026-11-15T10:23:50.595659+00:00`; JavaScript's clock stops at milliseconds, so the rest is added. */
function secondsOf(value: Json | undefined): number | null {
  if (typeof value !== 'string') return null
  const [, whole, fraction = '', zone] = ISO_TIME.exec(value) ?? []
  const milliseconds = Date.parse(`${whole}${zone}`)
  return Number.isFinite(milliseconds) ? Number(`${milliseconds / 1000}${fraction}`) : null
}

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
