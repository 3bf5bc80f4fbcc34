import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage, sharedDashboard } from '../dashboard.js'

/** What strangers write into names, metrics, settings and reports is shown as text; none of it runs. */

const SCRIPT = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'
const LINK = 'javascript:window.hurt=1'

describe('hostile content', () => {
  const dashboard = sharedDashboard()

  it('is shown and does not run', async context => {
    const { browser, serving, folder } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const logs = join(folder, 'logs', 'evil')
    mkdirSync(logs, { recursive: true })
    const row = (step: number) =>
      JSON.stringify({ step, [`reward ${SCRIPT}`]: step, [`</script>${LINK}`]: 1 - step, score: step })
    writeFileSync(join(logs, 'metrics.jsonl'), Array.from({ length: 30 }, (_, step) => row(step)).join('\n'))
    writeFileSync(
      join(logs, 'config.json'),
      JSON.stringify({ [SCRIPT]: SCRIPT, lr: `"><svg onload=window.hurt=1>`, url: LINK }),
    )
    klens(folder, ['import', join(folder, 'logs')])
    klens(folder, ['rename', 'evil', `${SCRIPT}${'x'.repeat(300)}`])
    const { page, complaints } = await openPage(browser, `${serving.url}/runs`)
    const link = page.getByRole('link', { name: /<img src=x/ }).first()
    await link.waitFor()
    await page.getByRole('checkbox').first().check()
    await link.click()
    await page.locator('h1', { hasText: '<script>' }).waitFor()
    await page.getByRole('img').first().waitFor()
    await page.goto(`${serving.url}/audit`)
    await page.getByLabel('or paste it').fill(`# ${SCRIPT}\n\n[a](${LINK}) <svg onload=window.hurt=1> 5 % of 3 is 9\n`)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('claims checked', { exact: false }).waitFor()
    for (const path of [
      `/compare?side=${encodeURIComponent(SCRIPT)}&side=b`,
      `/run/${encodeURIComponent(SCRIPT)}`,
      `/runs?where=${encodeURIComponent(SCRIPT)}=1`,
    ]) {
      await page.goto(serving.url + path)
      await page.getByRole('alert').waitFor()
    }
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    expect(complaints.filter(complaint => /Content.Security|hurt/.test(complaint))).toEqual([])
  })

  it('cannot be framed, and a foreign page cannot read the answers', async context => {
    const { browser, serving } = dashboard()
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const page = await browser.newPage()
    await page.route('http://evil.example/', route =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${serving.url}/"></iframe>` }),
    )
    await page.goto('http://evil.example/')
    const outcome = await page.evaluate(
      `fetch(${JSON.stringify(`${serving.url}/api/run-table`)}, { mode: 'no-cors' }).then(r => r.status, () => 'refused')`,
    )
    expect([0, 'refused']).toContain(outcome)
    expect(page.frames().some(frame => frame.url().startsWith(serving.url) && frame !== page.mainFrame())).toBe(false)
  })
})
