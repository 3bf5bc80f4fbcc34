import type { Command } from 'commander'
import { rolloutsBlocks } from '../../core/present/rollouts.js'
import { samplesBlocks } from '../../core/present/samples.js'
import { rollouts } from '../ask/rollouts.js'
import { samples } from '../ask/samples.js'
import { type Context, collect, verb } from './context.js'

interface Options {
  readonly json?: boolean
  readonly flips?: boolean
  readonly failures?: boolean
  readonly limit?: string
  readonly top?: string
}

/** Options that ask for single answers of one run. */
const OF_ROLLOUTS = ['top', 'search', 'scores', 'ended', 'prompt', 'order', 'allSteps']

export function samplesVerb(context: Context): Command {
  return verb('samples', context.say('samples.about', {}), context)
    .argument('<side...>', context.say('samples.sides', {}))
    .option('--flips', context.say('samples.option.flips', {}))
    .option('--failures', context.say('samples.option.failures', {}))
    .option('-m, --metric <name>', context.say('samples.option.metric', {}))
    .option('--condition <key=value>', context.say('samples.option.condition', {}), collect)
    .option('--limit <n>', context.say('samples.option.limit', {}))
    .option('--top <n>', context.say('samples.option.top', {}))
    .option('--search <text>', context.say('samples.option.search', {}))
    .option('--scores <low:high>', context.say('samples.option.scores', {}))
    .option('--ended <why>', context.say('samples.option.ended', {}))
    .option('--prompt <id>', context.say('samples.option.prompt', {}))
    .option('--order <order>', context.say('samples.option.order', {}))
    .option('--all-steps', context.say('samples.option.all-steps', {}))
    .action(async (sides: string[], options: Options) => {
      if (await printedRollouts(context, sides, options)) return
      const { json, flips = json } = options
      const answer = await context.ask(samples, { ...options, flips, sides })
      if (json) context.printJson(answer)
      else context.present(samplesBlocks(answer, context.speaker, options))
    })
}

/** So many steps of a run are shown. */
const STEPS_SHOWN = '6'

/** One run and something to find: the answers that fit. One run without a step, which has several: what was rewarded there. */
async function printedRollouts(context: Context, [run, ...others]: string[], options: Options): Promise<boolean> {
  const { top, limit, flips, failures, json } = options
  const isFind = OF_ROLLOUTS.some(option => option in options)
  const isOverSteps = !isFind && !/@\d+(?:\.\d+)?$/.test(run) && !flips && !failures
  if (others.length > 0 || !(isFind || isOverSteps)) return false
  const page = isFind ? { most: top ?? limit ?? null } : { byStep: limit ?? STEPS_SHOWN }
  const answer = await context.ask(rollouts, { ...options, ...page, run, whole: json })
  if (isOverSteps && answer.steps.length < 2 && !('metric' in options)) return false
  if (json) context.printJson(answer)
  else context.present(rolloutsBlocks(answer, context.speaker))
  return true
}
