import type { Command } from 'commander'
import { planBlocks } from '../../core/present/plan.js'
import { plan } from '../ask/plan.js'
import { type Context, verb } from './context.js'

interface Options {
  readonly json?: boolean
}

export function planVerb(context: Context): Command {
  return verb('plan', context.say('plan.about', {}), context)
    .argument('[side...]', context.say('plan.sides', {}))
    .option('-m, --metric <name>', context.say('plan.option.metric', {}))
    .option('--difference <size>', context.say('plan.option.difference', {}))
    .option('--margin <size>', context.say('plan.option.margin', {}))
    .option('--power <share>', context.say('plan.option.power', {}))
    .option('--sd <spread>', context.say('plan.option.sd', {}))
    .option('--seed-sd <spread>', context.say('plan.option.seed-sd', {}))
    .option('--prompts <n>', context.say('plan.option.prompts', {}))
    .option('--discordance <share>', context.say('plan.option.discordance', {}))
    .option('--p <share>', context.say('plan.option.p', {}))
    .option('--evals <n>', context.say('plan.option.evals', {}))
    .option('--budget <amount>', context.say('plan.option.budget', {}))
    .option('--cost-run <amount>', context.say('plan.option.cost-run', {}))
    .option('--cost-prompt <amount>', context.say('plan.option.cost-prompt', {}))
    .action(async (sides: string[], options: Options) => {
      const answer = await context.ask(plan, { ...options, sides })
      if (options.json) context.printJson(answer)
      else context.present(planBlocks(answer, context.speaker))
    })
}
