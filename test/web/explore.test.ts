import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { ended, klens, startKlens } from '../cli.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** Tasks of a newcomer, each from the first page in at most four clicks or one search; and hostile texts on the way. */

const SCRIPT = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'

describe('a newcomer', () => {
  const dashboard = sharedDashboard('grpo-addition/sick-length-bonus')
  const begun = Date.now() / 1000
  /** A step a minute. */
  const growth = (step: number): string =>
    `${JSON.stringify({ step, _timestamp: begun - 60 * (50 - step), 'train/loss': 1 / (step + 1), reward: step })}\n`

  beforeAll(() => {
    const { folder } = dashboard()
    const logs = join(folder, 'logs')
    mkdirSync(join(logs, 'explored/rollout'), { recursive: true })
    for (const step of [1, 2]) {
      const rows = Array.from({ length: 40 }, (_, i) => ({
        input: `question ${Math.floor(i / 4)} ${SCRIPT}`,
        output: `answer ${i} at ${step} ${SCRIPT} javascript:window.hurt=1`,
        score: i,
        step,
      }))
      writeFileSync(join(logs, `explored/rollout/${step}.jsonl`), rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    }
    mkdirSync(join(logs, 'growing'))
    writeFileSync(join(logs, 'growing/metrics.jsonl'), Array.from({ length: 50 }, (_, step) => growth(step)).join(''))
    writeFileSync(join(logs, 'growing/config.json'), JSON.stringify({ max_steps: 170 }))
    klens(folder, ['import', join(logs, 'explored')])
  }, 120_000)

  async function opened(context: { skip: (note: string) => never }): Promise<Page> {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const { page, complaints } = await openPage(browser, serving.url)
    page.once('close', () => expect(complaints.filter(each => /Security|hurt/.test(each))).toEqual([]))
    return page
  }

  it('sees the five rollouts that earned most at the last step: two clicks', async context => {
    const page = await opened(context)
    await page.getByRole('link', { name: 'Samples' }).click()
    await page.getByRole('link', { name: 'explored', exact: true }).click()
    const cards = page.locator('article.rollout')
    await cards.first().waitFor()
    const scores = await cards.locator('strong').allInnerTexts()
    expect(scores.slice(0, 5)).toEqual(['39', '38', '37', '36', '35'])
    expect(await cards.first().innerText()).toContain(`answer 39 at 2 ${SCRIPT}`)
    await page.getByLabel('Search all texts').fill('answer 7 at')
    await page.getByText('1 of 40 answers').waitFor()
    await page.getByRole('button', { name: 'All 4 answers to this prompt' }).click()
    await expect.poll(() => cards.count()).toBe(4)
    await page.getByRole('button', { name: 'All answers' }).click()
    await page.getByRole('button', { name: /^Score 0 … / }).click()
    expect(new URL(page.url()).searchParams.get('scores')).toMatch(/^0:/)
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    await page.close()
  })

  it('sees what is running now and when it ends: no click', async context => {
    const page = await opened(context)
    const log = join(dashboard().folder, 'logs/growing/metrics.jsonl')
    const following = startKlens(dashboard().folder, ['import', dirname(log), '--follow'])
    const running = page.locator('section').filter({ hasText: 'Running now' })
    const row = running.getByRole('row').filter({ hasText: 'growing' })
    let step = 50
    const shown = async (): Promise<string> => {
      appendFileSync(log, growth(step++))
      return (await row.count()) === 0 ? '' : row.innerText()
    }
    // Of 170 steps some 120 are left, two hours.
    await expect.poll(shown, { timeout: 60_000, interval: 500 }).toMatch(/\d+ \/ 170[\s\S]*in (?:1 h 5\d|2 h \d) min/)
    following.kill('SIGINT')
    await ended(following)
    await page.close()
  })

  it('writes a note on a run and finds it again by one search', async context => {
    const page = await opened(context)
    await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).first().click()
    await page.getByRole('button', { name: 'Add a note' }).click()
    await page
      .getByLabel('Note', { exact: true })
      .fill(`plateau ${SCRIPT} see https://example.org/7, [x](javascript:hurt)`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const note = page.locator('.note-text')
    await note.waitFor()
    expect(await note.getByRole('link').evaluateAll(links => links.map(link => String(link)))).toEqual([
      'https://example.org/7',
    ])
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByLabel('Search', { exact: true }).fill('plateau')
    await page.getByText(/^1 of \d+$/).waitFor()
    await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).waitFor()
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    await page.close()
  })

  it('is told first what is wrong, in any run, and one click leads to the finding', async context => {
    const page = await opened(context)
    const attention = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Needs attention' }) })
    await attention.getByRole('link', { name: 'sick-length-bonus/seed0' }).first().click()
    await page.locator('.evidence').first().waitFor()
    await page.close()
  })

  it('is told what has changed since the last visit, and not what has not', async context => {
    const { browser, serving, folder } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const look = await browser.newContext()
    const first = await look.newPage()
    await first.goto(serving.url)
    await first.getByRole('heading', { name: 'Newest runs' }).waitFor()
    expect(await first.getByText('Since your last visit').count()).toBe(0)
    await first.close()
    mkdirSync(join(folder, 'more/later'), { recursive: true })
    writeFileSync(join(folder, 'more/later/metrics.jsonl'), '{"step":1,"reward":1}\n{"step":2,"reward":2}\n')
    klens(folder, ['import', join(folder, 'more')])
    const second = await look.newPage()
    await second.goto(serving.url)
    const since = second.locator('section').filter({ hasText: 'Since your last visit' })
    await since.getByText('1 new').waitFor()
    await since.getByRole('link', { name: 'later' }).waitFor()
    await look.close()
  })

  it('finds something to click on every page that has nothing to show yet', async context => {
    const page = await opened(context)
    const { serving } = dashboard()
    for (const path of ['/compare', '/settings', '/frontier', '/report', '/samples', '/study']) {
      await page.goto(serving.url + path)
      await page.locator('main').getByRole('link').first().waitFor()
    }
    await page.close()
  })
})
