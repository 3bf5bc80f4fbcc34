import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.js'

/**
 * The npm package: the files that package.json names, built, with a manifest that has nothing left to build or to develop.
 * With the scripts in it, npm would warn every user about a `prepare` that it does not run.
 */
export function npmPackage(root: string, work: string, target: string): string {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  run(work, 'tar', ['-xzf', pack(root, work)])
  const folder = join(work, 'package')
  const { scripts, devDependencies, overrides, ...published } = readManifest(folder)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  return pack(folder, target)
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly scripts?: unknown
  readonly devDependencies?: unknown
  readonly overrides?: unknown
}

/** Without scripts, because what is to be packed has just been built. */
function pack(folder: string, target: string): string {
  const printed = run(folder, 'npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', target])
  return join(target, printed.trim())
}
