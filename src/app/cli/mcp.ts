import type { Command } from 'commander'
import { assist } from '../server/standard-doors.js'
import { type Context, verb } from './context.js'
import { whileAsked } from './while-asked.js'

interface Options {
  readonly write?: boolean
}

export function mcpVerb(context: Context): Command {
  return verb('mcp', context.say('mcp.about', {}), context)
    .option('--write', context.say('mcp.option.write', {}))
    .action(({ write }: Options) => {
      // A workspace that lies elsewhere says nothing about the project.
      const folder = process.env.KLENS_HOME ? process.cwd() : undefined
      const helper = [process.argv[1], 'serve', '--helper']
      return whileAsked(signal => context.ask(assist, { write, folder, helper }, { signal }))
    })
}
