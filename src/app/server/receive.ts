import { appendFile, copyFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { makeFileAtomically, writeFileAtomically } from '../../core/store/atomic.js'
import { pointCount } from '../../core/store/catalogue.js'
import { checksumOfFile } from '../../core/store/checksum.js'
import { QueryError, sqlFiles } from '../../core/store/duck.js'
import { takeLease } from '../../core/store/lease.js'
import { listedFiles, type Manifest, RUN_FILE } from '../../core/store/manifest.js'
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
  'push.bad-run': { en: '"{run}" is not a run id', zh: '“{run}”不是 run 的 id' },
  'push.bad-piece': {
    en: 'the received data is not what was announced ({file})',
    zh: '收到的内容与声明的不符（{file}）',
  },
  'push.not-whole': { en: '{n} {n|file|files} of the run {n|is|are} still missing', zh: '该 run 还缺 {n} 个文件' },
  'push.not-announced': {
    en: 'this file of the run was not announced, or the run was completed meanwhile; ask for a plan again',
    zh: '该文件未在计划中声明，或该 run 已由他人传完；请重新请求计划',
  },
  'push.not-parquet': {
    en: '{file} cannot be read as its kind of file: {reason}',
    zh: '{file} 无法按应有的格式读取：{reason}',
  },
  'push.other-points': {
    en: 'run.json counts {expected} point{expected||s}, but the files have {found}',
    zh: 'run.json 记录了 {expected} 个点，而文件中有 {found} 个',
  },
  'push.no-room': {
    en: 'unfinished uploads already take {limit} GB; finish one of them, or remove {path}',
    zh: '未完成的上传已占用 {limit} GB；请先完成其中之一，或删除 {path}',
  },
  'push.older': {
    en: 'the run {run} on the server has {there} point{there||s} and this one {here}; the longer one is kept',
    zh: '服务器上的 run {run} 有 {there} 个点，而本地只有 {here} 个；保留较长的',
  },
  'push.full': { en: 'runs larger than {limit} GB are not accepted', zh: '不接收大于 {limit} GB 的 run' },
})

export const PIECE_BYTES = 4 << 20
const MOST_GIGABYTES = 8
/** Of all runs that are being sent at once, and how long one may pause before what came of it is removed. */
const MOST_STAGED_GIGABYTES = 32
const LONGEST_PAUSE_MS = 7 * 24 * 3600_000
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

/** One request of a run at a time: two senders that add to one file at once would spoil it for both. */
const turns = new Map<string, Promise<unknown>>()

function inTurn<Result>(run: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(run) ?? Promise.resolve()).then(work, work)
  turns.set(run, turn)
  const done = (): void => {
    if (turns.get(run) === turn) turns.delete(run)
  }
  turn.then(done, done)
  return turn
}

const PLAN = 'plan.json'
const planSchema = z.record(z.string(), z.number())

/** The size of each file that may be sent, by its hash. */
async function announcedSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(join(folder, PLAN), 'utf8').catch(() => '{}')
  return new Map(Object.entries(planSchema.parse(JSON.parse(text))))
}

/** Which files are still to come. From now on they are taken, up to the size that was announced. */
export function planRun(workspace: Workspace, run: string, files: readonly Announced[]): Promise<readonly Wanted[]> {
  return inTurn(run, async () => {
    const wanted = await wantedOf(workspace, run, files)
    const folder = stagingOf(workspace, run)
    const size = files.reduce((sum, file) => sum + file.size, 0)
    if (size > MOST_GIGABYTES * 1e9) throw new Problem('bad-request', say('push.full', { limit: MOST_GIGABYTES }))
    if (size + (await stagedBytes(dirname(folder))) > MOST_STAGED_GIGABYTES * 1e9) {
      throw new Problem('busy', say('push.no-room', { limit: MOST_STAGED_GIGABYTES, path: basename(dirname(folder)) }))
    }
    await mkdir(folder, { recursive: true })
    const sizes = [...(await announcedSizes(folder)), ...files.map(({ hash, size }) => [hash, size] as const)]
    await writeFileAtomically(join(folder, PLAN), JSON.stringify(Object.fromEntries(sizes)))
    return wanted
  })
}

/** What is there of all unfinished runs, without those that have not gone on for a week: these are removed. */
async function stagedBytes(staging: string): Promise<number> {
  let bytes = 0
  for (const run of await readdir(staging).catch(() => [])) {
    const files = await readdir(join(staging, run)).catch(() => [])
    const looks = await Promise.all(files.map(name => stat(join(staging, run, name)).catch(() => null)))
    const isAbandoned = looks.every(look => look === null || Date.now() - look.mtimeMs > LONGEST_PAUSE_MS)
    if (isAbandoned) await rm(join(staging, run), { recursive: true, force: true })
    else for (const look of looks) bytes += look?.size ?? 0
  }
  return bytes
}

