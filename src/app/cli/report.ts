import type { Command } from 'commander'
import { report } from '../ask/report.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly decide?: string | true
}

export function reportVerb(context: Context): Command {
  return verb('report', context.say('report.about', {}), context)
    .argument('<run...>', context.say('report.runs', {}))
    .option('-o, --output <file>', context.say('report.option.output', {}), 'report.md')
    .option('-m, --metric <name>', context.say('compare.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--margin <size>', context.say('compare.option.margin', {}))
    .option('--ended', context.say('compare.option.ended', {}))
    .option('--by <steps|tokens|samples|time>', context.say('compare.option.by', {}))
    .option('--over <key>', context.say('report.option.over', {}), collect)
    .option('--decide [aim]', context.say('report.option.decide', {}))
    .option('--title <title>', context.say('report.option.title', {}))
    .option('--date <date>', context.say('report.option.date', {}))
    .action(async (runs: string[], options: Options) => {
      const answer = await interruptible(signal =>
        context.ask(
          report,
          { ...options, runs, decide: options.decide === true ? 'score' : options.decide },
          { signal },
        ),
      )
      if (options.json) context.printJson(answer)
      else for (const path of answer.files) context.print(context.say('report.written', { path: printable(path, 300) }))
    })
}
