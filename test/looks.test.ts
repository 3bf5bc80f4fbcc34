import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { CheckpointsAnswer } from '../src/app/ask/checkpoints.js'
import { ask } from '../src/app/ask/question.js'
import { type Serving, serve } from '../src/app/server/serve.js'
import type { CompareAnswer } from '../src/core/analysis/compare/result.js'
import type { sweepAnswer } from '../src/core/analysis/sweep/answer.js'
import { openWorkspace, type Workspace } from '../src/core/store/workspace.js'
import { seededRandom } from '../src/stats/random.js'
import type { Encoded } from '../src/text/encode.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { sharedFolder } from './workspace.js'

type SweepAnswer = Encoded<z.infer<typeof sweepAnswer>>

/** Runs that may still grow, asked about through every door: the same data is the same look, and looks are remembered. */
describe('looks at runs that may still grow', () => {
  const folder = sharedFolder()
  const stop = new AbortController()
  let workspace: Workspace
  let serving: Serving
  let ended: Promise<unknown>
  beforeAll(async () => {
    write('a', 0, 20)
    write('b', 0.1, 20)
    await klensInside(folder, ['import', 'logs'])
    workspace = await openWorkspace(join(folder, '.klens'), {})
    serving = await new Promise((resolve, reject) => {
      ended = ask(workspace, serve, { port: 0 }, { signal: stop.signal, onProgress: resolve })
      ended.catch(reject)
    })
  })
  afterAll(async () => {
    stop.abort()
    await ended
    await workspace.close()
  })

  /** A log of so many evaluations, last written long ago, as a copy of a growing one is. */
  function write(name: string, level: number, evaluations: number, planned?: number, coefficient?: number): void {
    const random = seededRandom(name.charCodeAt(0))
    const rows = Array.from({ length: evaluations }, (_, i) => {
      const score = 0.5 + level + 0.02 * random.normal()
      return JSON.stringify({ step: 5 * (i + 1), data: { 'val-core/x/acc/mean@1': score } })
    })
    const run = join(folder, 'logs', name)
    mkdirSync(run, { recursive: true })
    writeFileSync(join(run, 'metrics.jsonl'), `${rows.join('\n')}\n`)
    utimesSync(join(run, 'metrics.jsonl'), 1_700_000_000, 1_700_000_000)
    const trainer = planned === undefined ? {} : { trainer: { total_training_steps: planned } }
    const actor =
      coefficient === undefined
        ? {}
        : { actor_rollout_ref: { actor: { use_kl_loss: true, kl_loss_coef: coefficient } } }
    if (planned === undefined && coefficient === undefined) return
    writeFileSync(join(run, 'config.json'), JSON.stringify({ ...trainer, ...actor }))
  }

  async function ofServer(request: object): Promise<CompareAnswer> {
    const response = await fetch(`${serving.url}/api/compare`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return (await response.json()) as CompareAnswer
  }

  const main = ({ verdicts, headline }: CompareAnswer) => verdicts[headline.verdict]
  /** Of pairs, or of single runs whose checkpoints were ranked. */
  const remembered = (sides = 2): readonly string[] => {
    const file = join(folder, '.klens', 'looks.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    return lines.filter(line => JSON.parse(line).sides.length === sides)
  }

  it('are one look through every door, and a claim says that it holds for one', async () => {
    const compared = await jsonInside<CompareAnswer>(folder, ['compare', 'a', 'b'])
    expect(main(compared)).toMatchObject({ answer: 'better' })
    expect(main(compared).tags).toContain('looked-once')
    expect(await ofServer({ sides: ['a', 'b'] })).toEqual(compared)
    await klensInside(folder, ['report', 'a', 'b', '--output', 'report.md'])
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('holds if this is the only interim analysis')
    expect((await klensInside(folder, ['compare', 'b', 'a'])).out).toContain(
      'Holds if this is the only interim analysis',
    )
    const decided = await jsonInside<{ judged: { verdict: { tags: string[] } } }>(folder, ['decide', 'a', 'b'])
    expect(decided.judged.verdict.tags).toContain('looked-once')
    expect(remembered()).toHaveLength(1)
    expect(JSON.parse(remembered()[0])).toMatchObject({ n: 20, until: 100, metric: 'val-core/x/acc/mean@1' })
  })

  it('stay that look until there are twice as many evaluations', async () => {
    const before = await jsonInside<CompareAnswer>(folder, ['compare', 'a', 'b'])
    write('a', 0, 30)
    write('b', 0.1, 30)
    await klensInside(folder, ['import', 'logs'])
    const compared = await jsonInside<CompareAnswer>(folder, ['compare', 'a', 'b'])
    expect(main(compared)).toMatchObject({ estimate: main(before).estimate, interval: main(before).interval })
    expect(main(compared).reasons[0]).toBe(
      'interim analysis 1 of this pair, with 20 evaluations (up to step 100): a claim needs p < 0.038; the next one is at 40 evaluations (--ended: training is over)',
    )
    expect(await ofServer({ sides: ['a', 'b'] })).toEqual(compared)
    expect(remembered()).toHaveLength(1)
  })

  it('get less of the level each, and what is left when the user says that training is over', async () => {
    write('a', 0, 40)
    write('b', 0.1, 40)
    await klensInside(folder, ['import', 'logs'])
    const compared = await jsonInside<CompareAnswer>(folder, ['compare', 'a', 'b'])
    expect(main(compared).reasons[0]).toContain('interim analysis 2 of this pair, with 40 evaluations')
    expect(main(compared).reasons[0]).toContain('p < 0.0094')
    expect(remembered()).toHaveLength(2)
    const over = await jsonInside<CompareAnswer>(folder, ['compare', 'a', 'b', '--ended'])
    expect(main(over).reasons[0]).toBe('1 interim analysis before it ended: a claim needs p < 0.013')
    expect(main(over).tags).not.toContain('looked-once')
    expect(await ofServer({ sides: ['a', 'b'], ended: true })).toEqual(over)
    await klensInside(folder, ['report', 'a', 'b', '--ended', '--output', 'over.md'])
    const report = readFileSync(join(folder, 'over.md'), 'utf8')
    expect(report).toContain('1 interim analysis before it ended')
    expect(report).toContain('klens report a b --ended -o over.md')
    expect(remembered()).toHaveLength(2)
  })

  it('are at the planned steps where these are known, though an old copy of the log counts as killed', async () => {
    write('c', 0, 46, 500)
    write('d', 0.1, 46, 500)
    await klensInside(folder, ['import', 'logs'])
    const compared = await jsonInside<CompareAnswer>(folder, ['compare', 'c', 'd'])
    expect(main(compared).reasons[0]).toBe(
      'not all of its 500 planned steps yet: interim analysis at 25 % of them (up to step 125), a claim needs p < 0.0026; the next one is at step 250 (--ended: training is over)',
    )
    expect(main(compared).tags).not.toContain('looked-once')
    expect(await ofServer({ sides: ['c', 'd'] })).toEqual(compared)
    const over = await jsonInside<CompareAnswer>(folder, ['compare', 'c', 'd', '--ended'])
    expect(over.others[0].steps).toMatchObject({ n: 46 })
    expect(remembered()).toHaveLength(2)
  })

  it('are the same looks in a sweep of the two, with the same verdict', async () => {
    const swept = (...options: string[]) =>
      jsonInside<SweepAnswer>(folder, ['sweep', 'e', 'f', '--over', 'kl.loss.coef', ...options])
    for (const [evaluations, looks] of [
      [20, 3],
      [30, 3],
      [40, 4],
    ]) {
      write('e', 0, evaluations, undefined, 0)
      write('f', 0.015, evaluations, undefined, 0.1)
      await klensInside(folder, ['import', 'logs'])
      const { verdicts } = await swept()
      const compared = main(await jsonInside<CompareAnswer>(folder, ['compare', 'e', 'f']))
      const { answer, estimate, p, tags } = compared
      expect(verdicts).toHaveLength(1)
      expect(verdicts[0]).toMatchObject({ answer, estimate: expect.closeTo(Number(estimate), 10), tags })
      expect(Number(verdicts[0].p)).toBeCloseTo(Number(p), 10)
      expect(verdicts[0].reasons[0]).toBe(compared.reasons[0])
      expect(remembered()).toHaveLength(looks)
    }
    const [over] = (await swept('--ended')).verdicts
    expect(over.reasons[0]).toBe('1 interim analysis before it ended: a claim needs p < 0.013')
  })

  it('are kept of a run whose checkpoints are ranked, which then counts what may still come', async () => {
    const ranked = (...options: string[]) => jsonInside<CheckpointsAnswer>(folder, ['checkpoints', 'g', ...options])
    write('g', 0, 40)
    await klensInside(folder, ['import', 'logs'])
    const before = remembered(1).length
    const first = await ranked()
    expect(first.reasons.join()).toContain(
      'interim analysis 1 of a run that may continue: ties are computed for 80 evaluations, at p < 0.038',
    )
    expect(remembered(1)).toHaveLength(before + 1)
    expect(await ranked()).toEqual(first)
    expect(remembered(1)).toHaveLength(before + 1)
    const over = await ranked('--ended')
    expect(over.reasons.join()).not.toContain('may continue')
    expect(over.indistinguishable.length).toBeLessThanOrEqual(first.indistinguishable.length)
    const planned = await jsonInside<CheckpointsAnswer>(folder, ['checkpoints', 'c'])
    expect(planned.reasons.join()).toContain(
      'not all of its 500 planned steps yet: ties are computed for all 100 evaluations',
    )
  })
})