async function wantedOf(workspace: Workspace, run: string, files: readonly Announced[]): Promise<readonly Wanted[]> {
  const folder = stagingOf(workspace, run)
  const wanted = new Map<string, Wanted>()
  for (const { path, hash, size: whole } of files) {
    if (path !== 'run.json' && (await hashOf(join(runFolder(workspace, run), path))) === hash) continue
    const from = await sizeOf(join(folder, hash))
    if (from < whole || whole === 0) wanted.set(hash, { hash, from })
  }
  return [...wanted.values()]
}

/** Adds a piece; answers how much there is now, which after a lost answer may be more than the sender thought. */
export function takePiece(
  workspace: Workspace,
  run: string,
  { hash, from, bytes }: { readonly hash: string; readonly from: number; readonly bytes: Buffer },
): Promise<number> {
  return inTurn(run, async () => {
    const folder = stagingOf(workspace, run)
    const size = HASH.test(hash) ? (await announcedSizes(folder)).get(hash) : undefined
    if (size === undefined) throw new Problem('busy', say('push.not-announced', {}))
    const path = join(folder, hash)
    const there = await sizeOf(path)
    if (there !== from) return there
    if (there + bytes.length > size) throw new Problem('bad-request', say('push.bad-piece', { file: hash }))
    await appendFile(path, bytes)
    return there + bytes.length
  })
}

/** Puts all of it in place, the manifest last: until then the run is not there, or is as it was. */
export function commitRun(
  workspace: Workspace,
  run: string,
  files: readonly Announced[],
): Promise<{ changed: boolean }> {
  return inTurn(run, () => commitWhole(workspace, run, files))
}

async function commitWhole(workspace: Workspace, run: string, files: readonly Announced[]) {
  const missing = (await wantedOf(workspace, run, files)).filter(({ hash, from }) => from < sizeIn(files, hash))
  // Of two that send the same run the second finds nothing staged any more; it asks for a plan again.
  if (missing.length > 0) throw new Problem('busy', say('push.not-whole', { n: missing.length }))
  const staging = stagingOf(workspace, run)
  const target = runFolder(workspace, run)
  const staged = files.find(({ path }) => path === 'run.json')
  if (staged === undefined) throw new Problem('bad-request', say('push.bad-piece', { file: 'run.json' }))
  const text = await checkedText(join(staging, staged.hash), staged)
  const sent = parseManifest(text, 'run.json')
  if (sent.id !== run) throw new Problem('bad-request', say('push.bad-run', { run: sent.id }))
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]))
  const isAnnounced = (path: string): boolean =>
    hashes.has(path) && (sent.checksums.get(path)?.hash ?? hashes.get(path)) === hashes.get(path)
  if (!listedFiles(sent).every(isAnnounced))
    throw new Problem('bad-request', say('push.bad-piece', { file: 'run.json' }))
  const placeOf = async ({ path, hash }: Announced): Promise<string> =>
    (await sizeOf(join(staging, hash))) > 0 ? join(staging, hash) : join(target, path)
  await expectReadable(
    workspace,
    sent,
    new Map(await Promise.all(files.map(async file => [file.path, await placeOf(file)] as const))),
  )
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
    // Names, tags and notes that the team gave stay.
    const givenName = before?.givenName ?? sent.givenName
    const tags = [...new Set([...(before?.tags ?? []), ...sent.tags])]
    const note = before?.note || sent.note
    const manifest = `${encodeJson({ ...JSON.parse(text), givenName, tags, note })}\n`
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

/** The columns that readers of each kind of file ask for; to read their greatest values is to read every page. */
const COLUMNS: readonly (readonly [kind: RegExp, columns: readonly string[]])[] = [
  [/^points/, ['metric', 'step', 'value', 'time', 'segment', 'quality', 'decimals']],
  [/^evals/, ['metric', 'step', 'value', 'n', 'quality', 'dataset', 'shots', 'temperature', 'split', 'aggregate']],
  [/^samples/, ['metric', 'step', 'sample', 'repeat', 'score', 'dataset_hash']],
  [/^texts/, ['table_name', 'step', 'sample', 'repeat', 'input', 'output', 'expected', 'choice']],
]

/** A run that cannot be read would stand in the way of everybody who asks for all runs. */
async function expectReadable(
  workspace: Workspace,
  sent: Manifest,
  places: ReadonlyMap<string, string>,
): Promise<void> {
  let found = 0
  for (const path of listedFiles(sent)) {
    const columns = COLUMNS.find(([kind]) => kind.test(path))?.[1] ?? []
    const greatest = columns.map(column => `max(${column})`).join(', ')
    const from = sqlFiles([places.get(path) ?? ''])
    try {
      const [{ n }] = await workspace.duck.readRows(`SELECT count(*) AS n, ${greatest} FROM read_parquet(${from})`)
      if (sent.parts.includes(path)) found += Number(n)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      const reason = error.message.split('\n')[0].slice(0, 200)
      throw new Problem('bad-request', say('push.not-parquet', { file: path, reason }))
    }
  }
  const expected = pointCount(sent)
  if (found !== expected) throw new Problem('bad-request', say('push.other-points', { found, expected }))
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
async function hashOf(path: string): Promise<string | null> {
  return (await checksumOfFile(path))?.hash ?? null
}
