import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { makeFileAtomically, writeFileAtomically } from '../../core/store/atomic.js'
import { pointCount } from '../../core/store/catalogue.js'
import { takeLease } from '../../core/store/lease.js'
import { RUN_FILE } from '../../core/store/manifest.js'
import { manifestPath, parseManifest, readManifest } from '../../core/store/manifest-file.js'
import { runFolder, type Workspace } from '../../core/store/workspace.js'
import { encodeJson } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'

/**
 * What is sent to a server. A run comes from another klens, file by file and piece by piece: what has come stays aside under
 * its hash until all of it is there, a sender that was cut off goes on where it was, and the same run sent twice changes
 * nothing.
 */

const say = sentences({
  'push.bad-run': { en: '"{run}" is no id of a run', zh: '“{run}”不是 run 的 id' },
  'push.bad-piece': { en: 'what came is not what was announced ({file})', zh: '收到的内容与声明的不符（{file}）' },
  'push.not-whole': { en: '{n} files of the run are still missing', zh: '该 run 还缺 {n} 个文件' },
  'push.older': {
    en: 'the run {run} on the server holds {there} points and this one {here}; the longer one is kept',
    zh: '服务器上的 run {run} 有 {there} 个点，而本地只有 {here} 个；保留较长的',
  },
  'push.full': { en: 'a run larger than {limit} GB is not taken', zh: '不接收大于 {limit} GB 的 run' },
})

export const PIECE_BYTES = 4 << 20
const MOST_GIGABYTES = 8
const RUN_ID = /^[a-z0-9]{4,40}$/
const HASH = /^[0-9a-f]{64}$/

export const announcedSchema = z.object({
  files: z
    .array(z.object({ path: z.string().regex(RUN_FILE), size: z.number().int().min(0), hash: z.string().regex(HASH) }))
    .max(100_000),
})

export type Announced = z.infer<typeof announcedSchema>['files'][number]

export interface Wanted {
  readonly hash: string
  /** How much of it is here already. */
  readonly from: number
}

/** Which files are still to come. */
export async function wantedOf(
  workspace: Workspace,
  run: string,
  files: readonly Announced[],
): Promise<readonly Wanted[]> {
  const folder = stagingOf(workspace, run)
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (size > MOST_GIGABYTES * 1e9) throw new Problem('bad-request', say('push.full', { limit: MOST_GIGABYTES }))
  const wanted = new Map<string, Wanted>()
  for (const { path, hash, size: whole } of files) {
    if (path !== 'run.json' && (await hashOf(join(runFolder(workspace, run), path))) === hash) continue
    const from = await sizeOf(join(folder, hash))
    if (from < whole || whole === 0) wanted.set(hash, { hash, from })
  }
  return [...wanted.values()]
}

/** Adds a piece; answers how much there is now, which after a lost answer may be more than the sender thought. */
export async function takePiece(
  workspace: Workspace,
  run: string,
  { hash, from, bytes }: { readonly hash: string; readonly from: number; readonly bytes: Buffer },
): Promise<number> {
  if (!HASH.test(hash)) throw new Problem('bad-request', say('push.bad-piece', { file: hash }))
  const path = join(stagingOf(workspace, run), hash)
  await mkdir(dirname(path), { recursive: true })
  const there = await sizeOf(path)
  if (there !== from) return there
  await appendFile(path, bytes)
  return there + bytes.length
}

/** Puts all of it in place, the manifest last: until then the run is not there, or is as it was. */
export async function commitRun(
  workspace: Workspace,
  run: string,
  files: readonly Announced[],
): Promise<{ changed: boolean }> {
  const missing = (await wantedOf(workspace, run, files)).filter(({ hash, from }) => from < sizeIn(files, hash))
  if (missing.length > 0) throw new Problem('bad-request', say('push.not-whole', { n: missing.length }))
  const staging = stagingOf(workspace, run)
  const target = runFolder(workspace, run)
  const staged = files.find(({ path }) => path === 'run.json')
  if (staged === undefined) throw new Problem('bad-request', say('push.bad-piece', { file: 'run.json' }))
  const text = await checkedText(join(staging, staged.hash), staged)
  const sent = parseManifest(text, 'run.json')
  if (sent.id !== run) throw new Problem('bad-request', say('push.bad-run', { run: sent.id }))
  const listed = new Set(files.map(({ path }) => path))
  if (![...sent.parts, ...sent.texts].every(path => listed.has(path))) {
    throw new Problem('bad-request', say('push.bad-piece', { file: 'run.json' }))
  }
  await mkdir(target, { recursive: true })
  const lease = await takeLease(target, 'import')
  try {
    const before = await readManifest(workspace, run)
    const [kept, here] = [before === null ? 0 : pointCount(before), pointCount(sent)]
    if (kept > here) throw new Problem('bad-request', say('push.older', { run, there: kept, here }))
    const inPlace = files.filter(({ path }) => path !== 'run.json')
    for (const file of inPlace) {
      const place = join(target, file.path)
      if ((await hashOf(place)) === file.hash) continue
      const piece = join(staging, file.hash)
      if ((await hashOf(piece)) !== file.hash) {
        await rm(piece, { force: true })
        throw new Problem('bad-request', say('push.bad-piece', { file: file.path }))
      }
      await mkdir(dirname(place), { recursive: true })
      await makeFileAtomically(place, beside => copyFile(piece, beside), lease.check)
    }
    // Names and tags that the team gave stay.
    const givenName = before?.givenName ?? sent.givenName
    const tags = [...new Set([...(before?.tags ?? []), ...sent.tags])]
    const manifest = `${encodeJson({ ...JSON.parse(text), givenName, tags })}\n`
    const path = manifestPath(workspace, run)
    const there = await readFile(path, 'utf8').catch(() => null)
    const changed = there === null || !isDeepStrictEqual(parseManifest(manifest, path), parseManifest(there, path))
    if (changed) await writeFileAtomically(path, manifest, lease.check)
    await rm(staging, { recursive: true, force: true })
    return { changed }
  } finally {
    await lease.release()
  }
}

async function checkedText(path: string, { hash, path: name }: Announced): Promise<string> {
  if ((await hashOf(path)) === hash) return readFile(path, 'utf8')
  await rm(path, { force: true })
  throw new Problem('bad-request', say('push.bad-piece', { file: name }))
}

function sizeIn(files: readonly Announced[], hash: string): number {
  return files.find(file => file.hash === hash)?.size ?? 0
}

function stagingOf({ root }: Workspace, run: string): string {
  if (!RUN_ID.test(run)) throw new Problem('bad-request', say('push.bad-run', { run }))
  return join(root, 'pushed', run)
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

/** Null where there is no such file. */
export async function hashOf(path: string): Promise<string | null> {
  try {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return null
  }
}
