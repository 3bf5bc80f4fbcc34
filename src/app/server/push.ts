import { open, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { RunView } from '../../core/analysis/run-view.js'
import { checksumOfFile } from '../../core/store/checksum.js'
import { listedFiles, shownName } from '../../core/store/manifest.js'
import { manifestPath, parseManifest } from '../../core/store/manifest-file.js'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { list, request } from '../ask/fields.js'
import { resolveAll } from '../ask/names.js'
import { type Asking, question } from '../ask/question.js'
import { type Announced, PIECE_BYTES, type Wanted } from './receive.js'

/**
 * Runs to the server of a team. What it has already is not sent, what was cut off goes on where it was, and every file is
 * checked by its hash before the run can be seen. Weights of checkpoints stay here.
 */

const say = sentences({
  'push.no-server': { en: 'no klens serve answers at {url}: {reason}', zh: '{url} 没有 klens serve 响应：{reason}' },
  'push.refused': { en: '{url} refused it: {reason}', zh: '{url} 拒绝了请求：{reason}' },
  'push.needs-token': {
    en: '{url} needs the write token; put it into KLENS_WRITE_TOKEN',
    zh: '{url} 需要写令牌；请设置环境变量 KLENS_WRITE_TOKEN',
  },
  'push.bad-url': {
    en: '"{url}" is not a server address, such as http://host:7117',
    zh: '“{url}”不是服务器地址，例如 http://host:7117',
  },
})

export interface PushProgress {
  readonly run: string
  readonly name: string
  /** Bytes that had to be sent, and all that the run has. */
  readonly sent: number
  readonly bytes: number
  /** Whether it was news to the server; null until that is known. */
  readonly changed: boolean | null
}

export const pushRuns = question({
  request: request({
    /** A path is imported first. */
    runs: list(z.string()),
    to: z.string(),
    token: z.string().optional(),
  }),
  answer: z.object({
    runs: list(
      z.object({ id: z.string(), name: z.string(), sent: z.number(), bytes: z.number(), changed: z.boolean() }),
    ),
  }),
  async ask(workspace, { runs: names, to, token }, asking: Asking<PushProgress>) {
    if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol)) {
      throw new Problem('bad-request', say('push.bad-url', { url: to }))
    }
    const server = new TeamServer(new URL(to), token ?? null)
    const pushed = []
    for (const run of await resolveAll(workspace, names, { importPaths: true, ...asking })) {
      asking.signal?.throwIfAborted()
      pushed.push(await pushRun(server, run, asking))
    }
    return { runs: pushed }
  },
})

/** Somebody else may send the same run just now, or the run may grow meanwhile: then what is still missing is asked again. */
const MOST_ATTEMPTS = 6

async function pushRun(server: TeamServer, run: RunView, asking: Asking<PushProgress>) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendRun(server, run, asking)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'busy') || attempt === MOST_ATTEMPTS) throw error
      await pause(100 * attempt)
    }
  }
}

async function sendRun(server: TeamServer, run: RunView, { signal, onProgress }: Asking<PushProgress>) {
  const { workspace, folder } = run
  const { id } = run.manifest
  const path = manifestPath(workspace, id)
  const kept = await readFile(path, 'utf8')
  const manifest = parseManifest(kept, path)
  const text = manifestToSend(kept)
  const files: Announced[] = [{ path: 'run.json', size: text.length, hash: sha256(text) }]
  for (const name of listedFiles(manifest)) {
    const checksum = manifest.checksums.get(name) ?? (await checksumOfFile(join(folder, name)))
    if (checksum === null) throw damaged(join(folder, name), id)
    files.push({ path: name, ...checksum })
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const about = { run: id, name: shownName(manifest), bytes }
  let sent = 0
  const { wanted } = await server.ask<{ readonly wanted: readonly Wanted[] }>('POST', `${id}/plan`, { files })
  for (const { hash, from } of wanted) {
    const file = files.find(each => each.hash === hash)
    if (file === undefined) continue
    if (file.path !== 'run.json' && (await checksumOfFile(join(folder, file.path)))?.hash !== hash) {
      throw damaged(join(folder, file.path), id)
    }
    for (let at = from; at < file.size; ) {
      signal?.throwIfAborted()
      const piece =
        file.path === 'run.json' ? text.subarray(at, at + PIECE_BYTES) : await pieceOf(join(folder, file.path), at)
      const { size } = await server.ask<{ readonly size: number }>('PUT', `${id}/${hash}?from=${at}`, piece)
      sent += Math.max(0, size - at)
      at = size
      onProgress?.({ ...about, sent, changed: null })
    }
  }
  const { changed } = await server.ask<{ readonly changed: boolean }>('POST', `${id}/commit`, { files })
  onProgress?.({ ...about, sent, changed })
  return { id, name: about.name, sent, bytes, changed }
}

function damaged(path: string, run: string): Problem {
  return new Problem('damaged', message('skip.damaged', { path, run }))
}

const writtenSchema = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) })

/**
 * What is still being written here is no file yet; there it is a run without that. The paths of its logs are those of this
 * machine, and must not be taken for files that lie at the same place there.
 */
function manifestToSend(text: string): Buffer {
  const { files, ...manifest } = writtenSchema.parse(JSON.parse(text))
  const foreign = files.map(file => ({
    ...file,
    path: `pushed from ${hostname()}/${file.path.replace(/^[/\\]+/, '')}`,
  }))
  return Buffer.from(JSON.stringify({ ...manifest, files: foreign, earlier: null, liveFolded: null }))
}

async function pieceOf(path: string, from: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE_BYTES), 0, PIECE_BYTES, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const refusedSchema = z.object({ error: z.object({ message: z.string() }) })

const PATIENCE_MS = [500, 1000, 2000, 4000, 8000]

class TeamServer {
  readonly #url: URL
  readonly #token: string | null

  constructor(url: URL, token: string | null) {
    this.#url = url
    this.#token = token
  }

  /** A connection that breaks is tried again for a while; what the server itself says is final. */
  async ask<Answer>(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Answer> {
    for (let turn = 0; ; turn += 1) {
      let response: Response
      try {
        response = await fetch(new URL(`/api/push/${path}`, this.#url), {
          method,
          headers: {
            'content-type': method === 'PUT' ? 'application/octet-stream' : 'application/json',
            ...(this.#token !== null && { authorization: `Bearer ${this.#token}` }),
          },
          body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
        })
      } catch (error) {
        const wait = PATIENCE_MS[turn]
        const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
        if (wait === undefined)
          throw new Problem('unreachable', say('push.no-server', { url: this.#url.origin, reason }))
        await pause(wait)
        continue
      }
      const answer: unknown = await response.json().catch(() => null)
      // What the server of the same klens sends has the shape that is asked for.
      if (response.ok && answer !== null) return answer as Answer
      if (response.status === 401 || response.status === 403) {
        throw new Problem('unreachable', say('push.needs-token', { url: this.#url.origin }))
      }
      const refusal = refusedSchema.safeParse(answer)
      const reason = refusal.success ? refusal.data.error.message : `HTTP ${response.status}`
      const code = response.status === 409 ? 'busy' : 'unreachable'
      throw new Problem(code, say('push.refused', { url: this.#url.origin, reason }))
    }
  }
}
