/** A word of a command that people paste into a shell, whatever a stranger called his run. */
export function forShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
