import type { Command } from 'commander'
import { runsBlocks } from '../../core/present/runs.js'
import { runs, runTable } from '../ask/runs.js'
import { type Context, collect, verb } from './context.js'
import { terminalWidth } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly sort?: string
  readonly columns?: string
}

export function runsVerb(context: Context): Command {
  return verb('runs', context.say('runs.about', {}), context)
    .option('--status <status>', context.say('runs.option.status', {}))
    .option('--tag <tag>', context.say('runs.option.tag', {}), collect)
    .option('--search <words>', context.say('runs.option.search', {}))
    .option('--where <condition>', context.say('runs.option.where', {}), collect)
    .option('--sort <key>', context.say('runs.option.sort', {}))
    .option('--columns <keys>', context.say('runs.option.columns', {}))
    .action(async (options: Options) => {
      if (options.json) return context.printJson(await context.ask(runs, options))
      const answer = await context.ask(runTable, options)
      const columns = options.columns?.split(',').map(column => column.trim()) ?? []
      context.present(runsBlocks(answer, context.speaker, { columns, width: terminalWidth() }))
    })
}
