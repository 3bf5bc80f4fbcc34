import type { Command } from 'commander'
import { type RunTableAnswer, runs, runTable } from '../ask/runs.js'
import { type Context, collect, verb } from './context.js'
import { alignTable, count, printable, shortNumber, shortStep } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly sort?: string
  readonly columns?: string
}

export function runsVerb(context: Context): Command {
  return verb('runs', context.say('runs.about', {}), context)
    .option('--status <status>', context.say('runs.option.status', {}))
    .option('--tag <tag>', context.say('runs.option.tag', {}), collect)
    .option('--where <condition>', context.say('runs.option.where', {}), collect)
    .option('--sort <key>', context.say('runs.option.sort', {}))
    .option('--columns <keys>', context.say('runs.option.columns', {}))
    .action(async (options: Options) => {
      if (options.json) return context.printJson(await context.ask(runs, options))
      const answer = await context.ask(runTable, options)
      if (answer.total === 0) context.remark(context.say('run.none', {}))
      else if (answer.runs.length === 0) context.remark(context.say('runs.none-fit', { count: answer.total }))
      else printRuns(context, answer, options.columns?.split(',').map(column => column.trim()) ?? [])
    })
}

function printRuns(context: Context, { runs: listed }: RunTableAnswer, columns: readonly string[]): void {
  const header = (['id', 'name', 'source', 'status', 'steps', 'metrics', 'points', 'tags'] as const).map(column =>
    context.say(`runs.column.${column}`, {}),
  )
  const statuses = new Map(listed.map(({ status }) => [status, '']))
  for (const status of statuses.keys()) statuses.set(status, context.say(`status.${status}`, {}))
  const tagged = listed.some(({ tags }) => tags.length > 0)
  const rows = listed.map(run => [
    run.id,
    printable(run.name, 48),
    run.source,
    statuses.get(run.status) ?? run.status,
    run.steps === null ? '–' : `${shortStep(run.steps[0])}–${shortStep(run.steps[1])}`,
    count(run.metrics),
    count(run.points),
    ...(tagged ? [printable(run.tags.join(', '), 40)] : []),
    ...run.columns.map(cellText),
  ])
  const head = [...header.slice(0, tagged ? 8 : 7), ...columns.map(column => printable(column, 40))]
  const right = new Set([5, 6, ...columns.map((_, i) => (tagged ? 8 : 7) + i)])
  const [headLine, ...lines] = alignTable([head, ...rows], right)
  context.print([context.paint('dim', headLine), ...lines].join('\n'))
}

function cellText(value: RunTableAnswer['runs'][number]['columns'][number]): string {
  if (value === null) return '–'
  if (typeof value === 'number') return shortNumber(value)
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 32)
}
