import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'

/** The real command line, as built. `npm test` builds before it tests. */

/** npm and vitest both run in the folder of the package. */
const KLENS = resolve('bin/klens.js')

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

export function klens(folder: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KLENS, ...words], {
    cwd: folder,
    env: surroundings(folder, environment),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  return { code: status, out: stdout, error: stderr }
}

export function klensJson<T>(folder: string, words: readonly string[]): T {
  const { code, out, error } = klens(folder, [...words, '--json'])
  if (code !== 0) throw new Error(`klens ${words.join(' ')} ended with ${code}: ${error}`)
  return JSON.parse(out) as T
}

export function startKlens(
  folder: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  /** As whom; as who runs the tests unless given. */
  user: { readonly uid?: number } = {},
): ChildProcess {
  const env = surroundings(folder, environment)
  return spawn(process.execPath, [KLENS, ...words], { cwd: folder, env, stdio: 'pipe', ...user })
}

export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode)
    else child.once('exit', code => resolve(code))
  })
}

function surroundings(folder: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LANG: 'C.UTF-8',
    LC_ALL: '',
    NO_COLOR: '1',
    KLENS_HOME: join(folder, '.klens'),
    ...environment,
  }
}
