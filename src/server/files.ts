import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEADERS, type Packed, packed } from './reply.js'

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
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  /** By encoding, once it has been asked for. */
  readonly packed: Map<string, Promise<Packed>>
}

export type Files = ReadonlyMap<string, KeptFile>

/** Beside the bundled command line; in a checkout, where the build puts it. */
function webFolder(): string {
  const places = ['../web', '../../dist/web'].map(place => fileURLToPath(new URL(place, import.meta.url)))
  return places.find(place => existsSync(join(place, 'index.html'))) ?? places[0]
}

export async function readFiles(folder: string = webFolder()): Promise<Files> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = new Map<string, KeptFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = await readFile(join(folder, name))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    files.set(`/${name.split(sep).join('/')}`, { bytes, type, etag, packed: new Map() })
  }
  return files
}

/** Whatever is no file is a view of the page. */
export async function sendFile(
  files: Files,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : files.get('/index.html'))
  if (file === undefined) {
    response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain' }).end('not found')
    return
  }
  const isPage = file.type === TYPES['.html']
  const headers = {
    ...HEADERS,
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
  }
  if (incoming.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end()
    return
  }
  const accepted = String(incoming.headers['accept-encoding'] ?? '')
  const kept = file.packed.get(accepted) ?? packed(file.bytes, incoming, { isKept: true })
  if (file.packed.size < 8) file.packed.set(accepted, kept)
  const { bytes, encoding } = await kept
  response
    .writeHead(200, {
      ...headers,
      'content-type': file.type,
      'content-length': bytes.length,
      ...(encoding !== null && { 'content-encoding': encoding }),
    })
    .end(incoming.method === 'HEAD' ? undefined : bytes)
}
