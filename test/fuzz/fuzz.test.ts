import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { inputFor, keepFailure, startFuzzer } from './fuzz.js'
import { allTargets, type Target } from './targets.js'

/** The same cases every time, some dozens per format; `npm run fuzz` goes on where this ends. */

const SEED = 1
const CASES: { readonly [target: string]: number } = {
  import: 10,
  live: 80,
  manifest: 100,
  audit: 40,
  // Databases are large, and each of their runs is read by itself.
  mlflow: 20,
  optuna: 20,
  trackio: 20,
  sqlite: 20,
  // DuckDB reads the Parquet files.
  'wandb-export': 20,
}
const USUAL_CASES = 30

const fuzzer = startFuzzer()
afterAll(() => fuzzer.close())

describe('damaged input never throws, hangs or breaks a promise', async () => {
  for (const target of await allTargets()) {
    it(target.name, { timeout: 120_000 }, async () => {
      for (let number = 0; number < (CASES[target.name] ?? USUAL_CASES); number += 1) {
        const failure = await fuzzer.run(target, SEED, number)
        if (failure !== null) expect.fail(keepFailure(failure, join(tmpdir(), 'klens-fuzz-failures')))
      }
    })
  }
})

it('finds a planted fault, and makes its input again', async () => {
  const planted: Target = {
    name: 'planted',
    seeds: [{ name: 'a/run.json', bytes: Buffer.from('{"step":1,"loss":0.5}') }],
    async check({ bytes }) {
      JSON.parse(bytes.toString())
    },
  }
  let failure = null
  for (let number = 0; failure === null; number += 1) failure = await fuzzer.run(planted, SEED, number)
  expect(failure.error).toBeInstanceOf(SyntaxError)
  expect(inputFor(planted, SEED, failure.number)).toEqual(failure.input)
})
