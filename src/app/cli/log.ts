import type { Command } from 'commander'
import { sentences } from '../../text/sentences.js'
import { LONGEST_LINE, log } from '../ask/log.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { count, printable } from './print/style.js'

const say = sentences({
  'log.option.name': { en: 'the name of the run', zh: 'run 的名字' },
  'log.done': {
    en: '{rows} {rowCount|line|lines} in run {run} ({id})',
    zh: '已将 {rows} 行写入 run {run}（{id}）',
  },
  'log.nothing': { en: 'no line had a metric', zh: '没有任何一行包含指标' },
})

export function logVerb(context: Context): Command {
  return verb('log', context.say('log.about', {}), context)
    .requiredOption('--name <name>', context.render(say('log.option.name', {})))
    .action(async (options: { readonly name: string; readonly json?: boolean }) => {
      const answer = await interruptible(signal =>
        context.ask(
          log,
          { name: options.name, lines: standardInput() },
          {
            signal,
            // What the training says to people goes on to them.
            onProgress: ({ line }) => void process.stdout.write(`${line}\n`),
          },
        ),
      )
      if (options.json) context.printJson(answer)
      else if (answer.runs.length === 0) context.remark(context.render(say('log.nothing', {})))
      for (const { id, name } of options.json ? [] : answer.runs) {
        const rows = count(answer.rows)
        context.remark(context.render(say('log.done', { rows, rowCount: answer.rows, run: printable(name, 60), id })))
      }
    })
}

/**
 * The lines of a pipe, each cut behind the longest that is read: a string of 700 MB cannot even be made. Begun only when
 * they are read: what arrives before that waits in the pipe.
 */
async function* standardInput(): AsyncGenerator<string> {
  let line = ''
  let isCut = false
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    const text = String(chunk)
    // The second half of a line end that the pipe has cut in two.
    const pieces = (isCut && text.startsWith('\n') ? text.slice(1) : text).split(LINE_END)
    isCut = text.endsWith('\r')
    for (const [i, piece] of pieces.entries()) {
      if (i > 0) {
        yield line
        line = ''
      }
      if (line.length <= LONGEST_LINE) line += piece
    }
  }
  if (line !== '') yield line
}

const LINE_END = /\r\n|\n|\r/
