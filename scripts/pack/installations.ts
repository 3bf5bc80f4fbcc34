import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'
import { type Limits, type Ran, runIn, toolFolder } from './sandbox.js'

/** The three ways to install klens, each into an empty folder and with a HOME and PATH of its own. */

export interface Installed {
  /** The command a user calls. */
  readonly command: string
  readonly path: string
  /** Takes it away again and tells what is left; only pip can. */
  readonly uninstall?: () => readonly string[]
}

export interface Installation {
  readonly name: string
  /** npm fetches DuckDB's binding from the registry; the others must do without any network. */
  readonly needsNetwork: boolean
  readonly install: (packed: string, folder: string, limits: Limits) => Installed
}

/** What the launcher calls. */
const LAUNCHER_TOOLS = ['sh', 'readlink', 'uname', 'getconf']

export const INSTALLATIONS: readonly Installation[] = [
  { name: 'npm package', needsNetwork: true, install: installWithNpm },
  { name: 'archive', needsNetwork: false, install: unpack },
  { name: 'wheel', needsNetwork: false, install: installWithPip },
]

function installWithNpm(packed: string, folder: string): Installed {
  const path = toolFolder(join(folder, 'tools'), ['sh', 'env', 'node', 'npm', 'npx'])
  const project = join(folder, 'project')
  mkdirSync(project)
  const environment = { ...waysToTheRegistry(), HOME: folder, PATH: path }
  const place = { folder: project, environment, limits: { network: true } }
  // An empty folder is not enough for npm: it would install into the nearest folder above that has node_modules.
  const words = ['install', '--prefix', '.', '--no-audit', '--no-fund', find(packed, /^klens-[\d.]+\.tgz$/)]
  mustWork(runIn(place, 'npm', words))
  mustWork(runIn(place, 'npx', ['--no-install', 'klens', '--version']))
  return { command: join(project, 'node_modules', '.bin', 'klens'), path }
}

/** Proxies and certificates are the machine's; what npm tells the scripts it runs would be about the checkout. */
function waysToTheRegistry(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
}

function unpack(packed: string, folder: string, limits: Limits): Installed {
  const path = toolFolder(join(folder, 'tools'), [...LAUNCHER_TOOLS, 'tar', 'gzip'])
  const place = { folder, environment: { HOME: folder, PATH: path }, limits }
  mustWork(runIn(place, 'tar', ['xf', find(packed, /-linux-x64\.tar\.gz$/)]))
  return { command: join(folder, find(folder, /^klens-/, ''), 'klens'), path }
}

function installWithPip(packed: string, folder: string, limits: Limits): Installed {
  const path = toolFolder(join(folder, 'tools'), LAUNCHER_TOOLS)
  const environment = { HOME: folder, PATH: path, PYTHONDONTWRITEBYTECODE: '1', PIP_DISABLE_PIP_VERSION_CHECK: '1' }
  const place = { folder, environment, limits }
  // python3 may be a script of a version manager; Python itself needs nothing from PATH.
  const python = run('/', 'python3', ['-c', 'import sys; print(sys.executable)']).trim()
  mustWork(runIn(place, python, ['-m', 'venv', 'venv']))
  const venv = join(folder, 'venv')
  const before = new Set(filesBelow(venv))
  const pip = (...words: readonly string[]) =>
    mustWork(runIn(place, join(venv, 'bin', 'python'), ['-m', 'pip', ...words]))
  pip('install', '--no-index', find(packed, /\.whl$/))
  pip('check')
  mustWork(runIn(place, join(venv, 'bin', 'python'), ['-m', 'klens', '--version']))
  const uninstall = () => {
    pip('uninstall', '--yes', 'klens')
    return filesBelow(venv).filter(file => !before.has(file))
  }
  return { command: join(venv, 'bin', 'klens'), path, uninstall }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
}

function find(folder: string, pattern: RegExp, prefix = `${folder}/`): string {
  const name = readdirSync(folder).find(name => pattern.test(name))
  if (name === undefined) throw new Error(`nothing in ${folder} looks like ${pattern}; run "npm run pack:all" first`)
  return `${prefix}${name}`
}

function mustWork({ code, out, error }: Ran): void {
  if (code !== 0) throw new Error(`an installation ended with ${code}:\n${out}${error}`)
}
