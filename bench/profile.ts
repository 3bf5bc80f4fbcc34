import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Figures, Settings } from './benchmark.js'
import { sizeOf } from './benchmark.js'
import { type Finished, klens } from './child.js'
import { DATA, generate } from './generate.js'
import { LOG_SHAPES } from './logs.js'
import { fullWorkspace, listedWorkspace } from './make-workspace.js'
import { measure } from './measure.js'
import { twentyRuns } from './races/diagnose.js'
import { doneStudy } from './study-status.js'

/**
 * Where the time of a command goes. Its CPU time, and that of its main thread, are counted without a profiler; the samples
 * of a second run say which part of klens the main thread was in, by the file of the bundle's source. Floors: what Node,
 * a bare read of the bytes and a bare write of the same files cost.
 */
export const profile: Benchmark = {
  name: 'profile',
  about: 'where the time of small commands and imports goes; size in runs of the longest list, 10,000',
  async run(settings) {
    const runs = sizeOf(settings, 10_000)
    const stored = (await fullWorkspace(2, { metrics: 100, steps: settings.small ? 1_000 : 10_000 })).root
    const list = async (count: number) => (await listedWorkspace(count, { metrics: 20, steps: 50 })).root
    const twenty = (steps: number): readonly string[] => ['diagnose', join(twentyRuns(steps), 'wandb'), '--json']
    const study = await doneStudy(settings.small ? 100 : 1_000)
    const commands: readonly (readonly [what: string, home: string | null, words: readonly string[]])[] = [
      ['--version', null, ['--version']],
      ['--help', null, ['--help']],
      ['diagnose, 20 new W&B runs of 60 × 50', null, twenty(50)],
      ['diagnose, 20 new W&B runs of 60 × 500', null, twenty(500)],
      [
        'compare, two stored runs of 100 metrics',
        stored,
        ['compare', 'run-00000', 'run-00001', '--metric', 'critic/score/mean', '--json'],
      ],
      ['diagnose, one stored run of 100 metrics', stored, ['diagnose', 'run-00000', '--json']],
      [`runs, ${runs / 10}`, await list(runs / 10), ['runs']],
      [`runs, ${runs}`, await list(runs), ['runs']],
      ['study status', study.workspace.root, ['study', 'status', study.file]],
    ]
    const node = await bareNode(settings)
    const rows: Figures[] = []
    for (const [what, home, words] of commands) {
      console.error(`  ${what} …`)
      rows.push({ what, ...(await costs(home, words, settings, node)) })
    }
    return [
      { title: 'commands, CPU ms', rows: [{ what: 'node -e 0', CPU: node }, ...rows] },
      { title: 'imports, CPU ms', rows: await imports(settings, node) },
    ]
  },
}

async function imports(settings: Settings, node: number): Promise<readonly Figures[]> {
  const rows: Figures[] = []
  for (const shape of LOG_SHAPES) {
    for (const points of settings.small ? [3_000] : [3_000, 100_000, 1_000_000]) {
      console.error(`  import ${shape.format}, ${points} points …`)
      const { path, counts } = generate(shape, { of: 'points', count: points })
      const figures = await costs(null, ['import', path, '--json'], settings, node)
      const floors = await bareReadAndWrite(path)
      rows.push({ what: `${shape.format}, ${counts.points.toLocaleString('en')} points`, ...figures, ...floors })
    }
  }
  return rows
}

export async function costs(home: string | null, words: readonly string[], { rounds }: Settings, node: number) {
  const asked = (flags: readonly string[] = []) => inHome(home, at => klens(at, words, flags))
  await asked()
  let best = await asked()
  for (let round = 1; round < rounds; round += 1) {
    const next = await asked()
    if (next.cpuSeconds < best.cpuSeconds) best = next
  }
  const { main, parts } = await sampled(asked)
  const shares = PARTS.map(part => [part, (best.mainSeconds * 1000 * (parts.get(part) ?? 0)) / main] as const)
  return {
    CPU: best.cpuSeconds * 1000,
    '× node': (best.cpuSeconds * 1000) / node,
    ...Object.fromEntries(shares),
    'other threads': (best.cpuSeconds - best.mainSeconds) * 1000,
  }
}

