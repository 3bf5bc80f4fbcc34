// What is kept of the runs: node examples/intention-kl/keep.mjs [--folder DIR] [--into DIR] [--runs PATTERN] [--unfinished]. Writes every finished
// run of the store in DIR as INTO/ARM/seedN/{metrics.csv,val.score.csv,config.json}: each step's main metrics with five digits, the score
// of each validation request at each evaluation, and the settings that are not klens's defaults.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { values: asked } = parseArgs({
  options: {
    folder: { type: 'string', default: '.' },
    into: { type: 'string', default: here('runs') },
    runs: { type: 'string', default: '*-200/seed*' },
    unfinished: { type: 'boolean', default: false },
  },
})
const home = process.env.KLENS_HOME ?? join(resolve(asked.folder), '.klens')

function klens(...words) {
  const env = { ...process.env, KLENS_HOME: home, NO_COLOR: '1' }
  const done = spawnSync(process.execPath, [here('../../bin/klens.js'), ...words], { env, encoding: 'utf8', maxBuffer: 2 ** 29 })
  if (done.status === null || done.status > 1) throw new Error(done.stderr)
  return done.stdout
}

const SCORE = 'val-core/interact_intention/reward/mean@1'
const METRICS = [
  ...['critic/score/mean', 'kl.ref.exact', 'actor/kl_loss', 'actor/entropy', 'actor/grad_norm', 'num_turns/mean'],
  ...['response_length/mean', 'perf/total_num_tokens'],
]

const five = value => (value === undefined || value === null ? '' : String(Number(value.toPrecision(5))))
const STATED = /^(?:task|seed|steps|simulator|data\.(?:train|test)|model\.vocabulary|model\.width|start\.(?:steps|habits|share)|eval\.(?:every|samples)|kl\.|entropy\.coef|lr\.|group\.size|batch\.prompts|credit\.)/

const duck = await (await DuckDBInstance.create(':memory:')).connect()
const rows = async sql => (await duck.runAndReadAll(sql)).getRowObjects()
const runs = JSON.parse(klens('runs', '--json')).filter(({ name, status }) => matches(name) && (asked.unfinished || status === 'finished'))

for (const { id, name, config } of runs) {
  const folder = join(asked.into, name.replace(/-\d+\/seed/, '/seed'))
  mkdirSync(folder, { recursive: true })
  const exported = klens('export', id, ...METRICS.flatMap(metric => ['--metric', metric]), '--format', 'jsonl')
  const points = exported.trimEnd().split('\n').map(line => JSON.parse(line))
  const steps = [...new Set(points.map(({ step }) => step))].sort((a, b) => a - b)
  const cells = new Map(points.map(({ step, metric, value }) => [`${step} ${metric}`, value]))
  const table = steps.map(step => [step, ...METRICS.map(metric => five(cells.get(`${step} ${metric}`)))].join(','))
  writeFileSync(join(folder, 'metrics.csv'), `${['step', ...METRICS].join(',')}\n${table.join('\n')}\n`)

  const scores = await rows(`select * from '${join(home, 'runs', id, 'samples.parquet')}' where metric = '${SCORE}'`)
  writeFileSync(join(folder, 'val.score.csv'), scoreTable(scores))
  const stated = Object.fromEntries(Object.entries(config).flatMap(([key, value]) => (STATED.test(key) ? [[key, withoutFolders(value)]] : [])))
  writeFileSync(join(folder, 'config.json'), `${JSON.stringify(stated, null, 1)}\n`)
}
console.log(`${runs.length} runs in ${asked.into}`)

// A row for each evaluation, a column for each request, in the order of their names.
function scoreTable(scores) {
  const samples = [...new Set(scores.map(({ sample }) => sample))].sort()
  const steps = [...new Set(scores.map(({ step }) => Number(step)))].sort((a, b) => a - b)
  const cells = new Map(scores.map(({ step, sample, score }) => [`${Number(step)} ${sample}`, five(score)]))
  const table = steps.map(step => [step, ...samples.map(sample => cells.get(`${step} ${sample}`) ?? '')].join(','))
  return `${['step', ...samples.map((_, i) => `p${i}`)].join(',')}\n${table.join('\n')}\n`
}

// Paths of the machine that trained are not published.
function withoutFolders(value) {
  return Array.isArray(value) ? value.map(each => basename(String(each))) : value
}

function matches(name) {
  return new RegExp(`^${asked.runs.replaceAll('*', '.*')}$`).test(name)
}
