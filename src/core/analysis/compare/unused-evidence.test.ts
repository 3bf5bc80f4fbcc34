import { describe, expect, it } from 'vitest'
import type { RunSetting } from '../../../logs/model/vocabulary/settings.js'
import { unusedEvidence } from './evidence.js'

function plan(every: number | null, until: number | null, evaluated: readonly number[], running = false) {
  const setting = (key: string, effective: number | null): readonly [string, RunSetting] => [
    key,
    { key, rawKey: key, configured: effective, effective, reason: null },
  ]
  return { settings: new Map([setting('eval.every', every), setting('steps', until)]), running, evaluated }
}

const NINE = [5, 10, 15, 20, 25, 30, 35, 40, 45]

describe('evidence that was not used', () => {
  it('is what the settings planned beyond what was imported, of the shorter run', () => {
    expect(unusedEvidence([plan(5, 485, NINE), plan(5, 465, NINE)], NINE)).toMatchObject([
      { key: 'compare.unused-planned', params: { every: 5, until: 465, more: 84 } },
    ])
  })

  it('is not what a running run has still to do, nor anything that the settings do not tell', () => {
    expect(unusedEvidence([plan(5, 485, NINE, true), plan(5, 465, NINE)], NINE)).toEqual([])
    expect(unusedEvidence([plan(null, 485, NINE), plan(5, 465, NINE)], NINE)).toEqual([])
  })

  it('is also what lies at steps that the other side lacks', () => {
    const [unshared] = unusedEvidence([plan(null, null, [...NINE, 50]), plan(null, null, NINE)], NINE)
    expect(unshared).toMatchObject({ key: 'compare.unused-unshared', params: { count: 1 } })
  })
})
