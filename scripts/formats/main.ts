import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Environment, pythonEnvironment } from '../trl/environment.js'
import { type Comparison, differencesOf, evaluationDifferences } from './differences.js'
import { klensEvaluations } from './klens-evaluations.js'
import { klensReading } from './klens-reading.js'
import { NOT_TRIED, PACKAGES, type Package } from './packages.js'
import { type Readback, readbackSchema } from './readback.js'

/**
 * `npm run test:formats [-- NAME … --keep FOLDER]`: the packages themselves write small logs with known numbers, each in
 * an environment of pinned versions, and read them back by their own means; klens reads the same folder by its command
 * line. Runs, names, steps, values and settings must be equal. A package that cannot be had is skipped with its reason; the exit
 * code is 1 for differences and for a writer that fails. `--keep` leaves the logs in a folder.
 */

interface Outcome {
  readonly name: string
  readonly version: string
  readonly compared: string
  readonly result: string
  readonly differences: readonly string[]
}

const PROGRAM_WITHIN_MS = 600_000
const scripts = join(process.cwd(), 'scripts', 'formats')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' } },
})
const unknown = positionals.filter(name => PACKAGES.every(wanted => wanted.name !== name))
if (unknown.length > 0) {
  console.error(`There is no package "${unknown[0]}" here. There are: ${PACKAGES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const work = values.keep ?? mkdtempSync(join(tmpdir(), 'klens-formats-'))
const outcomes: Outcome[] = []
try {
  for (const wanted of PACKAGES) {
    if (positionals.length > 0 && !positionals.includes(wanted.name)) continue
    console.error(`— ${wanted.name}`)
    const outcome = await outcomeOf(wanted)
    for (const difference of outcome.differences) console.error(`  ${difference}`)
    outcomes.push(outcome)
  }
} finally {
  if (values.keep === undefined) rmSync(work, { recursive: true, force: true })
}
printTable(outcomes)
if (positionals.length === 0) for (const [name, reason] of NOT_TRIED) console.log(`not tried: ${name} (${reason})`)
process.exitCode = outcomes.some(({ differences }) => differences.length > 0) ? 1 : 0

async function outcomeOf(wanted: Package): Promise<Outcome> {
  const { name } = wanted
  const skipped = (reason: string) => ({
    name,
    version: '',
    compared: '',
    result: `skipped: ${reason}`,
    differences: [],
  })
  const environment = environmentOf(wanted)
  const reader = readerOf(wanted)
  for (const one of [environment, reader]) if ('lacks' in one) return skipped(one.lacks)
  const folder = join(work, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isReadAgain = wanted.reader !== undefined
  const written = failureOf(environment, wanted.program, [folder])
  const failure = written ?? (isReadAgain ? failureOf(reader, wanted.program, [folder, 'read']) : null)
  if (failure !== null) return { name, version: '', compared: '', result: 'the writer failed', differences: [failure] }
  const readback = readbackSchema.parse(JSON.parse(readFileSync(join(folder, 'readback.json'), 'utf8')))
  const outcome = { name, version: readback.version }
  try {
    const { compared, differences } = await comparisonOf(readback, folder, wanted)
    const counts = Object.entries(compared).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
    const result = differences.length === 0 ? 'equal' : `${differences.length} differences`
    return { ...outcome, compared: `${counts.join(', ')}; by ${readback.by}`, result, differences }
  } catch (error) {
    return { ...outcome, compared: `by ${readback.by}`, result: 'klens failed', differences: [String(error)] }
  }
}

async function comparisonOf(readback: Readback, folder: string, { besides }: Package): Promise<Comparison> {
  const logs = join(folder, 'logs')
  if (readback.evaluations.length > 0) return evaluationDifferences(readback.evaluations, await klensEvaluations(logs))
  return differencesOf(readback, klensReading(logs, join(folder, '.klens')), besides)
}

/** The environment that reads the logs back: the writer's own, or the one of an earlier release that still has a reader. */
function readerOf({ reader, gigabytes, ...writer }: Package): Environment {
  if (reader === undefined) return environmentOf({ ...writer, gigabytes })
  return pythonEnvironment(`formats-${reader}`, join(scripts, 'requirements', `${reader}.txt`), gigabytes)
}

/** Why the program did not come to its end; null where it did. */
function failureOf(environment: Environment, program: string, [folder, ...words]: readonly string[]): string | null {
  if ('lacks' in environment) return environment.lacks
  const { status, signal, stdout, stderr } = spawnSync(environment.python, [join(scripts, program), folder, ...words], {
    cwd: folder,
    env: offline(folder),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: PROGRAM_WITHIN_MS,
  })
  if (status === 0) return null
  const last = `${stdout}${stderr}`.trim().split('\n').at(-1) ?? ''
  return `${program} ended with ${status ?? signal}: ${last.slice(0, 300)}`
}

function environmentOf({ environment, gigabytes, onTorch, bare }: Package): Environment {
  const requirements = (name: string) => join(scripts, 'requirements', `${name}.txt`)
  if (!onTorch) return pythonEnvironment(`formats-${environment}`, requirements(environment), gigabytes, { bare })
  const torch = pythonEnvironment('torch', requirements('torch'), 12)
  if ('lacks' in torch || environment === 'torch') return torch
  return pythonEnvironment(`formats-${environment}`, requirements(environment), gigabytes, {
    above: torch.python,
    bare,
  })
}

/** Nothing is sent anywhere, and caches of the user are neither read nor written. */
function offline(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: folder,
    HF_HUB_OFFLINE: '1',
    HF_DATASETS_OFFLINE: '1',
    CUDA_VISIBLE_DEVICES: '',
    OMP_NUM_THREADS: '1',
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

function printTable(rows: readonly Outcome[]): void {
  const cells = rows.map(({ name, version, compared, result }) => [name, version, compared, result])
  const table = [['package', 'version', 'compared', 'result'], ...cells]
  const widths = table[0].map((_, column) => Math.max(...table.map(row => row[column].length)))
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
}
