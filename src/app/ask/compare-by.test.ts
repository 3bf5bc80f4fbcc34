import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonInside, klensInside } from '../../../test/cli-inside.js'
import { sharedFolder } from '../../../test/workspace.js'
import { seededRandom } from '../../stats/random.js'
import type { CompareAnswer } from './compare.js'

/** Runs of unlike rhythm and unlike steps, as verl logs them. */

interface Made {
  readonly every: number | null
  readonly tokens: number
  readonly seconds: number
  readonly level?: number
}

function log(folder: string, name: string, { every, tokens, seconds, level = 0 }: Made): void {
  const random = seededRandom(name.length + name.charCodeAt(0))
  const rows = Array.from({ length: 300 }, (_, i) => {
    const step = i + 1
    const height = 0.3 + level + (0.5 * step) / 300
    return JSON.stringify({
      step,
      'perf/total_num_tokens': tokens,
      'timing_s/step': seconds + 0.01 * random.normal(),
      'critic/rewards/mean': height + 0.05 * random.normal(),
      ...(every !== null && step % every === 0 && { 'val-core/gsm8k/reward/mean@1': height + 0.02 * random.normal() }),
    })
  })
  writeFileSync(join(folder, `${name}.jsonl`), `${rows.join('\n')}\n`)
}

describe('klens compare', () => {
  const folder = sharedFolder()
  beforeAll(async () => {
    log(folder, 'tens', { every: 10, tokens: 1000, seconds: 10 })
    log(folder, 'fifteens', { every: 15, tokens: 1000, seconds: 10, level: -0.05 })
    log(folder, 'cheap', { every: 10, tokens: 500, seconds: 20 })
    log(folder, 'unseen', { every: null, tokens: 1000, seconds: 10 })
    log(folder, 'unheard', { every: null, tokens: 1000, seconds: 10 })
    await klensInside(folder, ['import', '.'])
  })
  const compared = (...words: string[]) => jsonInside<CompareAnswer>(folder, ['compare', ...words])
  const headlineOf = ({ verdicts, headline }: CompareAnswer) => verdicts[headline.verdict]

  it('compares rhythms of 10 and 15 steps in windows, uses every evaluation, and says so', async () => {
    const answer = await compared('tens', 'fifteens')
    expect(headlineOf(answer)).toMatchObject({ answer: 'worse' })
    expect(answer.others[0].steps).toMatchObject({ n: 19, from: 15, to: 300, windows: 15 })
    expect(answer.unused).toEqual([])
    expect(answer.table).toMatchObject({ windows: 15, rows: { length: 19 } })
    expect(headlineOf(answer).reasons.join()).toContain('evaluated at different places')
  })

  it('tells by tokens and by time what steps do not show', async () => {
    const bySteps = await compared('tens', 'cheap')
    expect(headlineOf(bySteps).answer).toBe('undetermined')
    const byTokens = await compared('tens', 'cheap', '--by', 'tokens')
    expect(headlineOf(byTokens).answer).toBe('better')
    expect(byTokens).toMatchObject({ by: 'tokens', others: [{ steps: { to: 150_000 } }] })
    expect(headlineOf(await compared('tens', 'cheap', '--by', 'time')).answer).toBe('worse')
  })

  it('refuses an axis that a log does not tell, naming what is missing', async () => {
    const { code, error } = await klensInside(folder, ['compare', 'tens', 'cheap', '--by', 'samples'])
    expect([code, error]).toEqual([2, expect.stringContaining('--by samples: tens logs no number of samples')])
    expect((await klensInside(folder, ['compare', 'tens', 'cheap', '--by', 'epochs'])).error).toContain('tokens')
  })

  it('judges runs without validation by their reward, and says so', async () => {
    const { out, error } = await klensInside(folder, ['compare', 'unseen', 'unheard'])
    expect(out).toContain('critic/rewards/mean')
    expect(error).toContain('judged by reward.mean, the training reward')
    const asked = await klensInside(folder, ['compare', 'unseen', 'unheard', '--metric', 'val.score'])
    expect([asked.code, asked.error]).toEqual([
      2,
      expect.stringContaining('no metric "val.score" is logged by all of them'),
    ])
  })

  it('proposes the reward where checkpoints of a run without validation are asked for', async () => {
    const { code, error } = await klensInside(folder, ['checkpoints', 'unseen'])
    expect([code, error]).toEqual([2, expect.stringContaining('--metric critic/rewards/mean')])
    expect((await klensInside(folder, ['checkpoints', 'unseen', '-m', 'reward.mean'])).code).toBe(0)
  })

  it('shows the end of the table, which the headline is about', async () => {
    const { out } = await klensInside(folder, ['compare', 'tens', 'cheap'])
    expect(out).toMatch(/^ +300 /m)
    expect(out).not.toMatch(/^ +10 /m)
  })

  it("draws a report's curves along the axis", async () => {
    await klensInside(folder, ['report', 'tens', 'cheap', '--by', 'tokens', '-o', 'by.html'])
    const html = readFileSync(join(folder, 'by.html'), 'utf8')
    expect(html).toContain('>tokens</text>')
    expect(html).toContain('--by tokens')
  })
})
