import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, numberFromJson } from '../../model/json.js'
import type { RunStatus } from '../../model/run.js'
import { readTextLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Source } from '../source.js'
import { nameAlone, sayCommon, stepGate, timeFromText, warning } from '../source-helpers.js'
import type { Database } from '../sqlite/database.js'
import { allRows, databaseSource, numberOrNull, textOrNull } from '../sqlite/tracker.js'
import { readSidecars } from './swanlab.js'

/**
 * What SwanLab keeps for its local dashboard, and kept in every mode before its own log: a database of runs,
 * `swanlog/runs.swanlab`, whose points lie beside it, `swanlog/<run>/logs/<folder of the metric>/1000.log`, a thousand
 * to a file, a JSON object a line. See docs/sources/swanlab.md.
 */
const board = databaseSource<BoardRun>({
  id: 'swanlab-board',
  tables: { experiment: ['run_id', 'name', 'status', 'create_time'], tag: ['experiment_id', 'name', 'folder', 'type'] },
  points: 'tag',
  runs: allRuns,
  belonging: ({ id, name, created }) => ({ run: `swanlab:${id}`, name, trackerId: id, firstRecord: created }),
  read: (run, { file }) => read(run, dirname(file.path)),
})

export const swanlabBoard: Source = {
  ...board,
  surroundings: {
    ...board.surroundings,
    // The folders of its runs are read through the database alone.
    parts: names => new Set(names.includes('runs.swanlab') ? names.filter(name => /^run-\d/.test(name)) : []),
  },
}

interface BoardRun {
  readonly id: string
  readonly name: string
  readonly project: string | null
  readonly status: RunStatus
  readonly created: string
  readonly metrics: readonly { readonly name: string; readonly folder: string }[]
}

const STATUSES: { readonly [status: string]: RunStatus } = { '-1': 'failed', '1': 'finished' }
/** Charts that are no curves. */
const MEDIA = /image|audio|text|video|object3d|molecule/i

async function allRuns(database: Database): Promise<BoardRun[]> {
  const projects = new Map(
    (await allRows(database, 'project', ['id', 'name'])).map(([id, name]) => [id, textOrNull(name)]),
  )
  const tags = await allRows(database, 'tag', ['experiment_id', 'name', 'folder', 'type'])
  const columns = ['id', 'run_id', 'name', 'status', 'create_time', 'project_id']
  return (await allRows(database, 'experiment', columns)).flatMap(([key, id, name, status, created, project]) => {
    if (typeof id !== 'string' || id === '') return []
    const metrics = tags.flatMap(([experiment, metric, folder, type]) => {
      if (experiment !== key || typeof metric !== 'string' || MEDIA.test(String(type))) return []
      return [{ name: metric, folder: textOrNull(folder) ?? encodeURIComponent(metric) }]
    })
    const code = numberOrNull(status)
    return [
      {
        id,
        name: textOrNull(name) ?? id,
        project: projects.get(project ?? null) ?? null,
        status: STATUSES[String(code)] ?? 'unknown',
        created: textOrNull(created) ?? '',
        metrics,
      },
    ]
  })
}

async function* read(run: BoardRun, folder: string): AsyncGenerator<readonly RunEvent[]> {
  const startedAt = timeFromText(run.created)
  const about = { name: run.name, trackerId: run.id, ...(run.project !== null && { project: run.project }) }
  yield [
    { type: 'about', about: { ...about, ...(startedAt !== null && { startedAt }) } },
    ...(await readSidecars(join(folder, run.id, 'run.swanlab'))),
  ]
  const alone = nameAlone()
  const gate = stepGate()
  let bad = 0
  let firstBad = 0
  for (const { name, folder: place } of run.metrics) {
    const logs = join(folder, run.id, 'logs', place)
    const metrics = alone(name)
    let number = 0
    for (const file of await slicesIn(logs)) {
      for await (const { lines, rest } of readTextLines({ path: join(logs, file), head: NO_HEAD })) {
        const events: RunEvent[] = []
        for (const line of rest === '' ? lines : [...lines, rest]) {
          if (line.trim() === '') continue
          number += 1
          const point = parsePythonJson(line)
          const value = isJsonObject(point) ? loggedValue(point.data) : null
          if (!isJsonObject(point) || value === null) {
            firstBad = bad === 0 ? number : firstBad
            bad += 1
            continue
          }
          const step = numberFromJson(point.index)
          if (!gate.admits(step, point.index)) continue
          const time = typeof point.create_time === 'string' ? timeFromText(point.create_time) : null
          events.push({ type: 'row', step, time, metrics, values: [value] })
        }
        yield events
      }
    }
  }
  yield [
    ...gate.complaints(),
    ...(bad === 0 ? [] : [warning(sayCommon('source.bad-lines', { count: bad, line: firstBad }))]),
    { type: 'status', status: run.status },
  ]
}

const NO_HEAD = new Uint8Array()

/** `1000.log`, `2000.log`, …, in the order they were written; none where the folder was not kept. */
async function slicesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter(name => /^\d{1,15}\.log$/.test(name))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
}

/** Numbers; `NaN` and `INF` stand there as texts. */
function loggedValue(data: Json | undefined): number | null {
  if (typeof data === 'string')
    return /^[-+]?inf$/i.test(data)
      ? Number(`${data.startsWith('-') ? '-' : ''}Infinity`)
      : /^nan$/i.test(data)
        ? Number.NaN
        : null
  return numberFromJson(data) ?? null
}
