import { afterAll, describe, expect, it } from 'vitest'
import { testDamage } from './damage.js'
import { inputFor, startFuzzer } from './fuzz.js'
import type { Target } from './targets.js'

/** Twice as many cases: test/long/fuzz.test.ts; and `npm run fuzz` goes on where that ends. */

const SEED = 1
const fuzzer = startFuzzer()
afterAll(() => fuzzer.close())

describe('damaged input never throws, hangs or breaks a promise', () => testDamage(fuzzer, SEED, 0.5))

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
