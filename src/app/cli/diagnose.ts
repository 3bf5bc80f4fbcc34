import type { Command } from 'commander'
import { diagnosisBlocks } from '../../core/present/diagnosis.js'
import { diagnose } from '../ask/diagnose.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { severitiesFrom } from './print/severities.js'

interface Options {
  readonly json?: boolean
  readonly failOn: string
  readonly all?: boolean
  readonly explain?: boolean
  readonly follow?: boolean
}

export function diagnoseVerb(context: Context): Command {
  return verb('diagnose', context.say('diagnose.about', {}), context)
    .argument('<run...>', context.say('diagnose.runs', {}))
    .option('--fail-on <severity>', context.say('diagnose.option.fail-on', {}), 'never')
    .option('--all', context.say('diagnose.option.all', {}))
    .option('--explain', context.say('diagnose.option.explain', {}))
    .option('-f, --follow', context.say('diagnose.option.follow', {}))
    .action(async (runs: string[], options: Options) => {
      if (options.follow) {
        const { watchRuns } = await import('./watch.js')
        return watchRuns(context, runs, { ...options, stop: 'none' })
      }
      const failOn = severitiesFrom(options.failOn)
      const answer = await interruptible(signal => context.ask(diagnose, { runs }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(diagnosisBlocks(answer, context.speaker, options), options)
      if (answer.findings.some(({ severity }) => failOn.has(severity))) process.exitCode = 1
    })
}
