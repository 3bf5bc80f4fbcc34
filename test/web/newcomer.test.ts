import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** What a newcomer wants to know about curves and settings: each from Home, in at most four clicks or one search. */

const MOST_CLICKS = 4

/** As long as Playwright waits: a busy machine takes its time. */
const PATIENCE = { timeout: 30_000 }

/** As high as one panel with its title, in pixels. */
const PANEL = 340

/** A page on which every click counts. Typing into a search or a filter is the search. */
class Visit {
  clicks = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(role: 'link' | 'button' | 'checkbox', name: string | RegExp): Promise<void> {
    this.clicks += 1
    await this.page
      .getByRole(role, { name, exact: typeof name === 'string' })
      .first()
      .click()
  }

  /** A page of the navigation. */
  async go(name: string): Promise<void> {
    this.clicks += 1
    await this.page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  }
}

describe('a newcomer finds', () => {
  const dashboard = sharedDashboard('grpo-addition')

  async function atHome(context: { skip: (note: string) => never }): Promise<Visit> {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    return new Visit((await openPage(browser, serving.url, { width: 1440 })).page)
  }

  it('the run that collapsed and its step, which the picture shows whole', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Runs')
    await visit.click('link', 'sick-length-bonus/seed0')
    await page
      .getByText(/step 5: from 0\.598 to 0\.422/)
      .first()
      .waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save Reward and score as SVG/ }).click()
    const svg = readFileSync(await (await downloading).path(), 'utf8')
    expect(svg).not.toMatch(/beyond, to 0\.598/)
    await visit.click('button', /val-core.*: full screen/)
    const picture = page.locator('.full-panel canvas')
    await expect.poll(async () => (await picture.boundingBox())?.width, PATIENCE).toBeGreaterThan(1300)
    await page.getByRole('button', { name: 'All panels' }).click()
    await page.locator('.run-curves canvas').first().waitFor()
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('the entropy of all runs with a KL coefficient above zero, over each other', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Curves')
    await page.getByLabel('Filter by setting').fill('kl.loss.coef>0')
    await page.keyboard.press('Enter')
    await page.getByLabel('Metrics').fill('^entropy$')
    await page.getByRole('heading', { name: 'entropy', exact: true }).waitFor()
    await page.locator('.panel canvas').waitFor()
    expect(await page.locator('.panel').count()).toBe(1)
    const drawn = await page.locator('.run-ticks .look-sign').count()
    expect(drawn).toBeGreaterThan(5)
    expect(await page.locator('.run-ticks').innerText()).not.toContain('kl-0.0/')
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('which coefficient is best, and how sure that is', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Settings')
    const row = page.getByRole('row').filter({ hasText: 'KL loss coefficient' })
    await row.getByText(/95 % interval/).waitFor()
    await row.locator('.answer').waitFor()
    await page.locator('.headline').waitFor()
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('in which settings two runs differ', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Runs')
    await visit.click('checkbox', 'Pick kl-0.0/seed0')
    await visit.click('checkbox', 'Pick kl-0.3/seed0')
    await visit.click('link', 'Compare 2')
    await page.getByText(/settings? differs?: .*KL loss coefficient off → 0\.3/).waitFor()
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('the line of the log behind a point', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Curves')
    const chart = page.getByRole('group', { name: /^validation score/ }).first()
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.locator('.origin-lines mark').first().waitFor()
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('mean and band of the score by learning rate, and each run under the pointer', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Curves')
    await page.getByLabel('Group by setting').fill('lr')
    await page.getByText('Band: ± 1 std', { exact: false }).waitFor()
    const panel = page.getByRole('region', { name: /^validation score/ }).first()
    await expect.poll(() => page.locator('.legend li').count(), PATIENCE).toBeGreaterThan(1)
    const downloading = page.waitForEvent('download')
    await panel.getByRole('button', { name: /as CSV$/ }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    const banded = csv.split('\r\n').filter(line => /,[\d.]+,[\d.]+,[\d.]+$/.test(line))
    expect(banded.length).toBeGreaterThan(10)
    await panel.getByRole('group').focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.chart-tip .chart-tip-more').nth(2).waitFor()
    expect(visit.clicks).toBeLessThanOrEqual(MOST_CLICKS)
  })

  it('how to send a comparison: its address shows the same, and so does a folder', async context => {
    const visit = await atHome(context)
    const { browser, folder } = dashboard()
    const { page } = visit
    await page.goto(`${page.url()}compare?side=kl-0.0/*&side=kl-0.3/*`)
    const verdict = page.locator('.strip b').first()
    await verdict.waitFor()
    const said = await verdict.innerText()
    await page.getByText('Share', { exact: true }).click()
    const command = await page.locator('.share code').innerText()
    if (browser === null) return
    const other = await openPage(browser, page.url())
    await other.page.locator('.strip b', { hasText: said }).first().waitFor()
    klens(folder, command.replaceAll("'", '').split(' ').slice(1))
    const copy = await openPage(browser, pathToFileURL(join(folder, 'comparison', 'index.html')).href)
    await copy.page.getByRole('link', { name: 'Compare', exact: true }).click()
    await copy.page.locator('.strip b', { hasText: said }).first().waitFor()
  })

  it('his panels again: pinned, moved and sized, by the address and by the workspace', async context => {
    const visit = await atHome(context)
    const { page } = visit
    await visit.go('Curves')
    await visit.click('button', 'Pin gradient norm')
    await visit.click('button', 'Pin entropy')
    await visit.click('button', 'Move entropy forward')
    const corner = page.getByRole('button', { name: 'Resize entropy' })
    await corner.press('ArrowRight')
    await corner.press('ArrowDown')
    const first = page.locator('.panel h3').first()
    await expect.poll(() => first.innerText(), PATIENCE).toBe('entropy')
    const pinned = (): readonly string[] => new URL(page.url()).searchParams.getAll('panel')
    await expect.poll(pinned, PATIENCE).toEqual(['entropy@2x210', 'grad.norm'])
    const other = page.locator('.panel', { hasText: 'KL to the reference' }).first()
    await other.locator('canvas').scrollIntoViewIfNeeded()
    await other.getByRole('button', { name: /^Resize/ }).hover()
    const before = await other.boundingBox()
    const box = await other.getByRole('button', { name: /^Resize/ }).boundingBox()
    if (before === null || box === null) throw new Error('no panel of the KL to drag')
    await page.mouse.move(box.x + 12, box.y + 12)
    await page.mouse.down()
    await page.mouse.move(box.x + 12, box.y + 112, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await other.boundingBox())?.height, PATIENCE).toBeCloseTo(before.height + 100, 0)
    await page.getByLabel('Log x').check()
    const { browser, serving } = dashboard()
    if (browser === null) return
    const later = await openPage(browser, `${serving.url}/curves`, { width: 1440 })
    await expect.poll(() => later.page.locator('.panel h3').first().innerText(), PATIENCE).toBe('entropy')
    const boxOf = async (name: string) => await later.page.locator('.panel', { hasText: name }).first().boundingBox()
    const [wide, narrow] = [await boxOf('entropy'), await boxOf('gradient norm')]
    expect(wide?.width).toBeGreaterThan(1.9 * (narrow?.width ?? 0))
    // It lies below the fold, and is drawn after what is in sight.
    const heightOfKl = async () => (await boxOf('KL to the reference'))?.height
    await expect.poll(heightOfKl, PATIENCE).toBeCloseTo(before.height + 100, 0)
    expect(await later.page.getByLabel('Log x').isChecked()).toBe(true)
  })

  it('the first curve within the first screen, of 2, 4 and 10 runs, on a desk and on a phone', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const names = ['kl-0.0', 'kl-0.1', 'kl-0.3', 'kl-ent-cosine'].flatMap(name =>
      ['seed0', 'seed1', 'seed2'].map(seed => `${name}/${seed}`),
    )
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const { page } = await openPage(browser, serving.url, { width })
      await page.setViewportSize({ width, height })
      const tops: Record<string, number> = {}
      const look = async (what: string, path: string, last: string): Promise<void> => {
        await page.goto(serving.url + path)
        // What comes last may move the curves.
        await page.locator(last).first().waitFor()
        const canvas = page.locator('main canvas').first()
        await canvas.waitFor()
        const box = await canvas.boundingBox()
        // Half of its first panel at least, not only the upper edge.
        tops[what] = (box?.y ?? Number.POSITIVE_INFINITY) + Math.min(box?.height ?? 0, PANEL) / 2
      }
      for (const n of [2, 4, 10]) {
        const sides = names.slice(0, n)
        await look(`compare ${n}`, `/compare?${sides.map(side => `side=${side}`).join('&')}`, '.strip .answer')
        await look(`curves ${n}`, `/curves?q=${encodeURIComponent(`^(${sides.join('|')})$`)}`, '.panel canvas')
      }
      await look('run', `/run/${encodeURIComponent('sick-length-bonus/seed0')}`, '.findings li')
      for (const [what, middle] of Object.entries(tops)) expect(middle, `${what} at ${width}`).toBeLessThan(height)
      await page.context().close()
    }
  })
})
