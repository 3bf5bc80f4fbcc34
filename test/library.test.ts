import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { QUESTIONS } from '../src/app/ask/questions.js'
import { sharedFolder } from './workspace.js'

/** The package as another program has it: the files that npm packs, under node_modules, and nothing else. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/library.md'), 'utf8')
const ENTRIES = ['klens', 'klens/logs', 'klens/stats']

/** The examples of the page, each with what it shows as its output. */
const EXAMPLES = [...PAGE.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)].map(([, code, output]) => ({
  code,
  output,
}))

interface Exports {
  readonly [entry: string]: { readonly types: string; readonly default: string }
}

describe('klens as a library', () => {
  let folder = ''
  let paths: readonly string[] = []
  beforeAll(() => {
    folder = join(sharedFolder(), 'consumer')
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    const packed = npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder)
    const [{ filename, files }]: [{ filename: string; files: { path: string }[] }] = JSON.parse(packed)
    paths = files.map(({ path }) => path)
    expect(spawnSync('tar', ['-xzf', filename], { cwd: folder }).status).toBe(0)
    symlinkSync(join(folder, 'package'), join(folder, 'node_modules/klens'))
    mkdirSync(join(folder, 'package/node_modules'))
    // Its one dependency, which npm would have installed.
    symlinkSync(join(ROOT, 'node_modules/@duckdb'), join(folder, 'package/node_modules/@duckdb'))
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  }, 60_000)

  it('is the built program and library, with kernels, types and licences, and neither tests nor sources nor maps', () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const { './package.json': _, ...exported }: Exports = exports
    const needed = [
      'bin/klens.js',
      'dist/cli/klens.cjs',
      'dist/train/kernels/kernels.wasm',
      'dist/logs/scanner.wasm',
      'dist/licences.txt',
      'LICENSE',
      ...Object.values(exported).flatMap(({ types, default: code }) => [types, code].map(path => path.slice(2))),
    ]
    expect(needed.filter(path => !paths.includes(path))).toEqual([])
    const unwanted = /\.(?:map|tsbuildinfo)$|(?<!^dist\/types\/.*\.d)\.ts$|\.test\.d\.ts$|\.klens\/|^src\/|^test\//
    expect(paths.filter(path => unwanted.test(path))).toEqual([])
  })

  it('has an example for each entry', () => {
    const imported = EXAMPLES.flatMap(({ code }) => [...code.matchAll(/ from '(.+)'/g)].map(([, from]) => from))
    expect([...new Set(imported)].sort()).toEqual(ENTRIES)
  })

  it.each(EXAMPLES.map(({ code, output }, i) => [i, code, output] as const))(
    'prints what the page shows: example %i',
    (i, code, output) => {
      writeFileSync(join(folder, `example-${i}.js`), code)
      const { stdout, stderr } = node(folder, `example-${i}.js`)
      expect(stderr).toBe('')
      expect(stdout).toBe(output)
    },
  )

  it('has types for a strict program that has installed nothing else', () => {
    EXAMPLES.forEach(({ code }, i) => void writeFileSync(join(folder, `example-${i}.ts`), code))
    writeFileSync(join(folder, 'typed.ts'), TYPED)
    const compilerOptions = {
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      // Those of the compiler itself.
      skipDefaultLibCheck: true,
      noEmit: true,
      target: 'es2023',
      lib: ['es2023', 'dom'],
      module: 'nodenext',
      types: [],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' })
    const errors = [...stdout.matchAll(/^(\S+?)\(.*error (TS\d+)/gm)].map(([, file, code]) => `${file} ${code}`)
    expect({ stdout, errors }).toEqual({ stdout, errors: [] })
  }, 60_000)

  it.each(ENTRIES)('does nothing when %s is imported', entry => {
    const code = `
      const names = () => process.eventNames().map(String).sort().join()
      const before = names()
      await import('${entry}')
      console.log(names() === before, process._getActiveHandles().filter(each => each.fd === undefined).length)`
    writeFileSync(join(folder, 'imports.js'), code)
    expect(node(folder, 'imports.js')).toMatchObject({ stdout: 'true 0\n', stderr: '', status: 0 })
  })

  it('says in a sentence that a question does not exist', () => {
    writeFileSync(
      join(folder, 'unknown.js'),
      `import { openWorkspace } from 'klens'
      const workspace = await openWorkspace('.')
      await workspace.ask('toString', {}).catch(error => console.log(error.name, error.code, error.message))`,
    )
    const { stdout } = node(folder, 'unknown.js')
    expect(stdout).toBe('KlensError bad-request klens has no question "toString"; docs/library.md lists them\n')
  })

  it('can be asked every question that the page lists, and lists them all', () => {
    const [, listed = ''] = /^Questions that read: (.*?)^What each/ms.exec(PAGE) ?? []
    const names = [...listed.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)
    expect(names.sort()).toEqual(Object.keys(QUESTIONS).sort())
  })
})

/** What the compiler must refuse stands under `@ts-expect-error`, so that types which became `any` are an error. */
const TYPED = `
import { type AnswerOf, openWorkspace, type RequestOf } from 'klens'
import { readRuns } from 'klens/logs'
import { wilson } from 'klens/stats'

export async function verdict(request: RequestOf<'compare'>): Promise<'better' | 'other'> {
  const workspace = await openWorkspace()
  const answer: AnswerOf<'compare'> = await workspace.ask('compare', request)
  const first = answer.verdicts[0]
  // @ts-expect-error an answer has no such member
  answer.verdict
  // @ts-expect-error sides are names
  await workspace.ask('compare', { sides: [1, 2] })
  // @ts-expect-error there is no such question
  await workspace.ask('compared', {})
  // @ts-expect-error a verdict is one of a few words
  if (first?.answer === 'best') return 'better'
  return first?.answer === 'better' ? 'better' : 'other'
}

export async function steps(path: string): Promise<number[]> {
  const found: number[] = []
  for await (const run of readRuns(path)) {
    for await (const event of run.events()) {
      if (event.type === 'row') found.push(event.step)
      // @ts-expect-error only rows have steps
      event.step
    }
  }
  return found
}

export const share: number = wilson(0.9, 50).low
// @ts-expect-error a share is a number
wilson('0.9', 50)
`

function npm(cwd: string, ...words: string[]): string {
  return spawnSync('npm', [...words, '--silent'], { cwd, encoding: 'utf8' }).stdout
}

function node(cwd: string, script: string) {
  const { KLENS_HOME: _, ...env } = process.env
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { cwd, env, encoding: 'utf8' })
  return { stdout, stderr, status }
}
