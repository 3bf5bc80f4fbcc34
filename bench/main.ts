import { parseArgs } from 'node:util'
import { assistants } from './assistants.js'
import { audit } from './audit.js'
import { auditMutations } from './audit-mutations.js'
import { auditQuality } from './audit-quality.js'
import type { Benchmark, Table } from './benchmark.js'
import { diagnosis } from './diagnosis/diagnosis.js'
import { gym } from './gym/gym.js'
import { lm } from './lm/lm.js'
import { logBenchmarks } from './logs.js'
import { load, machine } from './machine.js'
import { memory } from './memory.js'
import { tableText } from './print.js'
import { profile } from './profile.js'
import { query } from './query.js'
import { races } from './races/races.js'
import { runs } from './runs.js'
import { scale } from './scale.js'
import { stops } from './stops.js'
import { studyStatus } from './study-status.js'
import { tracedFigures } from './traced-figures.js'
import { train } from './train.js'
import { verdicts } from './verdicts.js'
import { webBenchmarks } from './web/web.js'

/** `npm run bench -- wandb query --rounds 5`; without a name, all of them. */

const BENCHMARKS: readonly Benchmark[] = [
  ...logBenchmarks,
  memory,
  query,
  runs,
  scale,
  verdicts,
  profile,
  diagnosis,
  audit,
  auditQuality,
  auditMutations,
  tracedFigures,
  races,
  stops,
  studyStatus,
  assistants,
  train,
  lm,
  gym,
  ...webBenchmarks,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    size: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const unknown = positionals.filter(name => BENCHMARKS.every(benchmark => benchmark.name !== name))
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark "${unknown[0]}". There are:\n`)
  for (const { name, about } of BENCHMARKS) console.error(`${name.padEnd(12)} ${about}`)
  console.error('\nOptions: --size N  --small (a tenth)  --rounds N (best of, 3)  --json')
  process.exit(unknown.length > 0 ? 2 : 0)
}
if (values.size !== undefined && positionals.length !== 1) {
  console.error('--size goes with one benchmark, because each counts in its own unit.')
  process.exit(2)
}

const settings = {
  small: values.small,
  rounds: Number(values.rounds),
  size: values.size === undefined ? undefined : Number(values.size),
}
const tables: (Table & { readonly load: number })[] = []
for (const benchmark of BENCHMARKS) {
  if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue
  console.error(`${benchmark.name}: ${benchmark.about} …`)
  const loadBefore = load()
  for (const table of [await benchmark.run(settings)].flat()) tables.push({ ...table, load: loadBefore })
}

if (values.json) {
  console.log(JSON.stringify({ machine: machine(), settings, tables }))
} else {
  const { date, cpu, cores, memoryGiB, system, node, duckdb } = machine()
  console.log(
    `\n${date}, ${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, DuckDB ${duckdb}, best of ${settings.rounds}`,
  )
  for (const table of tables) console.log(`\n${tableText(table)}\n(load before: ${table.load.toFixed(2)})`)
}
