import type { Command } from 'commander'
import { importBlocks } from '../../core/present/import.js'
import { sentences } from '../../text/sentences.js'
import { type FollowEvent, follow, importRuns } from '../ask/import.js'
import type { PushProgress } from '../server/push.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { progressBar } from './print/status-line.js'
import { count, displayWidth, pad, printable, shortStep, sizeText } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly follow?: boolean
  readonly to?: string
}

const say = sentences({
  'import.option.to': {
    en: 'push runs (or logs) to the klens serve of a team; KLENS_WRITE_TOKEN has its write token',
    zh: '将 run（或日志）推送到团队的 klens serve；写令牌放在 KLENS_WRITE_TOKEN 中',
  },
  'import.pushed': {
    en: '{name}  {run}  {sent} of {bytes} sent',
    zh: '{name}  {run}  已发送 {sent}，共 {bytes}',
  },
  'import.pushed-same': { en: '{name}  {run}  already there', zh: '{name}  {run}  服务器上已有' },
})

export function importVerb(context: Context): Command {
  return verb('import', context.say('import.about', {}), context)
    .argument('<path...>', context.say('import.paths', {}))
    .option('-f, --follow', context.say('import.option.follow', {}))
    .option('--step <column>', context.say('import.option.step', {}))
    .option('--metric <column>', context.say('import.option.metric', {}), collect)
    .option('--separate', context.say('import.option.separate', {}))
    .option('--to <url>', context.render(say('import.option.to', {})))
    .action((paths: string[], options: Options) =>
      options.to === undefined ? runImport(context, paths, options) : push(context, paths, options, options.to),
    )
}

/** One signal for the import and the following after it: who asks to stop while the one ends does not want the other. */
async function runImport(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const { json = false, follow: isFollowed = false } = options
  await interruptible(async signal => {
    const bar = progressBar(context, json)
    const answer = await context
      .ask(importRuns, { ...options, paths }, { signal, onProgress: bar.update })
      .finally(bar.done)
    if (json) context.printJson(answer)
    else context.present(importBlocks(answer, context.speaker))
    if (!isFollowed && answer.runs.length === 0) {
      process.exitCode = 2
      if (!json) context.remark(context.say('cli.error', { message: context.say('import.nothing', {}) }))
    }
    if (!isFollowed || signal.aborted) return
    await context.ask(follow, { ...options, paths }, { signal, onProgress: followPrinter(context, paths, json) })
  })
}

async function push(context: Context, runs: readonly string[], { json }: Options, to: string): Promise<void> {
  const { KLENS_WRITE_TOKEN: token } = process.env
  const tell = ({ run, name, sent, bytes, changed }: PushProgress): void => {
    if (json || changed === null) return
    const about = { name: printable(name, 48), run }
    const said = changed
      ? say('import.pushed', { ...about, sent: sizeText(sent), bytes: sizeText(bytes) })
      : say('import.pushed-same', about)
    context.print(context.render(said))
  }
  const { pushRuns } = await import('../server/push.js')
  const answer = await interruptible(signal => context.ask(pushRuns, { runs, to, token }, { signal, onProgress: tell }))
  if (json) context.printJson(answer)
}

function followPrinter(context: Context, paths: readonly string[], json: boolean): (told: FollowEvent) => void {
  const printGrowth = growthPrinter(context)
  return told => {
    switch (told.event) {
      case 'start':
        return context.remark(startRemark(context, told.runs, told.isAwaited ? paths : []))
      case 'remark':
        return context.remark(
          context.say('import.remark', { path: printable(told.path, 120), reason: printable(told.reason, 300) }),
        )
      case 'growth':
        return json ? context.printJson(told.run) : printGrowth(told.run)
    }
  }
}

function startRemark(context: Context, runs: number, awaited: readonly string[]): string {
  if (runs > 0) return context.say('import.following', { count: runs })
  if (awaited.length === 0) return context.say('import.nothing-to-follow', {})
  return context.say('import.awaiting', { paths: awaited.map(path => printable(path, 120)).join(', ') })
}

type GrownRun = Extract<FollowEvent, { event: 'growth' }>['run']

/** One line for each change; columns stay where they are, unless a longer name comes. */
function growthPrinter(context: Context): (run: GrownRun) => void {
  const widths = { name: 0, step: 6, points: 9 }
  return ({ name, status, step, points }) => {
    const cells = {
      name: printable(name, 48),
      step: step === null ? '–' : shortStep(step),
      points: count(points),
    }
    for (const column of ['name', 'step', 'points'] as const) {
      widths[column] = Math.max(widths[column], displayWidth(cells[column]))
    }
    const line = context.say('import.followed', {
      name: pad(cells.name, widths.name),
      step: pad(cells.step, widths.step, 'right'),
      points: pad(cells.points, widths.points, 'right'),
    })
    const hasStopped = status !== 'running' && status !== 'unknown'
    context.print(hasStopped ? `${line}  ${context.say(`status.${status}`, {})}` : line)
  }
}
