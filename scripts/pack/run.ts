import { spawnSync } from 'node:child_process'

/** Runs a program to its end and gives what it printed; what it says on stderr is passed on only when it fails. */
export function run(folder: string, program: string, words: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${words.join(' ')} ended with ${status}: ${error?.message ?? stderr}`)
}
