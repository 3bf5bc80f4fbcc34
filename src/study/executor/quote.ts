import { typedForShell } from '../../text/shell.js'

/**
 * Words as a line that a shell of the POSIX kind reads back as those very words. Only for executors that take a line and no
 * words; in single quotes nothing has a meaning but the single quote itself.
 */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  // No operating system can hand over a word with a NUL in it.
  if (word.includes('\0')) throw new RangeError('a word with a NUL')
  return typedForShell(word)
}
