import { createReadStream, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { exportRuns } from '../ask/export.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { type Context, collect, verb } from './context.js'
import { count, printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly output?: string
  readonly format?: string
  readonly wide?: string
}

export function exportVerb(context: Context): Command {
  return verb('export', context.say('export.about', {}), context)
    .argument('<run...>', context.say('argument.runs', {}))
    .option('-o, --output <file>', context.say('export.option.output', {}))
    .option('--format <format>', context.say('export.option.format', {}))
    .option('--metric <name>', context.say('export.option.metric', {}), collect)
    .option('--wide <steps|runs>', context.say('export.option.wide', {}))
    .option('--all', context.say('export.option.all', {}))
    .option('--force', context.say('export.option.force', {}))
    .action((runs: string[], options: Options) =>
      options.output === undefined
        ? toStandardOutput(context, runs, options)
        : toFile(context, runs, options, options.output),
    )
}

async function toFile(context: Context, runs: readonly string[], options: Options, output: string): Promise<void> {
  const answer = await context.ask(exportRuns, { ...options, runs, output })
  if (options.json) return context.printJson(answer)
  const { points, path } = answer
  context.print(
    context.say(options.wide === undefined ? 'export.done' : 'export.done-wide', {
      points: count(points),
      runs: answer.runs.length,
      path: printable(path, 200),
    }),
  )
}

async function toStandardOutput(context: Context, runs: readonly string[], options: Options): Promise<void> {
  const { format = 'csv' } = options
  if (format.toLowerCase() === 'parquet') throw new Problem('bad-request', message('export.needs-file', {}))
  const folder = await mkdtemp(join(tmpdir(), 'klens-'))
  // Not when this is done: a reader that goes away ends the process in the middle.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { path } = await context.ask(exportRuns, { ...options, runs, format, output: join(folder, 'points') })
  await pipeline(createReadStream(path), process.stdout, { end: false })
}
