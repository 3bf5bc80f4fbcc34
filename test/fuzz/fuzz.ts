import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Seed } from './corpus.js'
import { mutate, pump } from './mutate.js'
import { randomFrom } from './random.js'
import { mutateSealed } from './sealed.js'
import type { Target } from './targets.js'

/**
 * Fuzzing: a case is a damaged file, made from the target's name, a seed and a number, so it can be made again. A case
 * fails when a promise is broken, when it takes too long or too much memory; one that never ends is killed by a watch.
 */

/** Of processor time: a loaded machine, or one that was suspended, makes no case slow. */
const SLOWEST_MS = 5_000
/** So many looks without a new case, a second apart, and it hangs. Looks, for clocks may jump. */
const HANGS_AFTER_LOOKS = 40
const MOST_HEAP_BYTES = 1 << 30
/** How many of the cases are pumped up; each costs as much as a hundred others. */
const PUMPED = 0.01

export type Input = Pick<Seed, 'name' | 'bytes'>

export interface Failure {
  readonly target: string
  readonly input: Input
  readonly seed: number
  readonly number: number
  readonly error: unknown
}

export function inputFor({ name, seeds }: Target, seed: number, number: number): Input {
  if (number < seeds.length) return seeds[number]
  const random = randomFrom(`${name} ${seed} ${number}`)
  const chosen = random.pick(seeds)
  if (random.chance(PUMPED)) return { name: chosen.name, bytes: pump(chosen.bytes, random) }
  if (chosen.sealed && random.chance(0.6)) return { name: chosen.name, bytes: mutateSealed(chosen.sealed, random) }
  const others = seeds.map(({ bytes }) => bytes)
  return { name: chosen.name, bytes: mutate(chosen.bytes, others, random) }
}

export interface Fuzzer {
  /** Runs one case; null when it holds. */
  run(target: Target, seed: number, number: number): Promise<Failure | null>
  try(target: Target, input: Input): Promise<unknown>
  close(): Promise<void>
}

export function startFuzzer(): Fuzzer {
  const folder = mkdtempSync(join(memoryFolder(), 'klens-fuzz-'))
  const watch = startWatch()

  async function tryInput(target: Target, input: Input): Promise<unknown> {
    const before = process.cpuUsage()
    try {
      await target.check(input, folder)
    } catch (error) {
      return error
    }
    const { user, system } = process.cpuUsage(before)
    const tookMs = Math.round((user + system) / 1000)
    if (tookMs > SLOWEST_MS) return new Error(`took ${tookMs} ms`)
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers > MOST_HEAP_BYTES
      ? new Error(`memory has grown to ${heapUsed + arrayBuffers}`)
      : null
  }

  return {
    async run(target, seed, number) {
      watch.begin(`npm run fuzz -- --format ${target.name} --seed ${seed} --case ${number}`)
      const input = inputFor(target, seed, number)
      const error = await tryInput(target, input)
      return error === null ? null : { target: target.name, input, seed, number, error }
    },
    try: tryInput,
    async close() {
      await watch.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Keeps the input of a failure, and says how to try it again. */
export function keepFailure({ target, input, seed, number, error }: Failure, folder: string): string {
  const path = join(folder, `${target}-${seed}-${number}`, basename(dirname(input.name)), basename(input.name))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, input.bytes)
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `${target}: case ${number} of seed ${seed}: ${said}\n  again: npm run fuzz -- --format ${target} --input ${path}`
}

/**
 * A loop that never ends blocks the thread it runs in, so the watch is a thread of its own: when no new case has begun
 * for long, it names the last one and kills the process.
 */
function startWatch(): { begin(command: string): void; close(): Promise<unknown> } {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const text = new Uint8Array(new SharedArrayBuffer(256))
  const worker = new Worker(WATCH, { eval: true, workerData: { beats, text, most: HANGS_AFTER_LOOKS } })
  worker.unref()
  return {
    begin(command) {
      text.fill(0)
      Buffer.from(command).copy(text)
      Atomics.add(beats, 0, 1)
    },
    close: () => worker.terminate(),
  }
}

const WATCH = `
  const { workerData: { beats, text, most } } = require('node:worker_threads')
  let last = 0
  let looks = 0
  setInterval(() => {
    const now = Atomics.load(beats, 0)
    looks = now === last ? looks + 1 : 0
    if (looks > most && now > 0) {
      require('node:fs').writeSync(2, 'hangs: ' + Buffer.from(text).toString().replace(/\\0+$/, '') + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }
    last = now
  }, 1000)`

/** Thousands of files a second are written and read again; where there is a file system in memory, it spares the disk. */
function memoryFolder(): string {
  try {
    rmSync(mkdtempSync('/dev/shm/klens-fuzz-'), { recursive: true })
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
