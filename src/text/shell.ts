/** A word of a command that people paste into a shell, whatever a stranger called his run. */
export function forShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** Likewise, and bare where nothing in it has a meaning: as a person would type it. */
export function typedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : forShell(word)
}
