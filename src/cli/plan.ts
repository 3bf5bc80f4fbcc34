import type { Command } from 'commander'
import { type PlanAnswer, plan } from '../ask/plan.js'
import { type Context, verb } from './context.js'
import { alignTable, count, printable, shortNumber } from './print/style.js'

interface Options {
  readonly json?: boolean
}

type Amounts = NonNullable<PlanAnswer['forMargin']>

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
      else printPlan(context, answer)
    })
}

function printPlan(context: Context, answer: PlanAnswer): void {
  const { difference, margin, forMargin, detectable, budget, assumptions } = answer
  const power = 100 * answer.power
  if (difference !== null) {
    const head = context.say('plan.to-see', { difference: shortNumber(difference), power })
    printAmounts(context, head, answer)
  }
  if (margin !== null) {
    const head = context.say('plan.to-equate', { margin: shortNumber(margin), power })
    printAmounts(context, head, forMargin ?? answer)
  }
  for (const found of detectable) {
    const smallest = shortNumber(found.difference)
    context.print(
      'evals' in found
        ? context.say('plan.detectable.evals', { evals: found.evals, difference: smallest })
        : context.say('plan.detectable.prompts', { prompts: found.prompts, difference: smallest }),
    )
  }
  if (budget !== undefined) printSplit(context, budget)
  context.print('')
  context.print(context.paint('bold', context.say('plan.assumed', {})))
  for (const assumption of assumptions) context.print(`  ${printable(assumption, 300)}`)
}

function printAmounts(context: Context, head: string, amounts: Amounts): void {
  const { prompts, unpairedPrompts, evals, promptsPerEvaluation = 0, seeds } = amounts
  const ofPrompts = [
    ...(prompts === undefined ? [] : [context.say('plan.prompts', { n: count(prompts) })]),
    ...(unpairedPrompts === undefined ? [] : [context.say('plan.prompts-unpaired', { n: count(unpairedPrompts) })]),
  ]
  const rows = [
    ...(ofPrompts.length === 0
      ? []
      : [[context.say('plan.row.checkpoints', {}), ofPrompts.join(context.say('plan.or', {}))]]),
    ...(evals === undefined
      ? []
      : [
          [
            context.say('plan.row.runs', {}),
            evals === null
              ? context.say('plan.no-evals', { n: count(promptsPerEvaluation) })
              : context.say('plan.evals', { n: count(evals) }),
          ],
        ]),
    ...(seeds === undefined
      ? []
      : [[context.say('plan.row.settings', {}), context.say('plan.seeds', { n: count(seeds) })]]),
  ]
  context.print(context.paint('bold', head))
  for (const line of alignTable(rows)) context.print(`  ${line}`)
}

function printSplit(context: Context, { seeds, prompts, detectable, spent }: NonNullable<PlanAnswer['budget']>): void {
  context.print(
    context.say('plan.split', { seeds, prompts, detectable: shortNumber(detectable), spent: shortNumber(spent) }),
  )
  if (seeds < 3) context.print(context.say('plan.split-few', {}))
}
