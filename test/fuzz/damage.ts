import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepFailure, type startFuzzer } from './fuzz.js'
import { allTargets } from './targets.js'

/** The same cases every time, some dozens per format, or a share of them. */

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
  neptune: 20,
}
const USUAL_CASES = 30

export async function testDamage(fuzzer: ReturnType<typeof startFuzzer>, seed: number, share: number): Promise<void> {
  for (const target of await allTargets()) {
    it(target.name, { timeout: 120_000 }, async () => {
      for (let number = 0; number < (CASES[target.name] ?? USUAL_CASES) * share; number += 1) {
        const failure = await fuzzer.run(target, seed, number)
        if (failure !== null) expect.fail(keepFailure(failure, join(tmpdir(), 'klens-fuzz-failures')))
      }
    })
  }
}
