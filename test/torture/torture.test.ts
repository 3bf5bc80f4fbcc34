import { describe, expect, it } from 'vitest'
import { type Campaign, campaigns } from './campaigns.js'
import { torture } from './torture.js'

/** The same few trials every time; `npm run torture` goes on where this ends. The fuzzer has tests of its own. */

const SEED = 1
const TRIALS: { readonly [campaign: string]: number } = {
  kill: 2,
  error: 2,
  importers: 1,
  writers: 1,
  harm: 1,
  log: 1,
  training: 1,
  'pid-reuse': 4,
}

describe('nothing is lost and nothing doubled', () => {
  it.each(campaigns.filter(({ name }) => name in TRIALS))('$name', { timeout: 180_000 }, async campaign => {
    for (let number = 0; number < TRIALS[campaign.name]; number += 1) {
      expect(await torture(campaign, SEED, number)).toBeNull()
    }
  })
})

it('says how to make a failed trial again', async () => {
  const planted: Campaign = { name: 'planted', trial: async (_, random) => expect(random.next()).toBe(2) }
  expect(await torture(planted, 7, 3)).toContain('--campaign planted --seed 7 --trial 3')
})
