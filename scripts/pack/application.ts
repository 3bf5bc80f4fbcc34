import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, readEntries, under } from './entries.js'
import { run } from './run.js'

/**
 * klens as the npm package has it, and beside it the only library that is not bundled: DuckDB's binding for Linux x64,
 * in the version and with the checksum of the lock file.
 */
export function application(root: string, npmPackage: string, work: string): Entry[] {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  run(work, 'tar', ['-xzf', npmPackage])
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(work, name))
  const target = ['--os=linux', '--cpu=x64', '--libc=glibc']
  run(work, 'npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...target])
  return [
    ...readEntries(join(work, 'package')),
    ...under('node_modules', readEntries(join(work, 'node_modules'), isNeededToRun)),
  ]
}

/** Libraries ship texts and types for developers; of those only the licences go along. */
export function isNeededToRun(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^(?:licen[cs]e|notice)/i.test(name)) return true
  return !/(?:\.md|\.map|\.[cm]?ts|^\.package-lock\.json)$/i.test(name)
}
