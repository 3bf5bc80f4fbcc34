import { spawn } from 'node:child_process'
import { type Command, Option } from 'commander'
import { serveAsHelper } from '../server/jobs.js'
import { type Serving, serve } from '../server/serve.js'
import { answerLines } from '../server/standard-doors.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { whileAsked } from './while-asked.js'

interface Options {
  readonly json?: boolean
  readonly open: boolean
  readonly port?: string
  readonly host?: string
  readonly tokens?: string
  /** Told to itself: answer for the server that started it. */
  readonly helper?: boolean
  /** For a program that starts it: answers lines on standard input. */
  readonly pipe?: boolean
}

export function serveVerb(context: Context): Command {
  return verb('serve', context.say('serve.about', {}), context)
    .argument('[path...]', context.say('serve.argument.paths', {}))
    .option('--port <port>', context.say('serve.option.port', {}))
    .option('--host <address>', context.say('serve.option.host', {}))
    .option('--tokens <file>', context.say('serve.option.tokens', {}))
    .option('--no-open', context.say('serve.option.no-open', {}))
    .addOption(new Option('--helper').hideHelp())
    .addOption(new Option('--pipe').hideHelp())
    .action(async (paths: string[], { json, open, port, host, tokens, helper, pipe }: Options) => {
      if (helper && process.connected) return serveAsHelper()
      if (pipe) return servePipe(context)
      const { KLENS_READ_TOKEN: readToken, KLENS_WRITE_TOKEN: writeToken } = process.env
      const onProgress = (serving: Serving): void => {
        if (json) context.printJson(serving)
        else printServing(context, serving)
        if (open) openBrowser(serving.page)
      }
      await interruptible(signal =>
        context.ask(
          serve,
          { paths, port, host, tokens, readToken, writeToken, helper: [process.argv[1], 'serve', '--helper'] },
          { signal, onProgress },
        ),
      )
      // To be told to stop is how serving ends.
      process.exitCode = 0
    })
}

function servePipe(context: Context): Promise<void> {
  const onProgress = (line: string): void => void process.stdout.write(`${line}\n`)
  const helper = [process.argv[1], 'serve', '--helper']
  return whileAsked(signal => context.ask(answerLines, { helper }, { signal, onProgress }))
}

/** The address on the first line, alone. */
function printServing(context: Context, { url, tokens }: Serving): void {
  context.print(url)
  if (tokens !== null) {
    context.print(context.say('serve.read', { url, token: tokens.read }))
    context.print(context.say('serve.write', { url, token: tokens.write }))
  }
  context.print(context.say('serve.stop', {}))
}

/** Only where there is a display; a machine without a browser is no error. */
function openBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const hasDisplay = DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  const [command, ...words] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  if (process.platform === 'linux' && !hasDisplay) return
  spawn(command, words, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
