import type { Command } from 'commander'
import { auditBlocks, auditRuleBlocks } from '../../core/present/audit.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { type AuditAnswer, type AuditProgress, audit, auditRules } from '../ask/audit.js'
import { type Context, collect, verb } from './context.js'
import { formatFrom, severitiesFrom } from './print/severities.js'
import { statusLine } from './print/status-line.js'

interface Options {
  readonly json?: boolean
  readonly data?: readonly string[]
  readonly ledger?: string
  readonly html?: string
  readonly strict?: boolean | readonly string[]
  readonly assertions?: string
  readonly reader?: string
  readonly printAssertions?: boolean
  readonly fix?: boolean
  readonly checklist?: boolean
  readonly config?: string
  readonly baseline?: string
  readonly updateBaseline?: boolean
  readonly format: string
  readonly failOn: string
  readonly rules?: boolean
}

export function auditVerb(context: Context): Command {
  return verb('audit', context.say('audit.about', {}), context)
    .argument('[report...]', context.say('audit.files', {}))
    .option('--data <run>', context.say('audit.option.data', {}), collect)
    .option('--ledger <file>', context.say('audit.option.ledger', {}))
    .option('--html <file>', context.say('audit.option.html', {}))
    .option('--strict [section...]', context.say('audit.option.strict', {}))
    .option('--assertions <file>', context.say('audit.option.assertions', {}))
    .option('--reader <url#model>', context.say('audit.option.reader', {}))
    .option('--print-assertions', context.say('audit.option.print-assertions', {}))
    .option('--fix', context.say('audit.option.fix', {}))
    .option('--checklist', context.say('audit.option.checklist', {}))
    .option('--config <file>', context.say('audit.option.config', {}))
    .option('--baseline <file>', context.say('audit.option.baseline', {}))
    .option('--update-baseline', context.say('audit.option.update-baseline', {}))
    .option('--format <format>', context.say('audit.option.format', {}), 'text')
    .option('--fail-on <severity>', context.say('audit.option.fail-on', {}), 'error')
    .option('--rules', context.say('audit.option.rules', {}))
    .action((reports: string[], options: Options) =>
      options.rules ? printRules(context, options) : auditAll(context, reports, options),
    )
}

async function auditAll(context: Context, reports: readonly string[], options: Options): Promise<void> {
  const failOn = severitiesFrom(options.failOn)
  const format = formatFrom(options.format)
  const { data, ledger, html, strict = false, assertions, reader, printAssertions, fix } = options
  const { checklist, config, baseline, updateBaseline } = options
  const asked = {
    reports: reports.filter(path => path !== STANDARD_INPUT),
    texts: reports.includes(STANDARD_INPUT) ? [{ name: 'stdin', text: await standardInput() }] : [],
    ...{ data, ledger, html, strict: strict !== false, sections: typeof strict === 'boolean' ? [] : strict },
    ...{ assertions, reader, printAssertions, fix, checklist, config, baseline, updateBaseline },
    folder: process.cwd(),
    sarif: format === 'sarif',
  }
  const waiting = waitingLine(context, format !== 'text' || options.json === true)
  const answer = await context.ask(audit, asked, { onProgress: waiting.update }).finally(waiting.done)
  if (format === 'sarif') context.printJson(answer.sarif)
  else if (options.json || format === 'json') context.printJson(answer)
  else if (fix) printPatches(context, answer)
  else context.present(auditBlocks(answer, context.speaker))
  if (answer.files.some(({ findings }) => findings.some(({ severity }) => failOn.has(severity)))) process.exitCode = 1
}

const STANDARD_INPUT = '-'
const MOST_CHARACTERS = 20e6

async function standardInput(): Promise<string> {
  let text = ''
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece
    if (text.length > MOST_CHARACTERS)
      throw new Problem(
        'unreadable',
        message('audit.too-large', { path: STANDARD_INPUT, limit: MOST_CHARACTERS / 1e6 }),
      )
  }
  return text
}

/** A model may take minutes over one piece, so the line is painted by the clock and not by what it answers. */
function waitingLine(context: Context, quiet: boolean) {
  const line = statusLine(quiet)
  let pieces = 0
  const clock = setInterval(() => {
    if (pieces > 0) line.paint(seconds => context.say('audit.reading', { pieces, seconds: Math.round(seconds) }))
  }, 500)
  return {
    update: (progress: AuditProgress): void => {
      pieces = progress.pieces
    },
    done: (): void => {
      clearInterval(clock)
      line.clear()
    },
  }
}

/** As they are, for `git apply`: a line of a patch may end in spaces that count. */
function printPatches(context: Context, { files }: AuditAnswer): void {
  for (const { patch = '' } of files) if (patch !== '') context.print(patch.replace(/\n$/, ''))
}

async function printRules(context: Context, { json }: Options): Promise<void> {
  const answer = await context.ask(auditRules, {})
  if (json) context.printJson(answer)
  else context.present(auditRuleBlocks(answer, context.speaker))
}
