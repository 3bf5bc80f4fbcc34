import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../../test/support/binary.js'
import { fixture, readEvents, rowsOf, sourceFile, withFile } from '../../../../test/support/reading.js'
import { discover } from '../discover.js'
import { parseNpy, readNpz } from './npy.js'
import { npz } from './npz.js'

type Point = { readonly [metric: string]: number }

const expected: { readonly [name: string]: readonly Point[] } = JSON.parse(
  readFileSync(fixture('classic/expected.json'), 'utf8'),
)

describe('evaluations.npz', () => {
  it.each(['sb3/evaluations', 'npz/compressed', 'npz/kinds'])(
    'has the figures that NumPy makes of it: %s',
    async name => {
      const rows = rowsOf(await readEvents(npz, fixture(`classic/${name}.npz`)))
      expect(rows).toHaveLength(expected[name].length)
      for (const [at, row] of rows.entries()) {
        const wanted = expected[name][at]
        expect(Object.keys(row).sort()).toEqual(Object.keys(wanted).sort())
        for (const [metric, value] of Object.entries(row)) expect(value).toBeCloseTo(wanted[metric], 10)
      }
    },
  )

  it('keeps each episode, under an id that no other evaluation has', async () => {
    const events = await readEvents(npz, fixture('classic/sb3/evaluations.npz'))
    const rows = rowsOf(events)
    const samples = eventsOf(events, 'samples').map(({ samples }) => samples)
    const rewards = samples.filter(({ metric }) => metric === 'evaluations/mean_reward')
    expect(rewards.map(({ step }) => step)).toEqual(rows.map(({ step }) => step))
    for (const [at, { scores }] of rewards.entries()) {
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
      expect(mean).toBeCloseTo(Number(rows[at]?.['evaluations/mean_reward']), 10)
    }
    const ids = rewards.flatMap(each => each.ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is part of the run that it lies beside, under names of its own', async () => {
    const { runs } = await discover([fixture('classic/sb3')])
    expect(runs.map(({ name, logs, tables }) => [name, logs.length, tables.length])).toEqual([['sb3', 1, 2]])
  })

  it('that holds pickles is said to be unreadable, and another array file is left alone', async () => {
    const objects = await readEvents(npz, fixture('classic/npz/objects.npz'))
    expect(rowsOf(objects)).toEqual([])
    expect(await npz.describe(await sourceFile(fixture('classic/npz/other.npz')), {})).toEqual([])
  })

  it('that is cut short is said to be damaged', async () => {
    const bytes = readFileSync(fixture('classic/sb3/evaluations.npz'))
    const events = await withFile(bytes.subarray(0, 700), path => readEvents(npz, path), 'evaluations.npz')
    expect(eventsOf(events, 'warning')).toMatchObject([{ message: { key: 'npz.unreadable' } }])
  })

  it('survives any damage', async () => {
    const bytes = readFileSync(fixture('classic/npz/compressed.npz'))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), async (at, byte, length) => {
        const damaged = Buffer.from(bytes.subarray(0, length))
        if (at < damaged.length) damaged[at] = byte
        await withFile(damaged, path => readNpz(path), 'x.npz')
      }),
    )
  })

  it('has no array where a header says more than there is', () => {
    const header = Buffer.from(
      "\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (999999999, 999999)}\n",
      'latin1',
    )
    expect(parseNpy(header)).toBeNull()
    expect(parseNpy(header.subarray(0, 8))).toBeNull()
  })
})
