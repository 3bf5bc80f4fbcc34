import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { fillTables } from './document.js'
import { plotsOf } from './plots.js'
import { runAll, type Task } from './pool.js'
import type { Results } from './results.js'
import { STUDIES } from './studies/index.js'
import { tablesOf } from './tables.js'

/**
 * `npm run calibrate`: error rates of everything that klens ships, measured on data whose truth is known. Writes
 * docs/statistics/results.json, the plots beside it and the tables of docs/statistics.md and docs/objective.md. With names of studies only
 * these are measured again (`npm run calibrate -- union peeking --reps 20000 --workers 1`); `--draw` makes plots and
 * tables anew from the stored results.
 */

const PAGES = ['statistics.md', 'objective.md', 'objective.zh.md'].map(
  name => new URL(`../../docs/${name}`, import.meta.url),
)
const FOLDER = new URL('../../docs/statistics/', import.meta.url)
const STORED = new URL('results.json', FOLDER)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reps: { type: 'string', default: '20000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    draw: { type: 'boolean', default: false },
  },
})
const repetitions = Number(values.reps)
const unknown = positionals.find(name => STUDIES.every(study => study.name !== name))
if (unknown !== undefined) {
  console.error(`There is no study "${unknown}". There are: ${STUDIES.map(({ name }) => name).join(' ')}`)
  process.exit(2)
}
if (!(repetitions >= 100)) {
  console.error(`--reps ${values.reps}: give a number from 100 on.`)
  process.exit(2)
}

mkdirSync(FOLDER, { recursive: true })
if (!values.draw) {
  const names = positionals.length > 0 ? positionals : STUDIES.map(({ name }) => name)
  const fresh = await run(names)
  const kept = names.length < STUDIES.length ? stored().results.filter(({ study }) => !names.includes(study)) : []
  // What was asked for is said of the whole; a study that was measured again has its own number in each cell.
  const whole = kept.length > 0 ? stored() : fresh
  writeFileSync(STORED, textOf({ ...whole, results: [...kept, ...fresh.results] }))
}
for (const [name, svg] of plotsOf(stored())) writeFileSync(new URL(name, FOLDER), `${svg}\n`)
for (const page of PAGES) fillTables(page, tablesOf(stored()))

function stored(): Results {
  return JSON.parse(readFileSync(STORED, 'utf8'))
}

async function run(names: readonly string[]): Promise<Results> {
  const tasks: Task[] = STUDIES.filter(({ name }) => names.includes(name)).flatMap(({ name, cells, share }) =>
    cells.map((cell, index) => ({ study: name, index, repetitions: Math.ceil(repetitions * share(cell)) })),
  )
  const started = performance.now()
  const results = await runAll(tasks, Number(values.workers), ({ study, cell }, done) => {
    const seconds = Math.round((performance.now() - started) / 1000)
    console.error(`${done}/${tasks.length}  ${seconds} s  ${study} ${JSON.stringify(cell)}`)
  })
  return { repetitions, seconds: Math.round((performance.now() - started) / 1000), results }
}

/** Four digits, two of an error; `npm run calibrate` has Biome lay the file out, a line per rate. */
function textOf(results: Results): string {
  const short = (name: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(name === 'error' ? 2 : 4)) : value
  return `${JSON.stringify(results, short)}\n`
}
