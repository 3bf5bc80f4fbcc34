import { Command, type HelpConfiguration, Option } from 'commander'
import type { Block } from '../../core/present/blocks.js'
import { type Speaker, speakerIn } from '../../core/present/speaker.js'
import { terminalLines } from '../../core/present/terminal.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { harmlessText } from '../../text/harmless.js'
import type { Language } from '../../text/language.js'
import { message, say, type TextKey, type TextParams } from '../../text/say.js'
import { render } from '../../text/sentences.js'
import { type Asking, askHere, type Question, type Unparsed } from '../ask/question.js'
import { colour, printable, terminalWidth, wantsColour, wrapped } from './print/style.js'

/** What every verb gets: the reader's language, and where to write. */
export interface Context {
  readonly language: Language
  readonly say: <Key extends TextKey>(key: Key, params: TextParams<Key>) => string
  readonly render: (message: Message) => string
  readonly paint: ReturnType<typeof colour>
  readonly print: (line: string) => void
  /** Puts answers into the reader's words. */
  readonly speaker: Speaker
  /** Blocks as lines; notes among them go to stderr. */
  readonly present: (blocks: readonly Block[], options?: { readonly all?: boolean; readonly indent?: number }) => void
  readonly printJson: (value: unknown) => void
  /** Remarks that are no part of the answer go to stderr. */
  readonly remark: (line: string) => void
  /** Asks in the workspace in force, in the reader's language. */
  readonly ask: <Input, Request, Answer, Progress>(
    question: Question<Input, Request, Answer, Progress>,
    input: Unparsed<Input>,
    asking?: Asking<Progress>,
  ) => Promise<Answer>
  /** Keeps the runs that were read for an answer, when it has been printed. */
  readonly keep: () => Promise<void>
}

export function createContext(language: Language): Context {
  const paint = colour(wantsColour(process.stdout))
  let unkept: (() => Promise<void>) | null = null
  let kept = Promise.resolve()
  const keep = (): Promise<void> => {
    if (unkept !== null) kept = unkept()
    unkept = null
    return kept
  }
  return {
    language,
    say: (key, params) => say(language, key, params),
    render: message => render(message, language),
    paint,
    print,
    speaker: speakerIn(language),
    present(blocks, options = {}) {
      for (const block of blocks) if (block.kind === 'note') remark(printable(block.text, 200))
      const lines = terminalLines(blocks, { paint, width: terminalWidth(), ...options })
      // At once: a list of ten thousand runs is no ten thousand writes.
      if (lines.length > 0) print(lines.join('\n'))
    },
    printJson: value => void process.stdout.write(`${harmlessText(JSON.stringify(value))}\n`),
    remark,
    async ask(question, input, asking) {
      await keep()
      const said = (message: Message): void => remark(printable(render(message, language), 600))
      const typed = Object.assign({}, input, { lang: language })
      return askHere(question, typed, { remark: said, ...asking }, keepLater => {
        unkept = keepLater
      })
    },
    keep,
  }
}

function print(line: string): void {
  process.stdout.write(`${wrapped(line)}\n`)
}

function remark(line: string): void {
  process.stderr.write(`${wrapped(line)}\n`)
}

/** A verb with the options that all verbs share. */
export function verb(name: string, description: string, context: Context): Command {
  return new Command(name)
    .description(description)
    .option('--json', context.say('cli.option.json', {}))
    .addOption(new Option('--lang <zh|en>', context.say('cli.option.lang', {})))
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .configureHelp(helpIn(context))
}

/** A verb that has verbs of its own: `klens study run`. */
export function verbGroup(name: string, description: string, context: Context, verbs: readonly Command[]): Command {
  const group = new Command(name)
    .description(description)
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .helpCommand(false)
    .configureHelp(helpIn(context))
    .allowExcessArguments()
    .action((_: unknown, command: Command) => {
      const [unknown] = command.args
      if (unknown === undefined) return command.outputHelp()
      throw new Problem('bad-request', message('cli.unknown-verb', { name: `${name} ${unknown}`, hint: '' }))
    })
  for (const one of verbs) group.addCommand(one.exitOverride().configureOutput({ writeErr: () => {} }))
  return group
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Help in the reader's language: the words that commander itself would say are English. */
export function helpIn(context: Context): HelpConfiguration {
  return {
    styleTitle: title => translateTitle(title, context),
    optionDescription: ({ description, defaultValue }) =>
      typeof defaultValue === 'string'
        ? `${description}${context.say('cli.help.default', { value: defaultValue })}`
        : description,
  }
}

const TITLES: { readonly [title: string]: `cli.help.${'usage' | 'arguments' | 'options' | 'commands'}` } = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Commands:': 'cli.help.commands',
}

function translateTitle(title: string, context: Context): string {
  const key = TITLES[title]
  return key === undefined ? title : context.say(key, {})
}
