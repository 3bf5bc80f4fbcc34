import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage, startServing, stopServing } from '../dashboard.js'

/** The workspace changes, goes away and comes back, the server is killed and started again: pages show the truth by themselves. */

describe('what goes wrong while a page is open', () => {
  let browser: Browser | null
  const folder = mkdtempSync(join(tmpdir(), 'klens-faults-'))
  beforeAll(async () => {
    browser = await openBrowser()
    addRun('first')
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function addRun(name: string): void {
    const logs = join(folder, 'logs', name)
    mkdirSync(logs, { recursive: true })
    const rows = Array.from({ length: 30 }, (_, step) => JSON.stringify({ step, score: step + name.length }))
    writeFileSync(join(logs, 'metrics.jsonl'), rows.join('\n'))
    klens(folder, ['import', logs])
  }

  it('shows a run that another process adds', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const serving = await startServing(folder)
    const { page } = await openPage(browser, `${serving.url}/runs`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    addRun('second')
    await page.getByRole('link', { name: 'second' }).waitFor()
    await stopServing(serving)
  })

  it('says that the server is away, and goes on when it is back', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const serving = await startServing(folder, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/runs`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    serving.process.kill('SIGKILL')
    await page.getByText('The server does not answer', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'first' }).waitFor()
    addRun('third')
    const again = await startServing(folder, ['--port', new URL(serving.url).port])
    await page.getByRole('link', { name: 'third' }).waitFor()
    expect(await page.getByText('The server does not answer', { exact: false }).count()).toBe(0)
    await stopServing(again)
  })

  it('shows no runs while the workspace is gone, and all of them when it is back', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const serving = await startServing(folder, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/runs`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    renameSync(join(folder, '.klens'), join(folder, 'elsewhere'))
    await page.getByText('No run fits.').waitFor()
    rmSync(join(folder, '.klens'), { recursive: true, force: true })
    renameSync(join(folder, 'elsewhere'), join(folder, '.klens'))
    await page.getByRole('link', { name: 'first' }).waitFor()
    expect(await stopServing(serving)).toBe(0)
  })

  it('renames, tags and removes runs from the page', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    addRun('misnamed')
    const serving = await startServing(folder, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/runs?q=misnamed`)
    await page.getByLabel('Pick misnamed', { exact: true }).check()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByLabel('New name').fill('renamed')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('No run fits.').waitFor()
    await page.goto(`${page.url().replace('q=misnamed', 'q=renamed')}`)
    await page.getByRole('link', { name: 'renamed', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Tag' }).click()
    await page.getByLabel('Tag').fill('odd')
    await page.getByRole('button', { name: 'Tag' }).click()
    await page.locator('.tag', { hasText: 'odd' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Remove 1 run from the workspace?', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No run fits.').waitFor()
    expect(await stopServing(serving)).toBe(0)
  })

  it('trains from the form, shows it while it runs, and stops it', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const serving = await startServing(folder, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/train`)
    await page.getByLabel('Name').fill('from-a-page')
    await page.getByLabel(/epochs\.grpo/).fill('400')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('epoch 1', { exact: false }).first().waitFor()
    const other = await openPage(browser, `${serving.url}/runs`)
    await other.page.getByRole('link', { name: 'from-a-page' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.locator('.job-state', { hasNotText: 'running' }).first().waitFor()
    expect(await stopServing(serving)).toBe(0)
  })

  it('asks for a token beyond loopback and keeps it out of the address', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const tokens = { KLENS_READ_TOKEN: 'reading-only', KLENS_WRITE_TOKEN: 'writing-too' }
    const serving = await startServing(folder, ['--port', '0', '--host', '0.0.0.0'], tokens)
    const url = serving.url.replace('0.0.0.0', '127.0.0.1')
    const stranger = await openPage(browser, `${url}/runs`)
    await stranger.page.getByLabel('Token').fill('guess')
    await stranger.page.getByRole('button', { name: 'Enter' }).click()
    await stranger.page.getByRole('alert').waitFor()
    const reader = await openPage(browser, `${url}/train#token=reading-only`)
    await reader.page.getByText('Training needs the write token.').waitFor()
    expect(reader.page.url()).not.toContain('reading-only')
    await stopServing(serving)
  })
})
