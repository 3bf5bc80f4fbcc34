import type { Command } from 'commander'
import { decisionBlocks } from '../../core/present/decision.js'
import { sentences } from '../../text/sentences.js'
import { decide } from '../ask/decide.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'

const say = sentences({
  'decide.runs': {
    en: 'runs to choose from (default: all runs of the workspace)',
    zh: '供选择的 run；不写则为工作区中的全部',
  },
  'decide.option.for': { en: 'what to optimise for: score, worst-seed, cost', zh: '目标：score、worst-seed、cost' },
})

export function decideVerb(context: Context): Command {
  return verb('decide', context.say('decide.about', {}), context)
    .argument('[run...]', context.render(say('decide.runs', {})))
    .option('--for <aim>', context.render(say('decide.option.for', {})), 'score')
    .option('--metric <metric>', context.say('compare.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--ended', context.say('compare.option.ended', {}))
    .action(async (runs: string[], options: { readonly json?: boolean; readonly for: string }) => {
      const answer = await interruptible(signal => context.ask(decide, { ...options, runs }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(decisionBlocks(answer, context.speaker))
    })
}
