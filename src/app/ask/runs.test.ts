import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedFolder, sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import { writeGoal } from '../../core/store/goal-file.js'
import { importLogs } from '../../core/store/ingest.js'
import type { Message } from '../../logs/model/run.js'
import { rename } from './manage.js'
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
    expect(await names({ where: ['kl.loss.coef>=0.1', 'seed<=1'] })).toEqual(['kl-0.1/seed0', 'kl-0.1/seed1'])
    expect(await names({ where: ['seed==1'] })).toEqual(['kl-0.1/seed1'])
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

describe('scores of runs', () => {
  const folder = sharedFolder()
  const workspace = sharedWorkspace()
  const two = { 'val-core/gsm8k/acc/mean@1': 0.7, 'val-core/aime/acc/mean@8': 0.1 }
  const LOGS = {
    one: two,
    two: { 'val-core/gsm8k/acc/mean_1': 0.8, 'val-core/aime/acc/mean_8': 0.2 },
    three: { ...two, 'val-core/gsm8k/acc/mean@1': 0.9 },
    trl: { eval_reward: 99 },
  }
  beforeAll(async () => {
    for (const [name, scores] of Object.entries(LOGS)) {
      mkdirSync(join(folder, name))
      const rows = [1, 2].map(step => JSON.stringify({ step, beta: 1, ...scores }))
      writeFileSync(join(folder, name, 'metrics.jsonl'), `${rows.join('\n')}\n`)
      await importLogs(workspace(), [join(folder, name)])
    }
  })
  const table = (input: object) => answerTo(workspace(), runTable, input)

  it('have a column for each metric and data set, whatever the tracker calls them', async () => {
    const { scores, runs: listed } = await table({})
    // The run that has neither of the two comes before the second of them.
    expect(scores.map(({ runs: n }) => n)).toEqual([3, 1, 3])
    const gsm8k = scores.findIndex(({ metric }) => metric.includes('gsm8k'))
    const values = Object.fromEntries(listed.map(run => [run.name, run.scores]))
    expect(['one', 'two', 'three', 'trl'].map(name => values[name][gsm8k])).toEqual([0.7, 0.8, 0.9, null])
    expect(values.trl[1]).toBe(99)
    const few = await table({ mostScores: 1 })
    expect([few.scores.length, few.moreScores.length]).toEqual([1, 2])
  })

  it.each(['val-core/gsm8k/acc/mean@1', 'val-core/gsm8k/acc/mean_1'])('are sorted by one metric, %s', async metric => {
    const { runs: listed } = await table({ sort: `-${metric}` })
    expect(listed.map(({ name }) => name)).toEqual(['three', 'two', 'one', 'trl'])
  })

  it('are never mixed under the name score', async () => {
    expect((await table({ sort: '-score' })).runs.at(-1)?.name).toBe('trl')
    expect((await table({ where: ['score>50'] })).none[0]).toContain('score>50: the values of val-core/')
    expect((await table({ columns: 'val.score', search: 'trl' })).runs[0].columns).toEqual([null])
  })

  it('follow the goal that is set, and come back when it is cleared', async () => {
    const main = async () => (await table({})).scores[0].metric
    const before = await main()
    await writeGoal(workspace(), { metric: 'beta', goal: 'max' })
    expect(await main()).toBe('beta')
    await writeGoal(workspace(), null)
    expect(await main()).toBe(before)
  })

  it.each([
    ['a status', { status: 'failed' }, ['no run is failed; statuses here: unknown']],
    ['a tag', { tag: ['good'] }, ['no run here has a tag, so none has good']],
    ['a value', { where: ['eval_reward>=100'] }, ['eval_reward>=100: the values of eval_reward here are 99']],
    ['a name', { search: 'tw?x' }, ['"tw?x" is in no name, id or tag; similar names: two']],
    [
      'two conditions',
      { where: ['eval_reward<=99', 'name=one'] },
      ['each condition alone matches some run, but no run matches all of them'],
    ],
  ])('say what there is where %s fits none', async (_, input, none) => {
    expect(await table(input)).toMatchObject({ runs: [], none })
  })

  it('are found by a pattern or a regular expression', async () => {
    const found = async (search: string) => (await table({ search })).runs.map(({ name }) => name)
    expect(await found('t*')).toEqual(['three', 'trl', 'two'])
    expect(await found('t?o')).toEqual(['two'])
    expect(await found('^(one|trl)$')).toEqual(['one', 'trl'])
    expect(await found('t(')).toEqual([])
  })

  it('refuses a regular expression that never ends', async () => {
    await answerTo(workspace(), rename, { run: 'one', name: 'a'.repeat(60) })
    const asked = table({ search: '^(a+)+b$' })
    await expect(asked).rejects.toMatchObject({ sentence: { key: 'runs.endless-search' } })
    await answerTo(workspace(), rename, { run: 'a'.repeat(60), name: 'one' })
  })
})
