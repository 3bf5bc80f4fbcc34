import type { Command } from 'commander'
import { preflightBlocks } from '../../core/present/preflight.js'
import { preflight } from '../ask/preflight.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { formatFrom, severitiesFrom } from './print/severities.js'

interface Options {
  readonly json?: boolean
  readonly failOn: string
  readonly all?: boolean
  readonly format: string
}

export function preflightVerb(context: Context): Command {
  return verb('preflight', context.say('preflight.about', {}), context)
    .argument('<launch...>', context.say('preflight.launch', {}))
    .option('--verl <version|path>', context.say('preflight.option.verl', {}))
    .option('--until <step>', context.say('preflight.option.until', {}))
    .option('--sd <spread>', context.say('preflight.option.sd', {}))
    .option('--call-simulator', context.say('preflight.option.call-simulator', {}))
    .option('--fail-on <severity>', context.say('diagnose.option.fail-on', {}), 'never')
    .option('--all', context.say('diagnose.option.all', {}))
    .option('--format <format>', context.say('audit.option.format', {}), 'text')
    .action(async (launch: string[], options: Options) => {
      const failOn = severitiesFrom(options.failOn)
      const { json: _json, failOn: _failOn, all: _all, format, ...asked } = options
      const sarif = formatFrom(format) === 'sarif'
      const answer = await interruptible(signal => context.ask(preflight, { launch, ...asked, sarif }, { signal }))
      if (sarif) context.printJson(answer.sarif)
      else if (options.json || format === 'json') context.printJson(answer)
      else context.present(preflightBlocks(answer, context.speaker, options))
      if (answer.findings.some(({ severity }) => failOn.has(severity))) process.exitCode = 1
    })
}
