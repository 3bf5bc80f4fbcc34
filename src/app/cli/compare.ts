import type { Command } from 'commander'
import { paragraph, toned } from '../../core/present/blocks.js'
import { comparisonBlocks } from '../../core/present/comparison.js'
import { compare } from '../ask/compare.js'
import { type Context, verb } from './context.js'

interface Options {
  readonly json?: boolean
  readonly all?: boolean
  readonly explain?: boolean
}

export function compareVerb(context: Context): Command {
  return verb('compare', context.say('compare.about', {}), context)
    .argument('<side...>', context.say('compare.sides', {}))
    .option('-m, --metric <name>', context.say('compare.option.metric', {}))
    .option('--by <steps|tokens|samples|time>', context.say('compare.option.by', {}))
    .option('--margin <size>', context.say('compare.option.margin', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--window <from:to>', context.say('compare.option.window', {}))
    .option('--seed-sd <size>', context.say('compare.option.seed-sd', {}))
    .option('--cluster <column>', context.say('compare.option.cluster', {}))
    .option('--ended', context.say('compare.option.ended', {}))
    .option('--all', context.say('compare.option.all', {}))
    .option('--explain', context.say('compare.option.explain', {}))
    .action(async (sides: string[], options: Options) => {
      const answer = await context.ask(compare, { ...options, sides })
      if (options.json) return context.printJson(answer)
      const hint = context.say('compare.explain-hint', {})
      const isShort = !options.all && !options.explain
      context.print('')
      context.present(
        [...comparisonBlocks(answer, context.speaker, options), ...(isShort ? [paragraph(toned(hint, 'quiet'))] : [])],
        { all: options.all === true, indent: 2 },
      )
    })
}
