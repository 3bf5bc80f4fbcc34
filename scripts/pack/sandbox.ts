import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'

/**
 * Where an installed klens is tried: an environment with nothing of the developer's in it, no network unless an
 * installation needs one, and no way to write where klens is installed, not even for root.
 */

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly error: string
  readonly seconds: number
}

export interface Place {
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly limits: Limits
}

export interface Limits {
  readonly network: boolean
  readonly readOnly?: string
}

const MOUNT_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && PATH=$KLENS_CHECK_PATH exec "$@"'

export function runIn({ folder, environment, limits }: Place, program: string, words: readonly string[]): Ran {
  const [first = program, ...rest] = [...wrapper(limits), program, ...words]
  const limited = limits.readOnly === undefined ? {} : { PATH: process.env.PATH, KLENS_CHECK_PATH: environment.PATH }
  const start = performance.now()
  const { status, stdout, stderr, error } = spawnSync(first, rest, {
    cwd: folder,
    env: { ...environment, ...limited },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const seconds = (performance.now() - start) / 1000
  return { code: status, out: stdout ?? '', error: error?.message ?? stderr, seconds }
}

/** Containers often forbid to take the network or a folder away from a program. */
export function canLimit(folder: string): boolean {
  const place = { folder, environment: { PATH: process.env.PATH }, limits: { network: false, readOnly: folder } }
  return runIn(place, 'true', []).code === 0
}

/** A folder for PATH that holds these programs of the machine and no others: no Node of the machine's, above all. */
export function toolFolder(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true })
  for (const name of names) symlinkSync(run('/', 'sh', ['-c', `command -v ${name}`]).trim(), join(folder, name))
  return folder
}

function wrapper({ network, readOnly }: Limits): readonly string[] {
  if (network && readOnly === undefined) return []
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const mount = readOnly === undefined ? [] : ['sh', '-c', MOUNT_READ_ONLY, readOnly]
  return ['/usr/bin/unshare', ...user, '--mount', ...(network ? [] : ['--net']), '--', ...mount]
}
