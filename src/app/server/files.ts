import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'

/**
 * The dashboard's own files, read once into memory: nothing that a request says ever becomes a path. Names carry a hash and
 * are kept by the browser for good; the page itself is asked for again and answered with 304 while it is the same.
 */

const TYPES: { readonly [ending: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface KeptFile {
  readonly bytes: Buffer<ArrayBuffer>
  readonly type: string
  readonly etag: string
  /** With Brotli, where the build has packed it. */
  readonly packed: Buffer<ArrayBuffer> | null
  /** By what the browser accepts, once it has been asked for. */
  readonly compressed: Map<string, Promise<Compressed>>
}

export type Files = ReadonlyMap<string, KeptFile>

/** Beside the bundled command line; in a checkout, where the build puts it. */
function webFolder(): string {
  const places = ['../web', '../../../dist/web'].map(place => fileURLToPath(new URL(place, import.meta.url)))
  return places.find(place => existsSync(join(place, 'index.html'))) ?? places[0]
}

export async function readFiles(folder: string = webFolder()): Promise<Files> {
  const names: readonly string[] = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, KeptFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = Buffer.from(await readFile(join(folder, name)))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    const packed = names.includes(`${name}.br`) ? Buffer.from(await readFile(join(folder, `${name}.br`))) : null
    files.set(`/${name.split(sep).join('/')}`, { bytes, type, etag, packed, compressed: new Map() })
  }
  return files
}

/** Whatever is no file is a view of the page. */
export async function sendFile(c: Context, files: Files): Promise<Response> {
  const { path } = c.req
  const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (file === undefined) return c.text('not found', 404)
  c.header('etag', file.etag)
  c.header('vary', 'accept-encoding')
  c.header('cache-control', file.type === TYPES['.html'] ? 'no-cache' : 'public, max-age=31536000, immutable')
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304)
  const accepted = c.req.header('accept-encoding') ?? ''
  const kept = file.compressed.get(accepted) ?? compressedFile(file, accepted)
  if (file.compressed.size < 8) file.compressed.set(accepted, kept)
  const { bytes, encoding } = await kept
  if (encoding !== null) c.header('content-encoding', encoding)
  return c.body(bytes, 200, { 'content-type': file.type })
}

const WORTH_COMPRESSING = 1024

/** Of answers that are compressed for one reader: figures get hardly smaller by more, in twice the time. */
const QUALITY = 2

/** Of files that are compressed once and sent often. The page's script takes 45 ms of CPU, and the first reader waits for it. */
const KEPT_QUALITY = 9

function compressedFile({ bytes, packed }: KeptFile, accepted: string): Promise<Compressed> {
  if (packed !== null && BROTLI.test(accepted)) return Promise.resolve({ bytes: packed, encoding: 'br' })
  return compressed(bytes, accepted, KEPT_QUALITY)
}

const BROTLI = /\bbr\b/

const brotli = promisify(brotliCompress)
const zipped = promisify(gzip)

interface Compressed {
  readonly bytes: Buffer<ArrayBuffer>
  readonly encoding: 'br' | 'gzip' | null
}

/** Hono's own compression knows no Brotli (the page's script is 8 % smaller by it) and packs a file again for every reader. */
export async function compressed(bytes: Buffer<ArrayBuffer>, accepted: string, quality = QUALITY): Promise<Compressed> {
  if (bytes.length < WORTH_COMPRESSING) return { bytes, encoding: null }
  if (BROTLI.test(accepted)) {
    const packed = await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
    return { bytes: Buffer.from(packed), encoding: 'br' }
  }
  if (!/\bgzip\b/.test(accepted)) return { bytes, encoding: null }
  return { bytes: Buffer.from(await zipped(bytes, { level: quality })), encoding: 'gzip' }
}
