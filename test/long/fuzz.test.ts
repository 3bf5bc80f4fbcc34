import { afterAll, describe } from 'vitest'
import { testDamage } from '../fuzz/damage.js'
import { startFuzzer } from '../fuzz/fuzz.js'

const SEED = 1
const fuzzer = startFuzzer()
afterAll(() => fuzzer.close())

describe('damaged input never throws, hangs or breaks a promise', () => testDamage(fuzzer, SEED, 1))
