import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { RunEvent } from '../../src/logs/model/events.js'
import type { Json } from '../../src/logs/model/json.js'
import { readConfigFile } from '../../src/logs/sources/config/config-file.js'
import { sources } from '../../src/logs/sources/registry.js'
import type { Hints, Source, SourceFile } from '../../src/logs/sources/source.js'
import { substance } from '../support/binary.js'
import { lastCursor, sourceFile } from '../support/reading.js'
import { auditTarget } from './audit-target.js'
import { checkBelongings, checkEvents, checkMessage, demand, isPlainJson } from './check.js'
import { corpus, type Seed } from './corpus.js'
import { launchTarget } from './launch-target.js'
import { type Random, randomFrom } from './random.js'
import { sqliteTarget } from './sqlite-target.js'
import { importTarget, liveTarget, manifestTarget, storeSeeds } from './store-targets.js'
import { gymTarget, markdownTarget, vocabularyTarget } from './text-targets.js'

/** What is fuzzed: something with files to damage, and a check that throws when a promise about them is broken. */
export interface Target {
  readonly name: string
  readonly seeds: readonly Seed[]
  /** `folder` is empty and the check's own. Chance comes from the input alone, so an input can be tried again. */
  check(input: Pick<Seed, 'name' | 'bytes'>, folder: string): Promise<void>
}

/** One target per format of the registry, one per other thing that klens reads, and the whole way into the store. */
export async function allTargets(): Promise<Target[]> {
  const seeds = await corpus()
  const store = await storeSeeds()
  return [
    ...[...new Set(sources.map(({ id }) => id))].map(id => sourceTarget(id, seeds.get(id) ?? [])),
    configTarget(seeds.get('config') ?? []),
    markdownTarget(seeds.get('report') ?? []),
    auditTarget(seeds.get('report') ?? []),
    vocabularyTarget,
    launchTarget,
    gymTarget,
    sqliteTarget(),
    manifestTarget(store.manifest),
    liveTarget(store.live),
    importTarget([...seeds.values()].flat()),
  ]
}

function sourceTarget(id: string, seeds: readonly Seed[]): Target {
  return {
    name: id,
    seeds,
    async check({ name, bytes }, folder) {
      const random = randomFrom(bytes)
      const path = put(folder, name, bytes)
      const file = await sourceFile(path)
      const hints: Hints = random.chance(0.1) ? { step: 'epoch', metrics: ['loss', 'score'] } : {}
      const tryAll = random.chance(0.05)
      for (const source of sources) {
        const recognised = source.recognise(file)
        if (recognised || tryAll || source.id === id) await checkSource(source, file, bytes, hints, random)
      }
    },
  }
}

async function checkSource(
  source: Source,
  file: SourceFile,
  bytes: Buffer,
  hints: Hints,
  random: Random,
): Promise<void> {
  const belongings = await source.describe(file, hints)
  checkBelongings(belongings, bytes.length)
  const runs = belongings.length === 0 ? [''] : belongings.slice(0, 3).map(({ run }) => run)
  for (const run of runs) {
    const events = await readAll(source, file, { run, hints, cursor: null })
    const cursor = events.findLast(event => event.type === 'cursor' && event.cursor !== null)
    if (cursor?.type === 'cursor') {
      await readAll(source, file, { run, hints, cursor: viaJson(cursor.cursor) })
      if (random.chance(0.2)) await checkEndures(source, file, { run, hints, cursor: damaged(cursor.cursor, random) })
    }
    // A database that is cut off is not one that has yet to grow.
    const growsAtItsEnd = source.grows && source.continues === undefined
    if (growsAtItsEnd && random.chance(0.3)) await checkGrowth(source, file, bytes, { run, hints }, events, random)
  }
}

interface Request {
  readonly run: string
  readonly hints: Hints
  readonly cursor: Json
}

async function readAll(source: Source, file: SourceFile, request: Request): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const batch of source.read(file, request)) for (const event of batch) events.push(event)
  checkEvents(events, file.size)
  return events
}

/** Read while it was shorter and then to its end, a file says what it says when read at once. */
async function checkGrowth(
  source: Source,
  file: SourceFile,
  bytes: Buffer,
  request: Omit<Request, 'cursor'>,
  atOnce: readonly RunEvent[],
  random: Random,
): Promise<void> {
  const cut = random.below(bytes.length + 1)
  writeFileSync(file.path, bytes.subarray(0, cut))
  const shorter = await sourceFile(file.path)
  const known =
    sources.find(candidate => candidate.recognise(shorter)) === source &&
    (await source.describe(shorter, request.hints)).some(({ run }) => run === request.run)
  const before = known ? await readAll(source, shorter, { ...request, cursor: null }) : []
  writeFileSync(file.path, bytes)
  const cursor = lastCursor(before)
  if (!known || cursor === null) return
  const after = await readAll(source, file, { ...request, cursor: viaJson(cursor) })
  const inSteps = substance([...before, ...after])
  const whole = substance(atOnce)
  const at = inSteps.findIndex((event, i) => !isDeepStrictEqual(event, whole[i]))
  const same = at < 0 && inSteps.length === whole.length
  demand(same, `read in two steps, cut at byte ${cut}, a file says the same`, {
    at,
    steps: inSteps[at],
    once: whole[at],
  })
}

function viaJson(cursor: Json): Json {
  return JSON.parse(JSON.stringify(cursor))
}

/** From a cursor that lies, reading may say what it likes, but it ends and does not throw. */
async function checkEndures(source: Source, file: SourceFile, request: Request): Promise<void> {
  for await (const _ of source.read(file, request));
}

/** A cursor as a damaged manifest may hold it. */
function damaged(cursor: Json, random: Random): Json {
  const numbers = [-1, 0.5, 2 ** 52, 1e300, 0, 7]
  return JSON.parse(JSON.stringify(cursor), (_, member: Json) => {
    if (!random.chance(0.3)) return member
    if (typeof member === 'number') return random.pick(numbers)
    return random.chance(0.1) ? random.pick<Json>([null, 'x', -1, [], {}]) : member
  })
}

function configTarget(seeds: readonly Seed[]): Target {
  return {
    name: 'config',
    seeds,
    async check({ name, bytes }, folder) {
      const { config, warnings } = await readConfigFile(put(folder, name, bytes))
      demand(isPlainJson(config), 'a config survives JSON', config)
      demand(JSON.stringify(config).length <= 100 * bytes.length + 10_000, 'a config is not a bomb')
      for (const warning of warnings) checkMessage(warning)
    },
  }
}

export function put(folder: string, name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  rmSync(dirname(path), { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  return path
}
