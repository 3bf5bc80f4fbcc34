import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import type { Message } from '../../logs/model/run.js'
import { runs, runTable } from './runs.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('runs', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'grpo-addition', 'kl-0.1'), join(EXAMPLES, 'userrl-intentiongym'))
  const names = async (input: object) => (await answerTo(workspace(), runs, input)).map(({ name }) => name)

  it('lists in natural order, filters by config, and sorts by a metric', async () => {
    expect(await names({})).toEqual([
      'kl',
      'kl-0.1/seed0',
      'kl-0.1/seed1',
      'kl-0.1/seed2',
      'kl, partly estimated',
      'no-kl',
      'no-kl, partly estimated',
    ])
    expect(await names({ where: ['seed=1'] })).toEqual(['kl-0.1/seed1'])
    expect(await names({ where: ['actor_rollout_ref.actor.kl_loss_coef>0.05', 'seed!=1'] })).toEqual([
      'kl-0.1/seed0',
      'kl-0.1/seed2',
    ])
    expect(await names({ status: 'failed' })).toEqual([])
    expect(await names({ tag: ['good'] })).toEqual([])
    const byScore = await answerTo(workspace(), runs, { where: ['seed<9'], sort: '-critic/score/mean' })
    const scores = byScore.map(run => Number(run.summary['critic/score/mean'].last))
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  it('searches, groups and pages', async () => {
    const page = { search: 'KL-0.1 verl', group: 'seed', from: 1, most: 1 }
    expect(await answerTo(workspace(), runTable, page)).toMatchObject({
      found: 3,
      total: 7,
      runs: [{ name: 'kl-0.1/seed1' }],
      groups: [
        { value: 0, runs: 1 },
        { value: 1, runs: 1 },
        { value: 2, runs: 1 },
      ],
    })
    const { runs: sorted } = await answerTo(workspace(), runTable, { sort: '-score' })
    expect(sorted.map(({ score }) => score === null)).toEqual([...sorted.map(({ score }) => score === null)].sort())
  })

  it('tells the outlines of runs with some values as columns', async () => {
    const answer = await answerTo(workspace(), runTable, { where: ['seed=1'], columns: 'seed, critic/score/mean' })
    expect(answer).toMatchObject({ total: 7, runs: [{ name: 'kl-0.1/seed1', columns: [1, expect.any(Number)] }] })
  })

  it('knows metrics and settings by their canonical names', async () => {
    expect(await names({ where: ['kl.loss.coef>0.05', 'seed!=1'] })).toEqual(['kl-0.1/seed0', 'kl-0.1/seed2'])
    const asked = { where: ['kl.loss.coef=0.1'], columns: 'val.score,kl.loss.coef', sort: '-val.score' }
    const { runs: found } = await answerTo(workspace(), runTable, asked)
    const scores = found.map(({ columns: [score] }) => Number(score))
    expect(scores.every(Number.isFinite)).toBe(true)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(found.map(({ columns }) => columns[1])).toEqual([0.1, 0.1, 0.1])
    expect(found.map(({ score }) => score?.last)).toEqual(scores)
  })

  it.each([{ columns: 'nokey' }, { sort: 'nokey' }, { where: ['nokey=1'] }])(
    'says that nobody has what %o asks for',
    async input => {
      const refused = await answerTo(workspace(), runTable, input).catch(error => error)
      expect(refused.sentence).toMatchObject({ key: 'runs.unknown-key', params: { key: 'nokey' } })
    },
  )

  it('is empty, not wrong, where there is nothing', async () => {
    const nowhere = await temporaryWorkspace()
    expect(await answerTo(nowhere, runs, {})).toEqual([])
    expect(await answerTo(nowhere, runTable, {})).toMatchObject({ workspace: nowhere.root, runs: [], total: 0 })
  })

  it('passes over a manifest that cannot be read, and says so', async () => {
    const own = await temporaryWorkspace()
    const { runs: imported } = await importLogs(own, [join(EXAMPLES, 'plan-six')])
    writeFileSync(join(own.root, 'runs', imported[0].id, 'run.json'), '{')
    rmSync(join(own.root, 'cache'), { recursive: true, force: true })
    const remarks: Message[] = []
    const answer = await answerTo(own, runs, {}, { remark: said => remarks.push(said) })
    expect(answer).toHaveLength(imported.length - 1)
    expect(remarks).toMatchObject([{ key: 'run.damaged' }])
  })

  it.each([
    ['a status', { status: 'asleep' }, { key: 'runs.bad-status', params: { option: '--status', value: 'asleep' } }],
    ['a condition', { where: ['kl'] }, { key: 'runs.bad-condition', params: { value: 'kl' } }],
  ])('refuses %s that is none', async (_, input, sentence) => {
    await expect(answerTo(workspace(), runs, input)).rejects.toMatchObject({ sentence })
  })
})
