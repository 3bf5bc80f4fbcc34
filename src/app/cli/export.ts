import { createReadStream, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { exportRuns } from '../ask/export.js'
import { site } from '../server/site.js'
import { type Context, collect, verb } from './context.js'
import { count, printable, sizeText } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly output?: string
  readonly format?: string
  readonly wide?: string
  readonly site?: string
  readonly compare?: readonly string[]
  readonly margin?: string
  readonly metric?: readonly string[]
  readonly report?: readonly string[]
  readonly force?: boolean
}

const say = sentences({
  'export.option.site': {
    en: 'write a folder that shows these runs in any browser, without klens',
    zh: '改为写出一个文件夹，无需 klens 即可在任何浏览器中查看这些 run',
  },
  'export.option.compare': {
    en: 'with --site: a comparison, the baseline first',
    zh: '配合 --site：一组对比，基线在前',
  },
  'export.option.margin': { en: 'with --compare: the margin for equivalence', zh: '配合 --compare：等效界限' },
  'export.option.report': {
    en: 'with --site: a report that klens wrote as HTML',
    zh: '配合 --site：klens 写出的 HTML 报告',
  },
  'export.no-runs': { en: 'name the runs to export', zh: '请给出要导出的 run' },
  'export.site-done': {
    en: '{runs} {n|run|runs} in {path}: {files} file{files||s}, {size}; open {path}/index.html',
    zh: '{path} 中有 {runs} 个 run：{files} 个文件，{size}；打开 {path}/index.html 即可',
  },
})

export function exportVerb(context: Context): Command {
  return verb('export', context.say('export.about', {}), context)
    .argument('[run...]', context.say('argument.runs', {}))
    .option('-o, --output <file>', context.say('export.option.output', {}))
    .option('--format <format>', context.say('export.option.format', {}))
    .option('--metric <name>', context.say('export.option.metric', {}), collect)
    .option('--wide <steps|runs>', context.say('export.option.wide', {}))
    .option('--all', context.say('export.option.all', {}))
    .option('--force', context.say('export.option.force', {}))
    .option('--site <folder>', context.render(say('export.option.site', {})))
    .option('--compare <side...>', context.render(say('export.option.compare', {})))
    .option('--margin <size>', context.render(say('export.option.margin', {})))
    .option('--report <file>', context.render(say('export.option.report', {})), collect)
    .action((runs: string[], options: Options) => {
      if (options.site !== undefined) return toSite(context, runs, options, options.site)
      if (runs.length === 0) throw new Problem('bad-request', say('export.no-runs', {}))
      return options.output === undefined
        ? toStandardOutput(context, runs, options)
        : toFile(context, runs, options, options.output)
    })
}

async function toSite(context: Context, runs: readonly string[], options: Options, folder: string): Promise<void> {
  const { compare, margin, metric, report, force } = options
  const answer = await context.ask(site, { folder, runs, compare, margin, metric: metric?.[0], reports: report, force })
  if (options.json) return context.printJson(answer)
  const said = { runs: count(answer.runs.length), n: answer.runs.length, files: count(answer.files) }
  const size = sizeText(answer.bytes)
  context.print(context.render(say('export.site-done', { ...said, size, path: printable(answer.path, 200) })))
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
