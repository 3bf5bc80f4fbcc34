import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readEntries } from './entries.js'
import { INSTALLATIONS, type Installation } from './installations.js'
import { run } from './run.js'
import { canLimit } from './sandbox.js'
import { play, SCENARIOS } from './scenarios.js'

/**
 * `npm run pack:check`: installs what `npm run pack:all` made, each into an empty folder whose path has a space and
 * Chinese letters, takes the right to write there away, calls klens through a link, and compares every answer with that
 * of the checkout. The archive and the wheel have no network.
 */

const root = process.cwd()
const packed = join(root, 'pack')
const logs = join(root, 'src', 'logs', 'sources', 'fixtures', 'wandb')
if (!existsSync(packed)) {
  console.error('There is no pack/ to check: run `npm run pack:all` first.')
  process.exit(1)
}
/** Best of three: the first start reads the files from disk, the others show klens itself. */
const STARTS = 3

const base = mkdtempSync(join(tmpdir(), 'klens 安装 '))
const canBeLimited = canLimit(base)
if (!canBeLimited) console.log('This machine lets no program be cut off from network or disk: the check does without.')
const workspace = join(base, '工作 区')
const problems: string[] = []
try {
  const expected = new Map(SCENARIOS.map(scenario => [scenario.name, fromCheckout(scenario)]))
  for (const installation of INSTALLATIONS) check(installation, expected)
} finally {
  run('/', 'chmod', ['-R', 'u+w', base])
  rmSync(base, { recursive: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log('All three say what the checkout says.')

function fromCheckout(scenario: (typeof SCENARIOS)[number]): string {
  const place = {
    folder: workspace,
    environment: surroundings(dirname(process.execPath)),
    limits: { network: true },
  }
  const { result, ran } = play(scenario, place, [process.execPath, join(root, 'bin', 'klens.js')], logs)
  if (ran.code !== 0) throw new Error(`the checkout itself fails at "${scenario.name}":\n${result}`)
  return result
}

function check({ name, needsNetwork, install }: Installation, expected: ReadonlyMap<string, string>): void {
  const folder = join(base, name)
  mkdirSync(folder)
  const network = needsNetwork || !canBeLimited
  const { command, path, uninstall } = install(packed, folder, { network })
  for (const file of filesNamingTheCheckout(folder)) problems.push(`${name}: ${file} names the folder it was built in`)
  run('/', 'chmod', ['-R', 'a-w', folder])

  const links = join(base, `${name} 链接`)
  mkdirSync(links)
  symlinkSync(command, join(links, 'klens'))
  const place = {
    folder: workspace,
    environment: surroundings(`${links}:${path}`),
    limits: canBeLimited ? { network, readOnly: folder } : { network },
  }
  for (const scenario of SCENARIOS) {
    const { result, ran } = play(scenario, place, ['klens'], logs)
    const first = `${name}, ${scenario.name}: ${ran.seconds.toFixed(2)} s`
    const repeats = Array.from({ length: STARTS - 1 }, () => play(scenario, place, ['klens'], logs).ran.seconds)
    console.log(`${first}, best of ${STARTS} ${Math.min(ran.seconds, ...repeats).toFixed(2)} s`)
    if (result !== expected.get(scenario.name)) {
      problems.push(`${name}, ${scenario.name}: not what the checkout says, but\n${result.slice(0, 2000)}`)
    }
  }
  run('/', 'chmod', ['-R', 'u+w', folder])
  for (const file of uninstall?.() ?? []) problems.push(`${name}: left behind after it was uninstalled: ${file}`)
}

function surroundings(path: string): NodeJS.ProcessEnv {
  return { PATH: path, HOME: workspace, KLENS_HOME: join(workspace, '.klens'), LANG: 'C.UTF-8', NO_COLOR: '1' }
}

function filesNamingTheCheckout(folder: string): readonly string[] {
  const ours = /(?:^|\/)klens(?:-[^/]+)?\/(?:bin|dist)\//
  return readEntries(folder, path => ours.test(path))
    .filter(({ bytes }) => Buffer.from(bytes).includes(root) || Buffer.from(bytes).includes('sourceMappingURL'))
    .map(({ path }) => path)
}
