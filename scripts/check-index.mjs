import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * Types again with `noUncheckedIndexedAccess`, under which `list[i]` may be undefined. The modules listed here hold to it;
 * the others are read by the usual check only. Tests are left out: they assert what they index.
 */
const FOLDERS = ['src/audit', 'src/logs/document', 'src/logs/sources']
/** A checksum whose indices are masked to its tables: with checks, event files read 10 % slower. */
const UNCHECKED = ['src/logs/sources/tensorboard/crc32c.ts']

// Only these modules and what they import are compiled, on one thread: all of the sources, with their tests and a copy of
// the common types for each thread, cost four times as much.
const folder = mkdtempSync(join(tmpdir(), 'klens-check-index-'))
const config = join(folder, 'tsconfig.json')
writeFileSync(
  config,
  JSON.stringify({
    extends: resolve('tsconfig.json'),
    compilerOptions: { rootDir: resolve('.'), typeRoots: [resolve('node_modules/@types')] },
    include: [...FOLDERS.map(path => resolve(path)), resolve('src/**/*.d.ts')],
    exclude: [resolve('src/**/*.test.ts'), resolve('src/**/assembly')],
  }),
)
const { stdout, status } = spawnSync(
  process.execPath,
  [
    'node_modules/typescript/bin/tsc',
    '-p',
    config,
    '--noEmit',
    '--noUncheckedIndexedAccess',
    '--singleThreaded',
    '--pretty',
    'false',
  ],
  { encoding: 'utf8', maxBuffer: 1 << 26 },
)
rmSync(folder, { recursive: true })
if (status === null || (status !== 0 && stdout === '')) {
  console.error('tsc could not be run')
  process.exit(2)
}
const isListed = line =>
  FOLDERS.some(folder => line.startsWith(`${folder}/`)) &&
  !UNCHECKED.some(file => line.startsWith(`${file}(`)) &&
  !/^[^(]*\.test\.ts\(/.test(line)
const errors = stdout.split('\n').filter(isListed)
for (const error of errors) console.error(error)
if (errors.length > 0) console.error(`${errors.length} accesses by index that may miss`)
process.exitCode = errors.length > 0 ? 1 : 0
