import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage } from '../dashboard.js'

/** A copy of the dashboard, opened from disk and from a web server that knows nothing of klens. */

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url))

describe('klens export --site', () => {
  let browser: Browser | null
  const folder = mkdtempSync(join(tmpdir(), 'klens-site-'))
  const site = join(folder, 'site')
  const server = createServer((incoming, response) => {
    try {
      const path = new URL(incoming.url ?? '/', 'http://x').pathname.replace('/team/', '/')
      const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html'
      response.setHeader('content-type', type).end(readFileSync(join(site, path === '/' ? 'index.html' : path)))
    } catch {
      response.writeHead(404).end()
    }
  })

  beforeAll(async () => {
    browser = await openBrowser()
    klens(folder, ['import', ...['userrl-intentiongym', 'grpo-addition'].map(name => join(EXAMPLES, name))])
    klens(folder, ['report', 'no-kl', 'kl', '-o', 'verdict.html'])
    klens(folder, ['export', '--site', 'site', 'sick*', '--compare', 'no-kl', 'kl', '--report', 'verdict.html'])
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const places = [
    ['from disk', () => pathToFileURL(join(site, 'index.html')).href],
    ['from a folder of any web server', () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/team/`],
  ] as const
  for (const [where, address] of places) {
    it(`opens ${where} with its figures, and asks nobody`, async context => {
      if (browser === null) return context.skip(WITHOUT_BROWSER)
      const { page, complaints } = await openPage(browser, address())
      const asked: string[] = []
      page.on('request', request => asked.push(request.url()))
      const content = page.locator('#content')
      await content.getByText('−0.031').first().waitFor()
      await page.getByRole('link', { name: 'Compare', exact: true }).click()
      await page.getByText('not significantly different', { exact: false }).first().waitFor()
      await content.getByRole('img', { name: /kl minus no-kl/ }).waitFor()
      await content.getByRole('img', { name: /^validation score/ }).waitFor()
      await page.reload()
      await page.getByText('not significantly different', { exact: false }).first().waitFor()
      await page.getByRole('link', { name: 'Report', exact: true }).click()
      await content.getByRole('heading', { name: 'kl vs no-kl' }).waitFor()
      await page.getByRole('link', { name: 'Runs', exact: true }).click()
      await page.getByRole('link', { name: 'sick-length-bonus/seed0' }).click()
      await content.getByText('KL to the reference is above 1', { exact: false }).first().waitFor()
      const chart = page.getByRole('group', { name: /^Reward and score/ })
      await chart.focus()
      await page.keyboard.press('+')
      await page.waitForURL(/[?&]x=/)
      await page.goBack()
      await page.getByRole('button', { name: '中文' }).click()
      await content
        .getByText('no-kl', { exact: true })
        .or(content.getByText('sick', { exact: false }))
        .first()
        .waitFor()
      const origin = new URL(address()).origin
      expect(asked.filter(url => !url.startsWith(origin === 'null' ? 'file:' : origin))).toEqual([])
      expect(complaints.filter(complaint => !complaint.includes('a request to file:'))).toEqual([])
    })
  }

  it('holds no path of the machine it was made on, and is not written over by accident', () => {
    const data = readdirSync(join(site, 'data'))
    expect(data.length).toBeGreaterThan(5)
    const telling = data.filter(name => {
      const text = readFileSync(join(site, 'data', name), 'utf8')
      return text.includes(EXAMPLES) || text.includes(folder)
    })
    expect(telling).toEqual([])
    const again = klens(folder, ['export', '--site', 'site', 'kl'])
    expect(again.code).toBe(2)
  })
})
