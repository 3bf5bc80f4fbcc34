import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { type Look, openPage, sharedDashboard } from '../dashboard.js'

const REWARD = 'val-core/interact_intention/reward/mean@1'

/** A command takes longer than a poll usually waits. */
const PATIENCE = { timeout: 30_000 }

/** What runs are judged by and what their metrics mean, on the pages in both languages. */

describe('the pages name what they show', () => {
  const dashboard = sharedDashboard('userrl-intentiongym')

  beforeAll(() => {
    const { folder } = dashboard()
    const rows = [1, 2, 3].map(step =>
      JSON.stringify({
        step,
        reward: step,
        'rewards/a/mean': step,
        eval_reward: 9,
        'eval_rewards/gold/mean': 0.25,
        odd: 1,
      }),
    )
    writeFileSync(join(folder, 'trl.jsonl'), `${rows.join('\n')}\n`)
    klens(folder, ['import', 'trl.jsonl'])
  }, 60_000)

  beforeEach(context => {
    if (dashboard().browser === null) context.skip(WITHOUT_BROWSER)
  })

  function opened(path: string, look: Look = {}) {
    const { browser, serving } = dashboard()
    if (browser === null) throw new Error(WITHOUT_BROWSER)
    return openPage(browser, serving.url + path, look)
  }

  it.each(['/', '/runs'])('by a column for each score, on %s', async path => {
    const { page, complaints } = await opened(path)
    for (const metric of ['eval_rewards/gold/mean', 'interact_intention/reward/mean@1']) {
      await page.getByRole('columnheader', { name: metric }).waitFor()
    }
    const row = page.getByRole('row').filter({ hasText: 'trl' })
    expect(await row.locator('.score').allInnerTexts()).toContain('0.2500')
    expect(complaints).toEqual([])
  })

  it('and sort by the metric whose column is clicked', async () => {
    const { page } = await opened('/runs')
    await page.getByRole('columnheader', { name: 'reward/mean@1' }).getByRole('button').click()
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe(`-${REWARD}`)
    await expect.poll(() => page.locator('.run-rows .run-row .name').first().innerText()).toContain('no-kl')
  })

  it.each([
    { language: 'en', says: 'independent score · judges the run', all: 'All 5 metrics', fits: 'here are 0.01' },
    { language: 'zh', says: '独立得分 · 判定依据', all: '全部 5 个指标', fits: '的取值有 0.01' },
  ] as const)('in $language, on a phone as well', async ({ language, says, all, fits }) => {
    const { page, complaints } = await opened('/run/trl', { language, width: 390 })
    const meaning = page.locator('.meaning')
    await meaning.getByText(says).first().waitFor()
    await meaning.getByText('klens vocabulary').first().waitFor()
    await meaning.getByText(all).click()
    await meaning.getByText('rewards/a/mean', { exact: true }).last().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const { page: list } = await opened('/runs?where=kl.loss.coef%3E%3D5', { language })
    await list.getByText(fits).waitFor()
    expect(complaints).toEqual([])
  })

  it('and find runs by a pattern or an expression', async () => {
    const { page } = await opened('/runs')
    const search = page.getByRole('searchbox').last()
    for (const [text, found] of [
      ['no-k?', '1 of 5'],
      ['^(no-)?kl$', '2 of 5'],
      ['kl-7*', '0 of 5'],
    ]) {
      await search.fill(text)
      await page.getByText(found, { exact: true }).waitFor()
    }
    await page.getByText('similar names: kl').waitFor()
  })

  it('and judge by the metric that is chosen on the page, here and on the command line, until it is taken back', async () => {
    const { folder } = dashboard()
    const goal = () => JSON.parse(klens(folder, ['goal', '--json']).out).set
    const { page, complaints } = await opened('/run/trl')
    const { page: list } = await opened('/runs')
    const judge = page.locator('.meaning').getByText('judges the run').first()
    const choice = page.getByLabel('Judged by (all runs)')
    await judge.waitFor()
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      'as each log has it',
      'eval_reward',
      'eval_rewards/gold/mean',
    ])
    const column = list.getByRole('columnheader', { name: 'eval_reward', exact: false })
    await list.getByRole('columnheader', { name: 'eval_rewards/gold/mean' }).waitFor()
    await choice.selectOption('eval_reward')
    await expect.poll(goal, PATIENCE).toMatchObject({ metric: 'eval_reward', goal: 'max' })
    await expect.poll(() => choice.inputValue(), PATIENCE).toBe('eval_reward')
    await expect
      .poll(() => list.getByRole('columnheader', { name: 'eval_rewards/gold/mean' }).count(), PATIENCE)
      .toBe(0)
    await column.waitFor()
    expect(await list.getByRole('row').filter({ hasText: 'trl' }).locator('.score').allInnerTexts()).toContain('9.000')
    await choice.selectOption('as each log has it')
    await expect.poll(goal, PATIENCE).toBeNull()
    await list.getByRole('columnheader', { name: 'eval_rewards/gold/mean' }).waitFor()
    expect(complaints).toEqual([])
  })
})
