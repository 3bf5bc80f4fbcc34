import { Command, CommanderError } from 'commander'
import { Problem, sentencesOf } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { closestWord } from '../../logs/model/vocabulary/suggest.js'
import { type Language, languageFromLocale } from '../../text/language.js'
import { message } from '../../text/say.js'
import { problemOf } from '../ask/question.js'
import { version } from '../ask/version.js'
import { type Context, createContext, helpIn } from './context.js'
import { Interrupted } from './interrupt.js'
import { printable } from './print/style.js'

/** The command line: one verb per file, errors as one sentence on stderr, exit codes 0, 1 (findings), 2, 130. */

type VerbMaker = (context: Context) => Command

/** Each verb is read from disk when it is asked for: to load all of klens takes longer than to list the runs. */
const VERBS = {
  import: async () => (await import('./import.js')).importVerb,
  runs: async () => (await import('./runs.js')).runsVerb,
  show: async () => (await import('./show.js')).showVerb,
  compare: async () => (await import('./compare.js')).compareVerb,
  checkpoints: async () => (await import('./checkpoints.js')).checkpointsVerb,
  samples: async () => (await import('./samples.js')).samplesVerb,
  sweep: async () => (await import('./sweep.js')).sweepVerb,
  frontier: async () => (await import('./frontier.js')).frontierVerb,
  forecast: async () => (await import('./forecast.js')).forecastVerb,
  gate: async () => (await import('./gate.js')).gateVerb,
  plan: async () => (await import('./plan.js')).planVerb,
  preflight: async () => (await import('./preflight.js')).preflightVerb,
  diagnose: async () => (await import('./diagnose.js')).diagnoseVerb,
  goal: async () => (await import('./goal.js')).goalVerb,
  vocabulary: async () => (await import('./vocabulary.js')).vocabularyVerb,
  decide: async () => (await import('./decide.js')).decideVerb,
  log: async () => (await import('./log.js')).logVerb,
  watch: async () => (await import('./watch.js')).watchVerb,
  report: async () => (await import('./report.js')).reportVerb,
  train: async () => (await import('./train.js')).trainVerb,
  study: async () => (await import('./study.js')).studyVerb,
  data: async () => (await import('./data.js')).dataVerb,
  eval: async () => (await import('./eval.js')).evalVerb,
  gym: async () => (await import('./gym.js')).gymVerb,
  fill: async () => (await import('./fill.js')).fillVerb,
  audit: async () => (await import('./audit.js')).auditVerb,
  serve: async () => (await import('./serve.js')).serveVerb,
  mcp: async () => (await import('./mcp.js')).mcpVerb,
  weights: async () => (await import('./weights.js')).weightsVerb,
  rm: async () => (await import('./manage.js')).removeVerb,
  rename: async () => (await import('./manage.js')).renameVerb,
  tag: async () => (await import('./manage.js')).tagVerb,
  note: async () => (await import('./manage.js')).noteVerb,
  doctor: async () => (await import('./doctor.js')).doctorVerb,
  export: async () => (await import('./export.js')).exportVerb,
} satisfies { readonly [name: string]: () => Promise<VerbMaker> }

type VerbName = keyof typeof VERBS

/** In which order and under which headings `klens --help` lists them: by when they are needed. */
const HELP_GROUPS = {
  before: ['preflight', 'plan'],
  during: ['watch', 'log', 'serve', 'mcp', 'forecast'],
  after: ['import', 'runs', 'show', 'diagnose', 'compare', 'checkpoints', 'samples', 'sweep', 'frontier'],
  results: ['decide', 'gate', 'report', 'audit', 'fill'],
  lab: ['train', 'study', 'data', 'eval', 'gym', 'weights'],
  store: ['goal', 'vocabulary', 'export', 'rename', 'tag', 'note', 'rm', 'doctor'],
} satisfies { readonly [group: string]: readonly VerbName[] }

export async function main(typed: readonly string[] = process.argv.slice(2)): Promise<void> {
  const words = asMeant(typed)
  const asked = askedLanguage(words)
  const language = asked === 'en' || asked === 'zh' ? asked : languageFromLocale(process.env)
  const context = createContext(language)
  leaveWhenNobodyReads(context, words)
  if (asked !== undefined && asked !== language) {
    return fail(context, words, new Problem('bad-request', message('cli.bad-language', { value: asked })))
  }
  if (withoutLanguage(words).length === 0) return (await import('./first-look.js')).greet(context)
  try {
    const klens = await program(context, words)
    try {
      await klens.parseAsync([...words], { from: 'user' }).catch(error => refuseWords(klens, words, error))
    } finally {
      await context.keep()
    }
  } catch (error) {
    fail(context, words, error)
  }
}

/** Two things that people type and that Commander would refuse: `klens help VERB`, and `klens tag RUN -good`. */
function asMeant(words: readonly string[]): readonly string[] {
  const [verb, ...rest] = withoutLanguage(words)
  const asked = askedLanguage(words)
  const language = asked === undefined ? [] : ['--lang', asked]
  if (verb === 'help') return [...rest, '--help', ...language]
  if (verb !== 'tag') return words
  const taken = rest.flatMap(word =>
    /^-[^-]/.test(word) && word !== '-r' && word !== '-h' ? ['--remove', word.slice(1)] : [word],
  )
  return [verb, ...taken, ...language]
}

function withoutLanguage(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--lang')
  return words.filter((word, i) => !word.startsWith('--lang=') && (at < 0 || (i !== at && i !== at + 1)))
}

/** Commander throws for help and version too, which are no mistakes. */
function refuseWords(klens: Command, words: readonly string[], error: unknown): void {
  if (!(error instanceof CommanderError)) throw error
  if (error.exitCode !== 0) throw new Problem('bad-request', usageSentence(klens, words, error))
}

