import { mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { ask } from './question.js'
import { series } from './series.js'

/** 5,000 steps of verl, two tokens each, one peak. */
async function workspaceWithRuns(...names: readonly string[]) {
  const workspace = await temporaryWorkspace()
  const folder = temporaryFolder()
  for (const name of names) {
    mkdirSync(join(folder, name))
    const rows = Array.from({ length: 5000 }, (_, step) =>
      JSON.stringify({
        step,
        reward: step === 4321 ? 99 : name.length,
        'perf/total_num_tokens': 2,
        'actor/pg_loss': 0.1,
      }),
    )
    writeFileSync(join(folder, name, 'metrics.jsonl'), rows.join('\n'))
  }
  await importLogs(workspace, [folder])
  return workspace
}

describe('series', () => {
  it('gives ranges of many points without losing a peak, and the points of a window', async () => {
    const workspace = await workspaceWithRuns('long')
    const whole = await answerTo(workspace, series, { runs: ['long'], metric: ['reward'], most: 100 })
    const [ranges] = whole.series
    if (ranges?.shown !== 'ranges') throw new Error('5,000 points are more than 100')
    expect(ranges.total).toBe(5000)
    expect(ranges.from.length).toBeLessThanOrEqual(100)
    expect(Math.max(...ranges.high.map(Number))).toBe(99)
    const window = { runs: ['long'], metric: ['reward'], most: 100, from: 4300, to: 4350 }
    const [exact] = (await answerTo(workspace, series, window)).series
    if (exact?.shown !== 'exact') throw new Error('51 points are fewer than 100')
    expect(exact).toMatchObject({ total: 51 })
    expect(exact.y[exact.x.indexOf(4321)]).toBe(99)
  })

  it('shows the first of many points one by one along powers of ten, and still loses no peak', async () => {
    const workspace = await workspaceWithRuns('long')
    for (const along of ['steps', 'tokens']) {
      const asked = { runs: ['long'], metric: ['reward'], most: 100, log: true, along }
      const [ranges] = (await answerTo(workspace, series, asked)).series
      if (ranges?.shown !== 'ranges') throw new Error('5,000 points are more than 100')
      expect(ranges).toMatchObject({ total: 5000 })
      expect(ranges.from.slice(0, 15)).toEqual(ranges.to.slice(0, 15))
      expect(ranges.from.every((from, i) => i === 0 || from > ranges.to[i - 1])).toBe(true)
      expect(ranges.to.at(-1)).toBe(along === 'steps' ? 4999 : 10_000)
      expect(Math.max(...ranges.high.map(Number))).toBe(99)
    }
  })

  it('remembers an outline only as long as the run is the same', async () => {
    const workspace = await temporaryWorkspace()
    const folder = join(temporaryFolder(), 'grows')
    mkdirSync(folder)
    const grownTo = async (steps: number): Promise<void> => {
      const rows = Array.from({ length: steps }, (_, step) => JSON.stringify({ step, reward: step }))
      writeFileSync(join(folder, 'metrics.jsonl'), `${rows.join('\n')}\n`)
      await importLogs(workspace, [folder])
    }
    const asked = { runs: ['grows'], metric: ['reward'], most: 100 }
    await grownTo(300)
    const first = await answerTo(workspace, series, asked)
    expect(await answerTo(workspace, series, asked)).toEqual(first)
    await grownTo(500)
    expect((await answerTo(workspace, series, asked)).series).toMatchObject([{ total: 500 }])
  })

  it('runs along tokens as the log counts them', async () => {
    const workspace = await workspaceWithRuns('long')
    const asked = { runs: ['long'], metric: ['reward'], along: 'tokens', from: 100, to: 110, most: 100 }
    const answer = await answerTo(workspace, series, asked)
    expect(answer.series).toMatchObject([{ shown: 'exact', x: [100, 102, 104, 106, 108, 110] }])
    expect(await answerTo(workspace, series, { ...asked, along: 'samples' })).toMatchObject({
      series: [],
      without: ['long'].map(() => expect.any(String)),
    })
  })

  it('leaves out a run that cannot be read, and says why', async () => {
    const workspace = await workspaceWithRuns('good', 'torn')
    const { series: before } = await ask(workspace, series, { runs: ['torn'], metric: ['reward'] })
    await rm(join(workspace.root, 'runs', before[0].run, 'points'), { recursive: true })
    const answer = await answerTo(workspace, series, { runs: ['good', 'torn'], metric: ['reward'] })
    expect(answer.series).toHaveLength(1)
    expect(answer.unread).toMatchObject([{ run: before[0].run }])
  })
})
