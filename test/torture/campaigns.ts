import { appendFileSync, copyFileSync, readdirSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ended, klens, startKlens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import { startFuzzer } from '../fuzz/fuzz.js'
import type { Random } from '../fuzz/random.js'
import { allTargets } from '../fuzz/targets.js'
import type { RunContents } from '../support/contents.js'
import { copiedInFlight, harmed } from './damage.js'
import { jsonRow, jsonRows, makeLogs, put } from './logs.js'
import { reusedNumber } from './pid-reuse.js'
import { pipedLog } from './piped.js'
import { killedPrograms, killedStudy } from './study.js'
import { trained } from './training.js'
import { expectSoundStore, expectTruth, struck } from './truth.js'

/** What can go wrong on the worst day. A campaign is any number of trials; what a trial does follows from its chance alone. */
export interface Campaign {
  readonly name: string
  /** In an empty folder of its own; throws where the truth was lost. */
  readonly trial: (folder: string, random: Random) => Promise<void>
}

export const campaigns: readonly Campaign[] = [
  { name: 'kill', trial: killed },
  { name: 'error', trial: failed },
  { name: 'writers', trial: followed },
  { name: 'importers', trial: importedAtOnce },
  { name: 'harm', trial: harmed },
  { name: 'snapshots', trial: copiedInFlight },
  { name: 'log', trial: pipedLog },
  { name: 'training', trial: trainedAndKilled },
  { name: 'study', trial: killedStudy },
  { name: 'programs', trial: killedPrograms },
  { name: 'mutated', trial: mutated },
  { name: 'pid-reuse', trial: reusedNumber },
]

const LOGS = 'logs'

/** An import keeps runs as it reads them, an answer afterwards. */
const VERBS = ['import', 'diagnose'] as const

/** kill -9 before or after one file operation of an import, once or several times; then an import to the end. */
async function killed(folder: string, random: Random): Promise<void> {
  await makeLogs(join(folder, LOGS), random)
  const words = [random.pick(VERBS), LOGS]
  const operations = await operationsOf(folder, words)
  for (let blow = random.below(3); blow >= 0; blow -= 1) {
    await struck(folder, words, { what: 'kill', at: 1 + random.below(2 * operations) })
  }
  await completed(folder)
}

const ERRORS = [
  'EIO',
  'ESTALE',
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EBUSY',
  'EMFILE',
  'EXDEV',
  'ETIMEDOUT',
  'ENOENT',
]

/** One file operation of an import fails. It may fail with it, but not in silence, and the next one completes it. */
async function failed(folder: string, random: Random): Promise<void> {
  await makeLogs(join(folder, LOGS), random)
  const words = [random.pick(VERBS), LOGS]
  const operations = await operationsOf(folder, words)
  const what = random.pick(ERRORS)
  const { code, error } = await struck(folder, words, { what, at: 1 + random.below(operations) })
  demand(code === 0 || error !== '', `an import that ends with ${code} says why`, what)
  demand(!/\n\s+at /.test(error), 'an error is a sentence', error)
  await completed(folder)
}

/** How many there are where nothing goes wrong, in a store that is not kept. */
async function operationsOf(folder: string, words: readonly string[]): Promise<number> {
  const apart = join(folder, 'apart')
  put(join(apart, 'empty'), '')
  const { code, operations } = await struck(
    apart,
    words.map(word => (word === LOGS ? join(folder, LOGS) : word)),
  )
  demand(code === 0 && operations !== null, 'an import to which nothing happens ends well', code)
  return operations
}

async function completed(folder: string): Promise<readonly RunContents[]> {
  const { code, error } = klens(folder, ['import', LOGS])
  demand(code === 0, 'the next import ends well', error)
  return expectTruth(folder, [join(folder, LOGS)])
}

/** Several importers of the same logs at once; one of them is killed. */
async function importedAtOnce(folder: string, random: Random): Promise<void> {
  await makeLogs(join(folder, LOGS), random)
  const others = Array.from({ length: 1 + random.below(3) }, () => startKlens(folder, [random.pick(VERBS), LOGS]))
  const victim = struck(folder, [random.pick(VERBS), LOGS], { what: 'kill', at: 1 + random.below(60) })
  for (const other of others) {
    other.stdout?.resume()
    other.stderr?.resume()
  }
  await Promise.all([victim, ...others.map(ended)])
  await completed(folder)
}

const BATCHES = 6
const ROWS_PER_BATCH = 40

/** A log that is followed while its writer tears lines and rotates it, and followers are killed and started again. */
async function followed(folder: string, random: Random): Promise<void> {
  const path = join(folder, LOGS, 'train.jsonl')
  const salt = random.below(1000)
  // Some begin with more than any fingerprint covers, and alike after each rotation.
  const banner = random.chance(0.5) ? `# ${'the same words '.repeat(500)}\n` : ''
  put(path, banner + jsonRows(0, ROWS_PER_BATCH, salt))
  let follower = startFollower(folder)
  let rotations = 0
  for (let batch = 1; batch <= BATCHES; batch += 1) {
    await pause(random.below(700))
    if (random.chance(0.4)) {
      follower.kill(random.pick(['SIGKILL', 'SIGINT', 'SIGTERM'] as const))
      await ended(follower)
      follower = startFollower(folder)
    }
    if (random.chance(0.3)) {
      rotate(path, random, rotations)
      rotations += 1
      appendFileSync(path, banner)
    }
    const rows = jsonRows(batch * ROWS_PER_BATCH, (batch + 1) * ROWS_PER_BATCH, salt)
    const torn = random.below(rows.length)
    appendFileSync(path, rows.slice(0, torn))
    await pause(random.below(300))
    appendFileSync(path, rows.slice(torn))
  }
  appendFileSync(path, jsonRow((BATCHES + 1) * ROWS_PER_BATCH, salt).slice(0, 20))
  follower.kill('SIGINT')
  await ended(follower)
  const stored = (await completed(folder)).map(run => run.stored)
  const rows = (BATCHES + 1) * ROWS_PER_BATCH
  demand(isDeepStrictEqual(stored, [2 * rows + rows / 10]), 'each line is there once', stored)
}

function startFollower(folder: string) {
  const follower = startKlens(folder, ['import', LOGS, '--follow'])
  follower.stdout?.resume()
  follower.stderr?.resume()
  return follower
}

/** As logrotate does it: by a new file, or by a copy and an empty one. Older ones move up. */
function rotate(path: string, random: Random, rotations: number): void {
  for (let nth = rotations; nth > 0; nth -= 1) renameSync(`${path}.${nth}`, `${path}.${nth + 1}`)
  if (random.chance(0.5)) {
    renameSync(path, `${path}.1`)
    put(path, '')
  } else {
    copyFileSync(path, `${path}.1`)
    truncateSync(path, 0)
  }
}

/** A training that is killed at any of its file operations and resumed ends with the same numbers and weights. */
async function trainedAndKilled(folder: string, random: Random): Promise<void> {
  const expected = await trained(join(folder, 'whole'), null)
  for (let blow = random.below(3); blow >= 0; blow -= 1) {
    await trained(folder, { what: 'kill', at: 1 + random.below(2 * expected.operations) })
  }
  const found = await trained(folder, null)
  demand(found.numbers.length > 0, 'a training leaves a run')
  for (const numbers of found.numbers) {
    demand(isDeepStrictEqual(numbers, expected.numbers[0]), 'a resumed training has the numbers of a whole one')
  }
  await expectSoundStore(folder)
}

/** Files with damage, through every reader into a store: the fuzzer's own cases. */
async function mutated(folder: string, random: Random): Promise<void> {
  const fuzzer = startFuzzer()
  try {
    const target = random.pick(await allTargets())
    const seed = random.below(1_000_000)
    for (let number = 0; number < MUTATED_AT_A_TIME; number += 1) {
      const failure = await fuzzer.run(target, seed, number)
      demand(
        failure === null,
        `npm run fuzz -- --format ${target.name} --seed ${seed} --case ${number}`,
        failure?.error,
      )
    }
  } finally {
    await fuzzer.close()
  }
  demand(readdirSync(folder).length === 0, 'the fuzzer has a folder of its own')
}

const MUTATED_AT_A_TIME = 40
