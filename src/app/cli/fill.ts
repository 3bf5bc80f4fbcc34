import type { Command } from 'commander'
import { fillBlocks } from '../../core/present/fill.js'
import { fill } from '../ask/fill.js'
import { type Context, verb } from './context.js'

interface Options {
  readonly json?: boolean
  readonly output?: string
  readonly check?: boolean
  readonly accept?: boolean
}

export function fillVerb(context: Context): Command {
  return verb('fill', context.say('fill.about', {}), context)
    .argument('<report>', context.say('fill.report', {}))
    .option('-o, --output <file>', context.say('fill.option.output', {}))
    .option('--check', context.say('fill.option.check', {}))
    .option('--accept', context.say('fill.option.accept', {}))
    .action(async (report: string, { json, output, check, accept }: Options) => {
      const answer = await context.ask(fill, { report, output, check, accept })
      if (json) context.printJson(answer)
      else context.present(fillBlocks(answer, context.speaker))
      const isWrong = answer.references.some(({ state }) => WRONG.has(state) || (check && state !== 'same'))
      if (isWrong) process.exitCode = 1
    })
}

/** A verdict that turned, a figure that somebody changed, a reference that leads nowhere. */
const WRONG: ReadonlySet<string> = new Set(['turned', 'edited', 'failed'])
