import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isNeededToRun } from '../scripts/pack/application.js'
import { readEntries, textEntry } from '../scripts/pack/entries.js'
import { requiredGlibc } from '../scripts/pack/glibc.js'
import { tarGz } from '../scripts/pack/tar.js'
import { wheelEntries, wheelFileName } from '../scripts/pack/wheel.js'
import { zip } from '../scripts/pack/zip.js'
import { memoryRegion } from '../src/lab/weights/region.js'
import { readZip } from '../src/lab/weights/zip-read.js'
import { temporaryFolder } from './workspace.js'

/** The parts of `npm run pack:all`. Installing what it makes takes minutes: that is `npm run pack:check`. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FACTS = { name: 'klens', version: '1.2.3', summary: 'S', licence: 'MIT', readme: '# klens', glibc: '2.28' }

describe.skipIf(process.platform !== 'linux')('the launcher', () => {
  it('starts the Node beside it with all words as they are, also through a link and from a path with spaces', () => {
    const { folder, tools } = installed({ library: 'glibc 2.28' })
    const link = join(temporaryFolder(), 'k l')
    symlinkSync(join(folder, 'klens'), link)
    const { stdout, status } = start(link, tools, ['diagnose', 'my runs/', '', '*'])
    expect(stdout).toBe(`${folder}/bin/klens.js|diagnose|my runs/||*|`)
    expect(status).toBe(7)
  })

  it.each(['glibc 2.28', 'glibc 2.36', 'glibc 2.28.9000', 'glibc 3.0'])('runs with %s', library => {
    const { folder, tools } = installed({ library })
    expect(start(join(folder, 'klens'), tools, ['runs']).status).toBe(7)
  })

  it.each(['glibc 2.27', 'glibc 2.5', 'glibc 2.17'])('says in one sentence that %s is too old', library => {
    const { folder, tools } = installed({ library })
    const { stdout, stderr, status } = start(join(folder, 'klens'), tools, ['runs'])
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 })
    expect(stderr).toMatch(new RegExp(`^klens: this machine has ${library}, and .* needs 2\\.28 or newer`))
  })

  it('says it in Chinese when the locale or --lang asks for it', () => {
    const { folder, tools } = installed({ library: 'glibc 2.17' })
    const chinese = /^klens：本机的 glibc 是 2\.17，.*需要 2\.28 或更高版本/
    expect(start(join(folder, 'klens'), tools, ['runs'], { LANG: 'zh_CN.UTF-8' }).stderr).toMatch(chinese)
    expect(start(join(folder, 'klens'), tools, ['runs', '--lang', 'zh']).stderr).toMatch(chinese)
    const english = start(join(folder, 'klens'), tools, ['--lang=en', 'runs'], { LANG: 'zh_CN.UTF-8' })
    expect(english.stderr).toMatch(/^klens: this machine has glibc 2\.17/)
  })

  it('says that it is for x86-64 on any other machine', () => {
    const { folder, tools } = installed({ library: 'glibc 2.36', machine: 'aarch64' })
    const { stderr, status } = start(join(folder, 'klens'), tools, ['runs'])
    expect(stderr).toMatch(/for x86-64, and this machine is aarch64/)
    expect(status).toBe(2)
  })
})

describe('the archives', () => {
  const entries = [
    textEntry('a/run', '#!/bin/sh\n', true),
    textEntry(`a/${'long/'.repeat(30)}中文 name.txt`, 'x'.repeat(1000)),
    textEntry('a/empty', ''),
  ]

  it.skipIf(process.platform !== 'linux')('are unpacked by tar with every path, byte and mode', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'x.tar.gz'), tarGz(entries))
    expect(spawnSync('tar', ['xf', 'x.tar.gz'], { cwd: folder }).status).toBe(0)
    const unpacked = readEntries(join(folder, 'a')).map(({ path, ...rest }) => ({ path: `a/${path}`, ...rest }))
    expect(unpacked).toEqual(entries.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
  })

  it('are the same bytes whenever they are made', () => {
    expect(tarGz(entries)).toEqual(tarGz(entries))
    expect(zip(entries)).toEqual(zip(entries))
  })

  it('refuse a path that tar cannot hold', () => {
    expect(() => tarGz([textEntry('x'.repeat(101), '')])).toThrow('too long for a tar archive')
  })

  it('are zip files that a reader of its own reads', async () => {
    const found = await readZip(memoryRegion('x.zip', Buffer.from(zip(entries))))
    const contents = found.map(async ({ name, size, open }) => [name, (await (await open()).read(0, size)).toString()])
    expect(await Promise.all(contents)).toEqual(entries.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]))
  })
})

describe('the wheel', () => {
  it('lists every file with its hash and length, itself last and without', () => {
    const klens = [textEntry('klens', 'launcher', true), textEntry('a,b', '')]
    const entries = wheelEntries(FACTS, { klens, klens_gym: [textEntry('client.py', '')] })
    const record = Buffer.from(entries.at(-1)?.bytes ?? []).toString()
    const hash = createHash('sha256').update('launcher').digest('base64url')
    const lines = record.split('\n')
    expect(lines[0]).toBe(`klens/klens,sha256=${hash},8`)
    expect(lines[1]).toMatch(/^"klens\/a,b",sha256=[\w-]{43},0$/)
    expect(lines[2]).toMatch(/^klens_gym\/client\.py,/)
    expect(lines.slice(-2)).toEqual(['klens-1.2.3.dist-info/RECORD,,', ''])
    expect(lines).toHaveLength(entries.length + 1)
  })

  it('bears the tag of the glibc it needs, and one that the pip of RHEL 8 knows', () => {
    expect(wheelFileName(FACTS)).toBe('klens-1.2.3-py3-none-linux_x86_64.manylinux_2_28_x86_64.whl')
  })
})

describe('what is packed', () => {
  it('needs the newest glibc that any binary names, compared as numbers', () => {
    const binary = (names: string) => textEntry('x.so', `\x7fELF\0${names}\0`)
    expect(
      requiredGlibc([binary('GLIBC_2.9'), binary('GLIBC_2.28\0GLIBC_2.3.4'), textEntry('a.md', 'GLIBC_2.99')]),
    ).toBe('2.28')
    expect(() => requiredGlibc([textEntry('a.md', 'GLIBC_2.99')])).toThrow('no file')
  })

  it.each([
    ['@duckdb/node-bindings/duckdb.js', true],
    ['@duckdb/node-bindings/LICENSE', true],
    ['x/LICENSE.md', true],
    ['x/README.md', false],
    ['x/lib/index.d.ts', false],
    ['x/lib/index.js.map', false],
  ])('of a library: %s %s', (path, expected) => {
    expect(isNeededToRun(path)).toBe(expected)
  })

  it('needs nothing at run time but what is bundled, Node itself and DuckDB', () => {
    expect(Object.keys(packageJson().dependencies)).toEqual(['@duckdb/node-bindings'])
    const built = ['cli', 'library'].map(name => join(ROOT, 'dist', name))
    const modules = built.flatMap(folder => readdirSync(folder).flatMap(name => imports(join(folder, name))))
    expect(modules).toContain('node:fs')
    const others = modules.filter(name => !name.startsWith('.') && !name.startsWith('node:'))
    expect([...new Set(others)].filter(name => !isBuiltin(name))).toEqual(['@duckdb/node-bindings'])
  })
})

function packageJson() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

function imports(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/\brequire\(["']([^"']+)["']\)|^import .*? ?from ["']([^"']+)["']/gm)].flatMap(
    ([, required, imported]) => required ?? imported ?? [],
  )
}

interface Machine {
  readonly library: string
  readonly machine?: string
}

/** The launcher beside a Node that only tells its words, on a machine that says of itself what the test wants. */
function installed({ library, machine = 'x86_64' }: Machine): { readonly folder: string; readonly tools: string } {
  const folder = join(temporaryFolder(), 'a folder')
  const tools = join(temporaryFolder(), 'tools')
  for (const path of [join(folder, 'runtime'), tools]) mkdirSync(path, { recursive: true })
  const launcher = readFileSync(join(ROOT, 'packaging/klens.sh'), 'utf8').replaceAll('@GLIBC@', '2.28')
  program(join(folder, 'klens'), launcher)
  program(join(folder, 'runtime/node'), '#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n')
  program(join(tools, 'getconf'), `#!/bin/sh\necho "${library}"\n`)
  program(join(tools, 'uname'), `#!/bin/sh\necho "${machine}"\n`)
  return { folder, tools }
}

function program(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o755 })
}

function start(command: string, tools: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { PATH: `${tools}:/usr/bin:/bin`, LANG: 'C.UTF-8', ...environment }
  return spawnSync(command, words, { encoding: 'utf8', env })
}
