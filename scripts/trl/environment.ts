import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * A virtual environment with what requirements.txt names, made once and kept in a cache folder: torch alone has several
 * gigabytes. Where it cannot be had, the reason is given instead.
 */
export type Environment = { readonly python: string } | { readonly lacks: string }

export interface EnvironmentOptions {
  /** Python of another environment whose packages are seen too, after its own: several share one torch that way. */
  readonly above?: string
  /** Packages installed without what they ask for, where only a part of them is used. */
  readonly bare?: readonly string[]
}

/** Where environments and packages are kept. */
export function cacheFolder(): string {
  return process.env.KLENS_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'klens')
}

/** `gigabytes`: what it needs while it is made, with the wheels beside what is unpacked. */
export function pythonEnvironment(
  name: string,
  requirements: string,
  gigabytes: number,
  { above, bare = [] }: EnvironmentOptions = {},
): Environment {
  const wanted = [readFileSync(requirements, 'utf8'), ...bare, ...(above === undefined ? [] : [above])].join('\n')
  const version = createHash('sha256').update(wanted).digest('hex').slice(0, 8)
  const cache = cacheFolder()
  const folder = join(cache, `${name}-${version}`)
  const python = join(folder, 'bin', 'python')
  const complete = join(folder, 'complete')
  if (existsSync(complete)) return { python }

  const found = ['python3.12', 'python3.11', 'python3.10', 'python3'].find(isUsable)
  if (found === undefined) return { lacks: 'there is no Python 3.10 or newer with venv' }
  mkdirSync(cache, { recursive: true })
  const { bavail, bsize } = statfsSync(cache)
  if (bavail * bsize < gigabytes * 1e9) return { lacks: `${cache} has less than ${gigabytes} GB free` }
  console.error(`Installing ${wanted.match(/^\w.*$/gm)?.join(', ')} into ${folder} (some minutes) …`)
  const made = spawnSync(found, ['-m', 'venv', folder], { stdio: 'inherit' })
  if (made.status !== 0) return { lacks: `${found} -m venv failed` }
  if (above !== undefined) writeFileSync(join(packagesOf(python), 'above.pth'), `${packagesOf(above)}\n`)
  for (const what of [['-r', requirements], ...(bare.length > 0 ? [['--no-deps', ...bare]] : [])]) {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-cache-dir', '--disable-pip-version-check', ...what]
    const installed = spawnSync(python, pip, { encoding: 'utf8' })
    if (installed.status !== 0) return { lacks: `pip could not install it: ${pipReason(installed.stderr)}` }
  }
  writeFileSync(complete, '')
  return { python }
}

function packagesOf(python: string): string {
  const print = 'import sysconfig; print(sysconfig.get_path("purelib"))'
  return spawnSync(python, ['-c', print], { encoding: 'utf8' }).stdout.trim()
}

/** The first error that pip names, after the versions that it passed over; what follows are consequences and advice. */
function pipReason(stderr: string): string {
  const errors = stderr.split('\n').filter(line => /^ERROR: (?!Ignored the following)/.test(line))
  return (errors[0] ?? stderr.trim().split('\n').at(-1) ?? '').replace(/^ERROR: /, '').slice(0, 300)
}

function isUsable(python: string): boolean {
  const check = 'import sys, venv; sys.exit(sys.version_info < (3, 10))'
  return spawnSync(python, ['-c', check]).status === 0
}
