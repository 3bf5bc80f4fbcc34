import type { Command } from 'commander'
import { gateBlocks, gateStatusBlocks, gateWords } from '../../core/present/gate.js'
import { gate, gateStatus } from '../ask/gate.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'

interface Options {
  readonly json?: boolean
}

/** For scripts; 2 is, as everywhere, a question that cannot be answered. */
const EXIT_CODES = { keep: 0, discard: 1, more: 3 } as const

export function gateVerb(context: Context): Command {
  const words = (name: 'baseline' | 'candidate' | `option.${'goal' | 'margin' | 'loop'}` | 'status.about'): string =>
    context.render(gateWords(`gate.${name}`, {}))
  const status = verb('status', words('status.about'), context)
    .option('--loop <name>', words('option.loop'))
    .action(async (options: Options & { readonly loop?: string }) => {
      const answer = await context.ask(gateStatus, options)
      if (options.json) context.printJson(answer)
      else context.present(gateStatusBlocks(answer, context.speaker))
    })
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return verb('gate', context.say('gate.about', {}), context)
    .argument('<baseline>', words('baseline'))
    .argument('<candidate>', words('candidate'))
    .option('--loop <name>', words('option.loop'))
    .option('--goal <metric>', words('option.goal'))
    .option('--margin <size>', words('option.margin'))
    .option('--ended', context.say('compare.option.ended', {}))
    .action(async (baseline: string, candidate: string, options: Options) => {
      const answer = await interruptible(signal => context.ask(gate, { ...options, baseline, candidate }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(gateBlocks(answer, context.speaker))
      process.exitCode = EXIT_CODES[answer.decision]
    })
    .addCommand(status)
}
