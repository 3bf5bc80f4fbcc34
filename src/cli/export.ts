import { createReadStream, rmSync } from 'node:fs'
import { mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { type ExportFormat, exportPoints } from '../store/export.js'
import { metricsNamed, workspaceWords } from '../store/meaning.js'
import type { LoadedRun } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findRuns } from './find-runs.js'
import { count, printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly output?: string
  readonly format?: string
  readonly metric?: readonly string[]
  readonly all?: boolean
}

export function exportVerb(context: Context): Command {
  return verb('export', context.say('export.about', {}), context)
    .argument('<run...>', context.say('argument.runs', {}))
    .option('-o, --output <file>', context.say('export.option.output', {}))
    .option('--format <format>', context.say('export.option.format', {}))
    .option('--metric <name>', context.say('export.option.metric', {}), collect)
    .option('--all', context.say('export.option.all', {}))
    .action((names: string[], options: Options) => runExport(context, names, options))
}

async function runExport(context: Context, names: readonly string[], options: Options): Promise<void> {
  const format = formatOf(context, options)
  const runs = (await Promise.all(names.map(name => findRuns(context, name)))).flat()
  const unique = [...new Map(runs.map(run => [run.manifest.id, run])).values()]
  const metrics = options.metric === undefined ? null : await rawNames(context, unique, options.metric)
  const request = { format, metrics, all: options.all === true }

  if (options.output === undefined) {
    if (format === 'parquet') throw new UserError(context.say('export.needs-file', {}))
    const folder = await mkdtemp(join(tmpdir(), 'klens-'))
    // Not when this is done: a reader that goes away ends the process in the middle.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'points')
    await exportPoints(await openWorkspace(), unique, path, request)
    await pipeline(createReadStream(path), process.stdout, { end: false })
    return
  }
  const path = await writablePath(context, options.output)
  const points = await exportPoints(await openWorkspace(), unique, path, request)
  if (options.json) context.printJson({ path, points, runs: unique.map(({ manifest }) => manifest.id) })
  else
    context.print(
      context.say('export.done', { points: count(points), runs: unique.length, path: printable(path, 200) }),
    )
}

/** A file that can be replaced as a whole. A device would be replaced too, and /dev/null is missed by everyone. */
async function writablePath(context: Context, output: string): Promise<string> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory())
    throw new UserError(context.say('export.no-folder', { path: printable(dirname(path), 300) }))
  const there = await stat(path).catch(() => null)
  if (there === null || there.isFile()) return path
  throw new UserError(context.say('export.no-file', { path: printable(path, 300) }))
}

async function rawNames(
  context: Context,
  runs: readonly LoadedRun[],
  names: readonly string[],
): Promise<readonly string[]> {
  const words = await workspaceWords(await openWorkspace())
  const found = new Set<string>()
  for (const name of names) {
    const carriers = runs.flatMap(({ manifest }) => metricsNamed(manifest, name, words))
    if (carriers.length === 0) throw new UserError(context.say('export.no-metric', { metric: printable(name) }))
    for (const metric of carriers) found.add(metric)
  }
  return [...found]
}

function formatOf(context: Context, { format, output }: Options): ExportFormat {
  const wanted = (format ?? /\.([a-z]+)$/i.exec(output ?? '.csv')?.[1] ?? '').toLowerCase()
  if (wanted === 'csv' || wanted === 'jsonl' || wanted === 'parquet') return wanted
  throw new UserError(context.say('export.bad-format', { value: printable(wanted) }))
}
