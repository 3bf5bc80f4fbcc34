import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DATA, ROOT } from '../generate.js'
import type { Spent } from '../measure.js'

/** The Python tools that klens races against: installed once, in exactly these versions, under bench/.data. */

const run = promisify(execFile)

const SCRIPTS = join(ROOT, 'bench', 'peers')
const REQUIREMENTS = join(SCRIPTS, 'logs-requirements.txt')
const ENVIRONMENT = join(DATA, 'log-peers')

export async function installPeers(): Promise<void> {
  const wanted = readFileSync(REQUIREMENTS, 'utf8')
  const complete = join(ENVIRONMENT, 'complete')
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) return
  console.error('installing the peers …')
  rmSync(ENVIRONMENT, { recursive: true, force: true })
  mkdirSync(DATA, { recursive: true })
  await run('python3', ['-m', 'venv', ENVIRONMENT])
  await run(command('pip'), ['install', '--quiet', '-r', REQUIREMENTS])
  writeFileSync(complete, wanted)
}

/** What one of the scripts in bench/peers prints, which is JSON. */
export async function answerOf(script: string, words: readonly string[]) {
  const { stdout } = await run(command('python'), [join(SCRIPTS, script), ...words], { maxBuffer: 1 << 30 })
  return JSON.parse(stdout)
}

/** A tool of the environment as a process of its own. */
export async function timedCommand(words: readonly string[]): Promise<Spent> {
  const [tool, ...rest] = words
  return answerOf('logs-timed.py', [command(tool), ...rest])
}

function command(name: string): string {
  return join(ENVIRONMENT, 'bin', name)
}
