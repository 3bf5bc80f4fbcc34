import { join } from 'node:path'
import { vi } from 'vitest'
import { main } from '../src/app/cli/main.js'
import type { Ran } from './cli.js'

/**
 * The same command line inside the test's own process: a tenth of the cost, and a server of the test's can answer it.
 * For what does not depend on being a process.
 */
export async function klensInside(
  folder: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const surrounding = { KLENS_HOME: join(folder, '.klens'), LANG: 'C.UTF-8', LC_ALL: '', NO_COLOR: '1', ...environment }
  for (const [name, value] of Object.entries(surrounding)) vi.stubEnv(name, value)
  const home = process.cwd()
  process.chdir(folder)
  const [out, error] = [process.stdout, process.stderr].map(stream => {
    const pieces: string[] = []
    vi.spyOn(stream, 'write').mockImplementation(piece => pieces.push(String(piece)) > 0)
    return pieces
  })
  try {
    await main(words)
    return { code: Number(process.exitCode ?? 0), out: out.join(''), error: error.join('') }
  } finally {
    process.chdir(home)
    process.exitCode = undefined
    // Each call listens anew for a closed pipe.
    process.stdout.removeAllListeners('error')
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
}

export async function jsonInside<T>(folder: string, words: readonly string[]): Promise<T> {
  const { code, out, error } = await klensInside(folder, [...words, '--json'])
  if (code !== 0) throw new Error(`klens ${words.join(' ')} ended with ${code}: ${error}`)
  return JSON.parse(out) as T
}