async function inHome<Result>(home: string | null, use: (home: string) => Promise<Result>): Promise<Result> {
  if (home !== null) return use(home)
  const made = mkdtempSync(join(tmpdir(), 'klens-profile-'))
  try {
    return await use(join(made, 'home'))
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** Parts of klens by where their source lies; the first that fits. */
const PLACES: readonly (readonly [part: string, place: RegExp])[] = [
  ['parsing', /^src\/logs\/(sources|document)\//],
  ['names', /^src\/logs\/model\//],
  ['judging', /^src\/(core\/(diagnosis|analysis)|stats|lab|audit)\//],
  ['DuckDB', /@duckdb|^src\/core\/store\/duck/],
  ['store', /^src\/core\/store\//],
  ['answer', /^src\//],
]
const FILE_CALLS =
  /^(open|openFileHandle|fsync|close|read|readFileUtf8|readdir|stat|lstat|fstat|rename|writeBuffer|writeString|realpath|mkdir|unlink|access)$/
const PARTS = ['Node', 'code', ...PLACES.map(([part]) => part), 'file calls', 'garbage']

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

/** Samples of the main thread by part, the idle ones left out. */
async function sampled(asked: (flags: readonly string[]) => Promise<Finished>) {
  const folder = mkdtempSync(join(tmpdir(), 'klens-samples-'))
  const parts = new Map<string, number>()
  let main = 0
  try {
    await asked(['--cpu-prof', '--cpu-prof-interval', '200', `--cpu-prof-dir=${folder}`])
    const file = readdirSync(folder).find(name => name.endsWith('.cpuprofile')) ?? ''
    const { nodes, samples } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const partOf = partsOfNodes(nodes)
    for (const id of samples) {
      const part = partOf.get(id) ?? 'Node'
      if (part === 'idle') continue
      main += 1
      parts.set(part, (parts.get(part) ?? 0) + 1)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { main, parts }
}

/** A node without a place of its own belongs to whoever called it; all that a file does while it is loaded is loading. */
function partsOfNodes(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const parts = new Map<number, string>()
  const visit = ({ id, callFrame, children = [] }: ProfileNode, above: string): void => {
    const part = above === 'code' ? above : (partOfFrame(callFrame) ?? above)
    parts.set(id, part)
    for (const child of children) {
      const node = byId.get(child)
      if (node !== undefined) visit(node, part === 'file calls' ? above : part)
    }
  }
  visit(nodes[0], 'Node')
  return parts
}

function partOfFrame({ functionName, url, lineNumber }: ProfileNode['callFrame']): string | null {
  if (functionName === '(idle)') return 'idle'
  if (functionName === '(garbage collector)') return 'garbage'
  if (functionName === 'load' && url.endsWith('start.cjs')) return 'code'
  if (url === '' && FILE_CALLS.test(functionName)) return 'file calls'
  const source = sourceOf(url, lineNumber)
  return source === null ? null : (PLACES.find(([, place]) => place.test(source))?.[0] ?? 'answer')
}

const regions = new Map<string, readonly { readonly from: number; readonly source: string }[]>()

/** The bundle says before each file's code which file it was. */
function sourceOf(url: string, line: number): string | null {
  if (!/\/dist\/(cli|code-cache)\//.test(url)) return null
  const path = url.replace(/^file:\/\//, '')
  const known =
    regions.get(path) ??
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((text, from) =>
        text.startsWith('//#region ') ? [{ from, source: text.slice('//#region '.length) }] : [],
      )
  regions.set(path, known)
  return known.findLast(({ from }) => from <= line)?.source ?? null
}

async function bareNode({ rounds }: Settings): Promise<number> {
  const home = join(DATA, 'none')
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds + 2; round += 1) {
    least = Math.min(least, (await klens(home, ['0'], [], '-e')).cpuSeconds * 1000)
  }
  return least
}

/** The floors of an import: its bytes read, and the files that it writes written and flushed. */
async function bareReadAndWrite(path: string) {
  const read = await measure(async () => readFileSync(path).length)
  return inHome(null, async home => {
    await klens(home, ['import', path])
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map(name => join(home, name))
    const contents = files.filter(name => statSync(name).isFile()).map(name => readFileSync(name))
    const copy = join(home, 'copy')
    const write = await measure(async () => {
      for (const content of contents) {
        const file = openSync(copy, 'w')
        writeSync(file, content)
        fsyncSync(file)
        closeSync(file)
      }
    })
    return { 'bare read': read.cpuSeconds * 1000, 'bare write': write.cpuSeconds * 1000 }
  })
}
