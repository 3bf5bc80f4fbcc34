import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepFailure, startFuzzer } from './fuzz.js'
import { allTargets, type Target } from './targets.js'

/** `npm run fuzz -- [--format NAME] [--seconds N] [--seed N] [--case N] [--input FILE]`: until Ctrl-C or N seconds. */

const { values } = parseArgs({
  options: {
    format: { type: 'string' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    case: { type: 'string' },
    input: { type: 'string' },
  },
})
const FAILURES = 'fuzz-failures'
const CASES_AT_A_TIME = 200

const all = await allTargets()
const targets = all.filter(({ name }) => values.format === undefined || name === values.format)
if (targets.length === 0) {
  console.error(`no format "${values.format}"; there are ${all.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
const fuzzer = startFuzzer()
const failures = await (values.input !== undefined
  ? replay(values.input)
  : values.case !== undefined
    ? once(Number(values.case))
    : fuzz())
await fuzzer.close()
process.exitCode = failures > 0 ? 1 : 0

async function replay(path: string): Promise<number> {
  const input = { name: join(basename(dirname(path)), basename(path)), bytes: readFileSync(path) }
  return report(target => fuzzer.try(target, input))
}

async function once(number: number): Promise<number> {
  return report(async target => (await fuzzer.run(target, Number(values.seed), number))?.error ?? null)
}

/** One target after the other: they share a folder. */
async function report(check: (target: Target) => Promise<unknown>): Promise<number> {
  let failures = 0
  for (const target of targets) {
    const error = await check(target)
    if (error !== null) failures += 1
    console.log(target.name, error ?? 'holds')
  }
  return failures
}

async function fuzz(): Promise<number> {
  const seed = Number(values.seed)
  const deadline = performance.now() + Number(values.seconds) * 1000
  const tally = new Map(targets.map(({ name }) => [name, { cases: 0, ms: 0, failures: 0 }]))
  let stopped = false
  process.once('SIGINT', () => {
    stopped = true
  })
  console.log(`seed ${seed}; Ctrl-C stops`)
  while (!stopped && performance.now() < deadline) {
    for (const target of targets) {
      if (stopped || performance.now() >= deadline) break
      await someCases(target, seed, tally.get(target.name) ?? { cases: 0, ms: 0, failures: 0 })
    }
    const rates = [...tally].map(([name, { cases, ms }]) => `${name} ${Math.round((cases * 1000) / ms)}/s`)
    console.log(`${sum('cases')} cases, ${sum('failures')} failures; ${rates.join(', ')}`)
  }
  return sum('failures')

  function sum(field: 'cases' | 'failures'): number {
    return [...tally.values()].reduce((total, counts) => total + counts[field], 0)
  }
}

async function someCases(
  target: Target,
  seed: number,
  counts: { cases: number; ms: number; failures: number },
): Promise<void> {
  const started = performance.now()
  for (let i = 0; i < CASES_AT_A_TIME; i += 1) {
    const failure = await fuzzer.run(target, seed, counts.cases)
    counts.cases += 1
    if (failure === null) continue
    counts.failures += 1
    console.error(keepFailure(failure, FAILURES))
  }
  counts.ms += performance.now() - started
}
