import { Command } from 'commander'
import { gymReplay } from '../ask/gym-replay.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { type Context, translateTitle, verb } from './context.js'
import { printReplay } from './print/gym.js'

interface Options {
  readonly json?: boolean
}

export function gymVerb(context: Context): Command {
  const group = new Command('gym')
    .description(context.say('gym.about', {}))
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .helpCommand(false)
    .configureHelp({ styleTitle: title => translateTitle(title, context) })
    .allowExcessArguments()
    .action((_: unknown, command: Command) => {
      const [name] = command.args
      if (name === undefined) return command.outputHelp()
      throw new Problem('bad-request', message('cli.unknown-verb', { name: `gym ${name}`, hint: '' }))
    })
  for (const one of [replayVerb(context)]) {
    group.addCommand(one.exitOverride().configureOutput({ writeErr: () => {} }))
  }
  return group
}

function replayVerb(context: Context): Command {
  return verb('replay', context.say('gym.replay.about', {}), context)
    .argument('<file>', context.say('gym.argument.recording', {}))
    .action(async (file: string, { json }: Options) => {
      const answer = await context.ask(gymReplay, { file })
      if (json) context.printJson(answer)
      else printReplay(context, answer)
      if (answer.differences.length > 0) process.exitCode = 1
    })
}
