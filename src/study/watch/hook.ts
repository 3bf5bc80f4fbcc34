import { spawn } from 'node:child_process'
import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'

/**
 * A program of the user's that is told what happened: one event as JSON on its standard input. It is started as it is,
 * without a shell, so that nothing in an event or in a run's name can become a command.
 */

const say = sentences({
  'hook.empty': { en: 'an empty command cannot be run', zh: '命令为空，无法执行' },
  'hook.unfinished': { en: 'the command {command} ends inside quotes', zh: '命令 {command} 的引号没有闭合' },
})

/** Words as a person quotes them; nothing else means anything: no variables, no stars, no pipes. */
export function wordsOf(command: string): readonly string[] {
  const words: string[] = []
  let [word, quote]: [string | null, string | null] = [null, null]
  for (const letter of command) {
    if (quote !== null) {
      if (letter === quote) quote = null
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + letter
  }
  if (quote !== null) throw new Problem('bad-request', say('hook.unfinished', { command }))
  if (word !== null) words.push(word)
  if (words.length === 0) throw new Problem('bad-request', say('hook.empty', {}))
  return words
}

/** The exit code, or the name of what went wrong. */
export function runHook(command: readonly string[], event: object): Promise<number | string> {
  const [program, ...rest] = command
  return new Promise(resolve => {
    const child = spawn(program, rest, { shell: false, stdio: ['pipe', 'inherit', 'inherit'] })
    child.on('error', error => resolve(error.message))
    child.on('close', code => resolve(code ?? 'killed'))
    // A program that does not read is none of our business.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(event)}\n`)
  })
}
