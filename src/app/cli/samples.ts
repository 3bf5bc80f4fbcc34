import type { Command } from 'commander'
import { samplesBlocks, samplesCourseBlocks } from '../../core/present/samples.js'
import { samples, samplesCourse } from '../ask/samples.js'
import { type Context, collect, verb } from './context.js'

interface Options {
  readonly json?: boolean
  readonly flips?: boolean
  readonly failures?: boolean
}

export function samplesVerb(context: Context): Command {
  return verb('samples', context.say('samples.about', {}), context)
    .argument('<side...>', context.say('samples.sides', {}))
    .option('--flips', context.say('samples.option.flips', {}))
    .option('--failures', context.say('samples.option.failures', {}))
    .option('-m, --metric <name>', context.say('samples.option.metric', {}))
    .option('--condition <key=value>', context.say('samples.option.condition', {}), collect)
    .option('--limit <n>', context.say('samples.option.limit', {}))
    .action(async (sides: string[], options: Options) => {
      if (await printedCourse(context, sides, options)) return
      const { json, flips = json } = options
      const answer = await context.ask(samples, { ...options, flips, sides })
      if (json) context.printJson(answer)
      else context.present(samplesBlocks(answer, context.speaker, options))
    })
}

/** One run without a step, which has several: what was rewarded at some of them. */
async function printedCourse(context: Context, sides: readonly string[], options: Options): Promise<boolean> {
  const [run] = sides
  if (sides.length !== 1 || /@\d+(?:\.\d+)?$/.test(run) || options.flips || options.failures) return false
  const course = await context.ask(samplesCourse, { ...options, run })
  if (course === null) return false
  if (options.json) context.printJson(course)
  else context.present(samplesCourseBlocks(course, context.speaker))
  return true
}