async function program(context: Context, words: readonly string[]): Promise<Command> {
  const program = new Command('klens')
    .description(context.say('cli.about', {}))
    .version(version(), '-V, --version', context.say('cli.option.version', {}))
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .option('--lang <zh|en>', context.say('cli.option.lang', {}))
    .helpCommand(false)
    .configureHelp(helpIn(context))
  const asked = words.find(word => Object.hasOwn(VERBS, word))
  const isClear = asked !== undefined && withoutLanguage(words)[0] === asked
  // The verb that is asked for in full; of the others, name and purpose are enough for help and for "did you mean".
  for (const [name, group] of verbNames()) {
    if (isClear && name !== asked) continue
    const command =
      name === asked ? (await VERBS[name]())(context) : new Command(name).description(context.say(`${name}.about`, {}))
    program.addCommand(group === null ? command : command.helpGroup(context.say(`cli.help.${group}`, {})))
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: () => {} })
  }
  return program
}

type HelpGroup = keyof typeof HELP_GROUPS

/** Each with its group; a verb without one stands last, under commander's own heading. */
function verbNames(): readonly (readonly [VerbName, HelpGroup | null])[] {
  const groups = Object.keys(HELP_GROUPS).filter((name): name is HelpGroup => Object.hasOwn(HELP_GROUPS, name))
  const grouped = groups.flatMap(group => HELP_GROUPS[group].map(name => [name, group] as const))
  const others = Object.keys(VERBS).filter((name): name is VerbName => !grouped.some(([verb]) => verb === name))
  return [...grouped, ...others.map(name => [name, null] as const)]
}

/** A program that asked for JSON gets its errors so too. */
function fail(context: Context, words: readonly string[], error: unknown): void {
  process.exitCode = error instanceof Interrupted ? 130 : 2
  if (process.env.KLENS_DEBUG && error instanceof Error) context.remark(error.stack ?? error.message)
  const said = sentenceFor(context, error)
  if (words.includes('--json')) {
    const code = error instanceof Interrupted ? 'interrupted' : (problemOf(error)?.code ?? 'internal')
    process.stderr.write(`${JSON.stringify({ error: { code, message: said } })}\n`)
  } else {
    context.remark(context.say('cli.error', { message: said }))
  }
}

function sentenceFor(context: Context, error: unknown): string {
  if (error instanceof Interrupted) return context.say('cli.interrupted', {})
  const problem = problemOf(error)
  if (problem !== null) return printable(sentencesOf(problem).map(readable(context)).join(' '), 900)
  const internal = error instanceof Error ? error.message : String(error)
  return context.say('cli.internal', { message: printable(internal, 500) })
}

/** What stands in the blanks may be a stranger's, and so long that nothing would be left of the sentence around it. */
function readable(context: Context): (said: Message) => string {
  return message => {
    const short = Object.entries(message.params).map(([name, value]) => [
      name,
      typeof value === 'string' ? printable(value, LONGEST_BLANK) : value,
    ])
    return context.render({ ...message, params: Object.fromEntries(short) })
  }
}

const LONGEST_BLANK = 400

/** What is wrong with the words themselves. Commander says it in English; its code, and the command it was at, are enough. */
function usageSentence(
  program: Command,
  words: readonly string[],
  { code, message: english }: CommanderError,
): Message {
  const command = commandAt(program, program.args)
  const hintFor = (name: string, known: readonly string[]): Message | string => {
    const guess = closestWord(name, known)
    return guess === null ? '' : message('cli.did-you-mean', { guess })
  }
  switch (code) {
    case 'commander.unknownCommand': {
      const [name] = command.args
      const verbs = command.commands.map(verb => verb.name())
      return message('cli.unknown-verb', { name, hint: hintFor(name, verbs) })
    }
    case 'commander.unknownOption': {
      const [name] = (command.args.find(word => word.startsWith('-')) ?? '').split('=')
      const options = command.options.flatMap(({ long }) => long ?? [])
      return message('cli.unknown-option', { name, hint: hintFor(name, options) })
    }
    case 'commander.missingArgument': {
      const missing = command.registeredArguments.find(({ required }, i) => required && command.args[i] === undefined)
      return message('cli.missing-argument', { name: missing?.name() ?? '' })
    }
    case 'commander.optionMissingArgument': {
      const last = words[words.length - 1]
      const option = command.options.find(({ short, long }) => short === last || long === last)
      return message('cli.option-needs-value', { name: option?.flags ?? '' })
    }
    case 'commander.excessArguments':
      return message('cli.too-many-arguments', {})
    default:
      return message('cli.internal', { message: english })
  }
}

/** The verb, or the verb of a verb, that the words have reached. */
function commandAt(command: Command, args: readonly string[]): Command {
  const verb = command.commands.find(each => each.name() === args[0])
  return verb === undefined ? command : commandAt(verb, verb.args)
}

/** The language must be known before the verbs are made, because their help is written in it. */
function askedLanguage(words: readonly string[]): Language | string | undefined {
  const at = words.indexOf('--lang')
  return at >= 0 ? words[at + 1] : words.find(word => word.startsWith('--lang='))?.slice('--lang='.length)
}

/** `klens runs | head` closes the pipe early; that is no error. `klens runs > FILE` on a full disk is one. */
function leaveWhenNobodyReads(context: Context, words: readonly string[]): void {
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') {
      const leave = (): never => process.exit(0)
      return void context.keep().then(leave, leave)
    }
    fail(context, words, Object.assign(error, { path: context.say('cli.standard-output', {}) }))
    process.exit()
  })
}
