import { gzipSync } from 'node:zlib'
import type { Entry } from './entries.js'

/**
 * A .tar.gz in the ustar format, written here so that the same files give the same bytes on every machine: no times, no
 * user names, a fixed order. Any tar reads it.
 */

const BLOCK = 512
const NAME_LENGTH = 100
const PREFIX_LENGTH = 155

export function tarGz(entries: readonly Entry[]): Uint8Array {
  const blocks = entries.flatMap(entry => [header(entry), entry.bytes, padding(entry.bytes.length)])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]))
}

function header({ path, executable, bytes }: Entry): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  const [prefix, name] = splitPath(path)
  block.write(name, 0)
  block.write(octal(executable ? 0o755 : 0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(bytes.length, 12), 124)
  block.write(octal(0, 12), 136)
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(prefix, 345)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** ustar keeps a long path in two fields, cut at a slash. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_LENGTH) return ['', path]
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= PREFIX_LENGTH && Buffer.byteLength(name) <= NAME_LENGTH) return [prefix, name]
  }
  throw new Error(`the path is too long for a tar archive: ${path}`)
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`
}

function padding(length: number): Uint8Array {
  return Buffer.alloc((BLOCK - (length % BLOCK)) % BLOCK)
}
