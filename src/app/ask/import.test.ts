import { appendFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { type FollowEvent, follow, importRuns } from './import.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('import', () => {
  it('reads every example, leaving out only data to train on, study files and what was made of the runs, and warns of runs that did not reach their end', async () => {
    const progress: number[] = []
    const onProgress = ({ points }: { readonly points: number }): void => void progress.push(points)
    const workspace = await temporaryWorkspace()
    const { runs, skipped, seconds } = await answerTo(workspace, importRuns, { paths: [EXAMPLES] }, { onProgress })
    expect(new Set(skipped.map(({ path }) => basename(dirname(path))))).toEqual(
      new Set([
        'trl-gpu',
        'userrl-tasks',
        'lever-digits',
        'identical-results',
        'intention-kl',
        'learned-reward',
        'studies',
      ]),
    )
    const isOfEpochs = (warning: string): boolean => warning.includes('the steps of this run are epochs')
    const byEpoch = runs.filter(({ warnings }) => warnings.some(isOfEpochs))
    expect(new Set(byEpoch.map(({ source }) => source))).toEqual(new Set(['csv']))
    const warned = runs.filter(({ warnings }) => warnings.length > 0 && !warnings.some(isOfEpochs))
    expect(warned.map(({ name, warnings }) => [name, ...warnings])).toEqual([
      ['lr-3e-4-kl-seed1', '81 of 120 steps were logged'],
      ['lr-3e-4-kl-seed2', '86 of 120 steps were logged'],
      ['lr-3e-4-plain-seed2', '118 of 120 steps were logged'],
      ['kl', '45 of 465 steps were logged'],
      ['no-kl', '45 of 485 steps were logged'],
      ['hot-seed1', '11 of 60 steps were logged'],
      ['hot-seed2', '13 of 60 steps were logged'],
      ['hot-seed3', '12 of 60 steps were logged'],
    ])
    expect(new Set(runs.map(({ source }) => source))).toEqual(new Set(['verl', 'csv', 'report', 'hf', 'jsonl']))
    expect(runs.length).toBeGreaterThanOrEqual(25)
    expect(seconds).toBeGreaterThan(0)
    expect(progress.at(-1)).toBe(runs.reduce((sum, { points }) => sum + points, 0))
  })

  it('says why a path was passed over, in the language of the request', async () => {
    const input = { paths: ['/nowhere'], lang: 'zh' }
    const { runs, skipped } = await answerTo(await temporaryWorkspace(), importRuns, input)
    expect([runs, skipped[0].path]).toEqual([[], '/nowhere'])
    expect(skipped[0].reason).toMatch(/[\u4e00-\u9fff]/)
  })

  it('takes hints for a table that does not say which column counts the steps', async () => {
    const path = join(temporaryFolder(), 'table.csv')
    writeFileSync(path, 'when,score,noise\n1,0.5,7\n2,0.6,8\n')
    const input = { paths: [path], step: 'when', metric: ['score'] }
    const { runs } = await answerTo(await temporaryWorkspace(), importRuns, input)
    expect(runs).toMatchObject([{ steps: [1, 2], metrics: 1, points: 2 }])
  })
})

describe('follow', () => {
  it('tells what arrives until it is asked to stop', async () => {
    const path = join(temporaryFolder(), 'steps.jsonl')
    const row = (step: number): string => `${JSON.stringify({ step, data: { loss: 1 / step } })}\n`
    writeFileSync(path, row(1))
    const stopping = new AbortController()
    const told: FollowEvent[] = []
    const onProgress = (event: FollowEvent): void => {
      told.push(event)
      if (event.event === 'start') appendFileSync(path, row(2))
      if (event.event === 'growth' && event.run.points === 2) stopping.abort()
    }
    const { signal } = stopping
    await answerTo(await temporaryWorkspace(), follow, { paths: [path] }, { signal, onProgress })
    expect(told[0]).toMatchObject({ event: expect.stringMatching(/start|growth/) })
    expect(told.at(-1)).toMatchObject({ event: 'growth', run: { name: 'steps', step: 2, points: 2 } })
  })
})
