import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark, Figures, Settings, Table } from './benchmark.js'
import { type Finished, klens } from './child.js'
import { DATA, generate, type LogShape } from './generate.js'
import { EVALUATED_LOG, LONG_LOG, manyRuns, restartedLog, wideLog } from './make-growing.js'
import { bestOf } from './measure.js'

/**
 * What each verb costs as its data grows tenfold and tenfold again, by CPU time and peak memory of a process of its own.
 * The exponent is between the two larger sizes: 1 is in proportion, 2 is the square. The start of Node and DuckDB is part
 * of all of them, so small figures have small exponents.
 */
export const scale: Benchmark = {
  name: 'scale',
  about: 'growth with runs, points, evaluations and metrics; sizes in hundredths of the largest, 100',
  async run(settings) {
    const tables: Table[] = []
    for (const growth of GROWTHS) tables.push(await growthTable(growth, settings))
    return tables
  },
}

interface Growth {
  readonly of: string
  readonly largest: number
  /** Where the data lies. */
  readonly make: (size: number) => string
  readonly verbs: readonly Verb[]
}

interface Verb {
  readonly what: string
  /** `log` is the folder that was made, `out` a file of one's own. */
  readonly words: (log: string, out: string) => readonly string[]
}

const RUN = '*'
const IMPORT: Verb = { what: 'import', words: log => ['import', log] }
const IMPORT_AGAIN: Verb = { what: 'import again', words: log => ['import', log] }
const SHOW: Verb = { what: 'show', words: () => ['show', RUN] }
const DIAGNOSE: Verb = { what: 'diagnose', words: () => ['diagnose', RUN] }
const REPORT: Verb = { what: 'report', words: (_, out) => ['report', RUN, '-o', `${out}.md`] }
const EXPORT: Verb = { what: 'export', words: (_, out) => ['export', RUN, '-o', `${out}.csv`, '--force'] }

const GROWTHS: readonly Growth[] = [
  {
    of: 'runs',
    largest: 10_000,
    make: manyRuns,
    verbs: [
      IMPORT,
      IMPORT_AGAIN,
      { what: 'runs', words: () => ['runs'] },
      DIAGNOSE,
      { what: 'sweep', words: () => ['sweep', RUN, '--over', 'kl_loss_coef'] },
      EXPORT,
    ],
  },
  {
    of: 'points',
    largest: 10_000_000,
    make: size => logOf(LONG_LOG, size),
    verbs: [IMPORT, IMPORT_AGAIN, SHOW, DIAGNOSE, REPORT, EXPORT],
  },
  {
    of: 'points, one restart',
    largest: 10_000_000,
    make: size => logOf(restartedLog(size), size),
    verbs: [IMPORT, SHOW],
  },
  {
    of: 'evaluations',
    largest: 100_000,
    make: size => logOf(EVALUATED_LOG, size),
    verbs: [
      IMPORT,
      SHOW,
      { what: 'checkpoints', words: () => ['checkpoints', RUN] },
      { what: 'checkpoints --json', words: () => ['checkpoints', RUN, '--json'] },
      DIAGNOSE,
      REPORT,
    ],
  },
  {
    of: 'metrics, 20 steps',
    largest: 10_000,
    make: size => generate(wideLog(size), { of: 'steps', count: 20 }).folder,
    verbs: [IMPORT, SHOW, { what: 'show --json', words: () => ['show', RUN, '--json'] }, DIAGNOSE],
  },
]

function logOf(shape: LogShape, points: number): string {
  return generate(shape, { of: 'points', count: points }).folder
}

async function growthTable(growth: Growth, settings: Settings): Promise<Table> {
  const { of, largest, verbs } = growth
  const share = (settings.size ?? (settings.small ? 10 : 100)) / 100
  const sizes = [100, 10, 1].map(part => Math.max(1, Math.round((largest * share) / part)))
  const measured: (readonly Finished[])[] = []
  for (const size of sizes) measured.push(await spentAt(growth, size, settings))
  return {
    title: `scale: ${of}`,
    rows: verbs.map(({ what }, verb): Figures => {
      const cpu = measured.map(of => of[verb].cpuSeconds)
      const peak = measured.map(of => of[verb].peakBytes / 1e6)
      const columns = sizes.flatMap((size, i): [string, number][] => [
        [`${size.toLocaleString('en')}: CPU s`, cpu[i]],
        [`${size.toLocaleString('en')}: MB`, peak[i]],
      ])
      return {
        what,
        ...Object.fromEntries(columns),
        'time grows as n^': exponent(cpu, sizes),
        'memory as n^': exponent(peak, sizes),
      }
    }),
  }
}

/** Each verb on one size, in a workspace of its own that is gone afterwards. */
async function spentAt({ of, make, verbs }: Growth, size: number, { rounds }: Settings): Promise<readonly Finished[]> {
  const log = make(size)
  const home = join(DATA, `scale-${process.pid}`)
  const out = join(DATA, `scale-${process.pid}-out`)
  try {
    const spent: Finished[] = []
    for (const { what, words } of verbs) {
      console.error(`  ${size.toLocaleString('en')} ${of}: ${what} …`)
      const once = (): Promise<Finished> => {
        if (what === IMPORT.what) rmSync(home, { recursive: true, force: true })
        return klens(home, words(log, out))
      }
      spent.push(await bestOf(rounds, once))
    }
    return spent
  } finally {
    for (const path of [home, `${out}.md`, `${out}-charts`, `${out}.csv`])
      rmSync(path, { recursive: true, force: true })
  }
}

function exponent(values: readonly number[], sizes: readonly number[]): number {
  const last = values.length - 1
  return Math.log(values[last] / values[last - 1]) / Math.log(sizes[last] / sizes[last - 1])
}
