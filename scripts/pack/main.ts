import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { application } from './application.js'
import { type Entry, readEntries, textEntry, under } from './entries.js'
import { requiredGlibc } from './glibc.js'
import { nodeRuntime } from './node-runtime.js'
import { npmPackage, readManifest } from './npm-package.js'
import { tarGz } from './tar.js'
import { wheelEntries, wheelFileName } from './wheel.js'
import { zip } from './zip.js'

/**
 * `npm run pack:all`: klens as an npm package, as an archive with Node inside, and as a Python wheel around the same
 * files, all into pack/. The same checkout gives the same archive and wheel, byte for byte.
 */

const root = process.cwd()
const target = join(root, 'pack')
const work = join(target, '.work')
mkdirSync(target, { recursive: true })

const { name, version, description, license } = readManifest(root)

const npmTarball = npmPackage(root, join(work, 'npm'), target)
report(npmTarball)

const files = [...application(root, npmTarball, join(work, 'application')), ...nodeRuntime(root, join(work, 'node'))]
const glibc = requiredGlibc(files)
const content = [launcher(), ...files]
write(`${name}-${version}-linux-x64.tar.gz`, tarGz(under(`${name}-${version}`, content)))

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const facts = { name, version, summary: description, licence: license, readme, glibc }
const packages = {
  [name]: [...readEntries(join(root, 'packaging', 'wheel'), isSource), ...content],
  klens_gym: readEntries(join(root, 'packaging', 'klens_gym'), isSource),
}
write(wheelFileName(facts), zip(wheelEntries(facts, packages)))
console.log(`The archive and the wheel need glibc ${glibc} or newer.`)

function isSource(path: string): boolean {
  return !path.includes('__pycache__')
}

function launcher(): Entry {
  const script = readFileSync(join(root, 'packaging', 'klens.sh'), 'utf8')
  return textEntry('klens', script.replaceAll('@GLIBC@', glibc), true)
}

function write(fileName: string, bytes: Uint8Array): void {
  writeFileSync(join(target, fileName), bytes)
  report(join(target, fileName))
}

function report(path: string): void {
  console.log(`pack/${basename(path)}  ${(statSync(path).size / 1e6).toFixed(1)} MB`)
}
