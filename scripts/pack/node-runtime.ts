import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from './entries.js'
import { run } from './run.js'

/**
 * Node for the archive and the wheel: the official binary, taken from the npm registry by name and version. Both the
 * package and the binary in it must have the checksums of packaging/node.json, whoever delivers them.
 */

interface Pin {
  readonly package: string
  readonly version: string
  readonly integrity: string
  readonly binarySha256: string
}

export function nodeRuntime(root: string, cache: string): Entry[] {
  const pin: Pin = JSON.parse(readFileSync(join(root, 'packaging', 'node.json'), 'utf8'))
  const tarball = join(cache, `${pin.package}-${pin.version}.tgz`)
  mkdirSync(cache, { recursive: true })
  if (!existsSync(tarball)) run(cache, 'npm', ['pack', `${pin.package}@${pin.version}`])
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  mustEqual(tarball, integrity, pin.integrity)
  run(cache, 'tar', ['-xzf', tarball, 'package/bin/node', 'package/LICENSE'])
  const binary = readFileSync(join(cache, 'package', 'bin', 'node'))
  mustEqual('package/bin/node', createHash('sha256').update(binary).digest('hex'), pin.binarySha256)
  return [
    { path: 'runtime/node', executable: true, bytes: binary },
    { path: 'runtime/LICENSE', executable: false, bytes: readFileSync(join(cache, 'package', 'LICENSE')) },
  ]
}

function mustEqual(what: string, found: string, expected: string): void {
  if (found !== expected) throw new Error(`${what} has the checksum ${found}, packaging/node.json says ${expected}`)
}
