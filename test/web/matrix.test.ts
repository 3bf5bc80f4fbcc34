import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { workspaceAt } from '../../src/core/store/workspace.js'
import { freeze } from '../../src/lab/study/file/frozen.js'
import { readStudy } from '../../src/lab/study/file/read.js'
import { WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** Every page in both languages and themes, at three widths: nothing wider than the window, nothing that axe calls serious. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const foundSchema = z.array(
  z.object({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.object({ html: z.string() })) }),
)

async function seriousProblems(page: Page): Promise<readonly string[]> {
  // The page's own policy allows no script to be added; axe comes in by the debugger, as an extension would.
  await page.evaluate(AXE)
  const found = foundSchema.parse(await page.evaluate('axe.run().then(({ violations }) => violations)'))
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
}

const PAGES = [
  ['home', '/', 'no-kl'],
  ['runs', '/runs', 'sick-length-bonus/seed0'],
  ['run', '/runs?q=length-bonus', 'sick-length-bonus/seed0'],
  ['curves', '/curves?q=kl', ''],
  ['grouped curves', '/curves?group=kl.loss.coef', '± 1'],
  ['compare', '/compare?side=no-kl&side=kl&margin=5%25', '−0.031'],
  ['settings', '/settings', ''],
  ['frontier', '/frontier', ''],
  ['studies', '/study', 'doses'],
  ['gate', '/gate', ''],
  ['study', '/study/doses', 'kl.loss.coef=0.1'],
  ['samples', '/samples', ''],
  ['rollouts', '/samples?side=scripted:asker&open=failures', 'travel'],
  ['report', '/report?run=no-kl&run=kl', '−0.031'],
  ['audit', '/audit', ''],
  ['train', '/train', 'kl.loss.coef'],
] as const

describe('every page', () => {
  const dashboard = sharedDashboard('userrl-intentiongym', 'grpo-addition/sick-length-bonus')

  beforeAll(async () => {
    const text = 'question: How strong a KL term?\nbase: {task: digits}\nvary: {kl.loss.coef: [0, 0.1, 1]}\nseeds: 3\n'
    const workspace = workspaceAt(join(dashboard().folder, '.klens'))
    await freeze(workspace, readStudy('doses.yaml', text))
    await workspace.close()
    klens(dashboard().folder, ['gym', 'eval', 'scripted:asker', '--limit', '6'])
    klens(dashboard().folder, ['note', 'no-kl', 'see https://example.org'])
  })

  for (const [language, theme, width] of [
    ['en', 'light', 1440],
    ['zh', 'dark', 1024],
    ['zh', 'light', 390],
    ['en', 'dark', 390],
  ] as const) {
    it(`is whole and usable in ${language}, ${theme}, ${width} pixels wide`, async context => {
      const { browser, serving } = dashboard()
      if (browser === null) return context.skip(WITHOUT_BROWSER)
      const { page, complaints } = await openPage(browser, serving.url, { language, theme, width })
      for (const [name, path, figure] of PAGES) {
        await page.goto(serving.url + path)
        if (name === 'run') await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).click()
        await page.locator('h1').first().waitFor()
        if (figure !== '') await page.getByText(figure).first().waitFor()
        if (name === 'run' || name.endsWith('curves')) await page.getByRole('img').first().waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} at ${width}`).toBeLessThanOrEqual(
          width,
        )
        expect(await seriousProblems(page), name).toEqual([])
        expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(theme)
        const text = z.string().parse(await page.evaluate('document.getElementById("content").innerText'))
        expect(/[\u4e00-\u9fff]/.test(text), `${name} in ${language}`).toBe(language === 'zh')
      }
      expect(complaints).toEqual([])
      await page.context().close()
    })
  }

  it('can be worked by keyboard alone', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const { page } = await openPage(browser, serving.url)
    await page.getByText('no-kl').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('length-bonus')
    await page.getByRole('option', { name: /sick-length-bonus/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/run\//)
    const chart = page.getByRole('group', { name: /^Reward and score/ })
    await chart.focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.chart-tip').waitFor()
    await page.keyboard.press('+')
    await page.waitForURL(/[?&]x=/)
    await page.keyboard.press('0')
    await page.waitForURL(url => !url.searchParams.has('x'))
    await page.goto(`${serving.url}/runs?q=kl`)
    const box = page.getByLabel('Pick no-kl', { exact: true })
    await box.focus()
    await page.keyboard.press('Space')
    await page.waitForURL(/[?&]pick=/)
  })

  it('shows the same again by its address, and goes back', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const { page } = await openPage(browser, `${serving.url}/compare?side=no-kl&side=kl`)
    await page.getByText('−0.031').first().waitFor()
    // These two stopped short of their plans: without a word that they have ended nothing is claimed.
    await page.getByLabel('Training is over').check()
    await page.getByLabel('Margin').fill('15%')
    await page.getByText('ABOUT THE SAME').first().waitFor()
    const address = page.url()
    const other = await openPage(browser, address)
    await other.page.getByText('ABOUT THE SAME').first().waitFor()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
    await page.goBack()
    await page.getByText('ABOUT THE SAME').first().waitFor()
  })

  it('zooms by drag, asks for the window, and saves exactly what is seen', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const { page } = await openPage(browser, `${serving.url}/runs?q=length-bonus`)
    await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).click()
    const chart = page.getByRole('group', { name: /^Reward and score/ })
    await chart.scrollIntoViewIfNeeded()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the chart is not there')
    const asked = page.waitForRequest(
      request => request.url().endsWith('/api/series') && (request.postData() ?? '').includes('"from":'),
    )
    await page.mouse.move(box.x + 100, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 180, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await asked
    await page.waitForURL(/[?&]x=/)
    const [from, to] = (new URL(page.url()).searchParams.get('x') ?? '').split(':').map(Number)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: /^Save Reward and score as CSV/ }).click()
    const csv = readFileSync(await (await downloading).path(), 'utf8')
    const steps = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map(line => Number(line.replace(/"[^"]*"/g, '').split(',')[2]))
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.filter(step => step < from || step > to)).toEqual([])
    await chart.dblclick({ position: { x: 120, y: box.height / 2 } })
    await page.waitForURL(url => !url.searchParams.has('x'))
  })
})
