import type { Command } from 'commander'
import { absoluteSize, type Size } from '../analysis/conventions.js'
import {
  type Amounts,
  amountsForDifference,
  amountsForMargin,
  detectableWithEvaluations,
  detectableWithPrompts,
  type Noise,
  type Split,
  splitBudget,
} from '../analysis/plan/plan.js'
import { FEWEST_EVALUATIONS } from '../stats/paired-mean.js'
import { message } from '../text/say.js'
import { type Context, UserError, verb } from './context.js'
import { type Known, knownNoise, measuredNoise, type PlanOptions } from './plan-known.js'
import { numberFrom, sizeFrom } from './size.js'
import { alignTable, count, printable, shortNumber } from './style.js'

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
    .action((names: string[], options: PlanOptions) => plan(context, names, options))
}

/** What the data at hand could show. */
type Detectable = { readonly difference: number } & ({ readonly prompts: number } | { readonly evals: number })

async function plan(context: Context, names: readonly string[], options: PlanOptions): Promise<void> {
  if (names.length > 2) throw new UserError(context.say('plan.two-sides', {}))
  const power = numberFrom(context, '--power', options.power, { above: 0, below: 1 }) ?? 0.8
  const [wanted, bound] = [
    sizeFrom(context, '--difference', options.difference),
    sizeFrom(context, '--margin', options.margin),
  ]
  if (wanted === null && bound === null) throw new UserError(context.say('plan.needs-size', {}))
  const measured = names.length === 0 ? null : await measuredNoise(context, names, options.metric ?? 'val.score')
  const known = knownNoise(context, options, measured)
  const size = (given: Size | null): number | null => absolute(context, given, known.level)
  const [difference, margin] = [size(wanted), size(bound)]
  const forDifference =
    difference === null ? null : amountsForDifference(difference, power, correctedFor(known, options, difference))
  const forMargin = margin === null ? null : amountsForMargin(margin, power, known.noise)
  const main = forDifference ?? forMargin ?? {}
  if (Object.keys(main).length === 0) throw new UserError(context.say('plan.nothing-known', {}))
  const split = budgetSplit(context, options, known.noise, power)
  const evals = numberFrom(context, '--evals', options.evals, { above: FEWEST_EVALUATIONS - 1, whole: true })
  const { pairedVariance, evaluations } = known.noise
  const detectable: Detectable[] = [
    ...(known.prompts === null || pairedVariance === null
      ? []
      : [{ prompts: known.prompts, difference: detectableWithPrompts(known.prompts, pairedVariance, power) }]),
    ...(evals === null || evaluations === null
      ? []
      : [{ evals, difference: detectableWithEvaluations(evals, known.noise, power) }]),
  ]
  const shares = [wanted, bound].some(given => given !== null && 'share' in given)
  const assumptions = [
    ...known.assumptions,
    ...(shares && known.level !== null ? [message('plan.assume.level', { level: shortNumber(known.level) })] : []),
    ...(split === null ? [] : [message('plan.assume.budget', {})]),
  ].map(context.render)
  if (options.json) {
    context.printJson({
      ...main,
      power,
      difference,
      margin,
      assumptions,
      ...(forDifference !== null && forMargin !== null && { forMargin }),
      detectable,
      ...(split !== null && { budget: split }),
    })
    return
  }
  if (difference !== null && forDifference !== null) {
    context.print(
      context.paint('bold', context.say('plan.to-see', { difference: shortNumber(difference), power: 100 * power })),
    )
    printAmounts(context, forDifference)
  }
  if (margin !== null && forMargin !== null) {
    context.print(
      context.paint('bold', context.say('plan.to-equate', { margin: shortNumber(margin), power: 100 * power })),
    )
    printAmounts(context, forMargin)
  }
  for (const found of detectable) {
    const difference = shortNumber(found.difference)
    context.print(
      'evals' in found
        ? context.say('plan.detectable.evals', { evals: found.evals, difference })
        : context.say('plan.detectable.prompts', { prompts: found.prompts, difference }),
    )
  }
  if (split !== null) printSplit(context, split)
  context.print('')
  context.print(context.paint('bold', context.say('plan.assumed', {})))
  for (const assumption of assumptions) context.print(`  ${printable(assumption, 300)}`)
}

/** A discordance counts the difference itself: the variance is what it leaves. */
function correctedFor({ noise }: Known, options: PlanOptions, difference: number): Noise {
  if (options.discordance === undefined || noise.pairedVariance === null) return noise
  return { ...noise, pairedVariance: Math.max(noise.pairedVariance - difference ** 2, 0) }
}

function absolute(context: Context, size: Size | null, level: number | null): number | null {
  if (size === null) return null
  const found = absoluteSize(size, level ?? 0)
  if (found === null) throw new UserError(context.say('plan.share-of-nothing', {}))
  return found
}

function budgetSplit(
  context: Context,
  options: PlanOptions,
  { seedScatter, promptScatter }: Noise,
  power: number,
): Split | null {
  const budget = numberFrom(context, '--budget', options.budget, { above: 0 })
  const run = numberFrom(context, '--cost-run', options.costRun, { above: 0 })
  const prompt = numberFrom(context, '--cost-prompt', options.costPrompt, { above: 0 })
  if (budget === null) return null
  if (run === null || prompt === null) throw new UserError(context.say('plan.needs-costs', {}))
  if (seedScatter === null || promptScatter === null) throw new UserError(context.say('plan.needs-scatter', {}))
  const split = splitBudget({ budget, run, prompt }, seedScatter, promptScatter, power)
  if (split === null)
    throw new UserError(context.say('plan.budget-too-small', { least: shortNumber(4 * (run + prompt)) }))
  return split
}

function printAmounts(context: Context, amounts: Amounts): void {
  const { prompts, unpairedPrompts, evals, promptsPerEvaluation = 0, seeds } = amounts
  const rows = [
    ...(prompts === undefined && unpairedPrompts === undefined
      ? []
      : [[context.say('plan.row.checkpoints', {}), promptText(context, prompts, unpairedPrompts)]]),
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
  for (const line of alignTable(rows)) context.print(`  ${line}`)
}

function promptText(context: Context, paired: number | undefined, unpaired: number | undefined): string {
  const parts = [
    ...(paired === undefined ? [] : [context.say('plan.prompts', { n: count(paired) })]),
    ...(unpaired === undefined ? [] : [context.say('plan.prompts-unpaired', { n: count(unpaired) })]),
  ]
  return parts.join(context.say('plan.or', {}))
}

function printSplit(context: Context, { seeds, prompts, detectable, spent }: Split): void {
  context.print(
    context.say('plan.split', { seeds, prompts, detectable: shortNumber(detectable), spent: shortNumber(spent) }),
  )
  if (seeds < 3) context.print(context.say('plan.split-few', {}))
}
