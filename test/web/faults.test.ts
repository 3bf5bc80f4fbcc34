import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, WITHOUT_BROWSER } from '../browser.js'
import { klens } from '../cli.js'
import { openPage, startServing, stopServing } from '../dashboard.js'

/** The workspace changes, goes away and comes back, the server is killed and started again: pages show the truth by themselves. */

const NOBODY = 65_534

function everythingIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(name => join(folder, String(name)))
}

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

  function addRun(name: string, to = folder): void {
    const logs = join(to, 'logs', name)
    mkdirSync(logs, { recursive: true })
    const rows = Array.from({ length: 30 }, (_, step) => JSON.stringify({ step, score: step + name.length }))
    writeFileSync(join(logs, 'metrics.jsonl'), rows.join('\n'))
    klens(to, ['import', logs])
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
    await page.getByText('There are no runs yet', { exact: false }).waitFor()
    renameSync(join(folder, 'elsewhere'), join(folder, '.klens'))
    await page.getByRole('link', { name: 'first' }).waitFor()
    expect(await stopServing(serving)).toBe(0)
  })

  it('shows what a workspace holds that was removed and made anew', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const own = mkdtempSync(join(tmpdir(), 'klens-faults-'))
    addRun('old', own)
    const serving = await startServing(own, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/runs`)
    await page.getByRole('link', { name: 'old' }).click()
    await page.locator('canvas').first().waitFor()
    rmSync(own, { recursive: true })
    await page.getByText('no run is called', { exact: false }).first().waitFor()
    mkdirSync(own)
    addRun('new', own)
    await page.goto(`${serving.url}/runs`)
    await page.getByRole('link', { name: 'new' }).click()
    await page.locator('canvas').first().waitFor()
    expect(await stopServing(serving)).toBe(0)
    rmSync(own, { recursive: true, force: true })
  })

  it('names what has become unreadable, shows the rest, and all of it when it can be read again', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const own = mkdtempSync(join(tmpdir(), 'klens-faults-'))
    addRun('closed', own)
    addRun('open', own)
    // Root may read everything, so there the server is somebody else.
    const isRoot = process.getuid?.() === 0
    if (isRoot) for (const each of [own, ...everythingIn(own)]) chownSync(each, NOBODY, NOBODY)
    const serving = await startServing(own, ['--port', '0'], {}, isRoot ? { uid: NOBODY } : {})
    const { page } = await openPage(browser, `${serving.url}/runs`)
    const link = await page.getByRole('link', { name: 'closed' }).getAttribute('href')
    const run = join(own, '.klens', 'runs', String(link?.split('/').at(-1)))
    chmodSync(run, 0)
    await page.getByText(`${run}/run.json`, { exact: false }).waitFor()
    await page.getByRole('link', { name: 'open' }).waitFor()
    expect(await page.getByRole('link', { name: 'closed' }).count()).toBe(0)
    chmodSync(run, 0o755)
    await page.getByRole('link', { name: 'closed' }).waitFor()
    chmodSync(join(own, '.klens', 'runs'), 0)
    await page.getByText('permission', { exact: false }).first().waitFor()
    chmodSync(join(own, '.klens', 'runs'), 0o755)
    await page.getByRole('link', { name: 'closed' }).waitFor()
    expect(await stopServing(serving)).toBe(0)
    rmSync(own, { recursive: true, force: true })
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
    await page.getByText('No run matches.').waitFor()
    await page.goto(`${page.url().replace('q=misnamed', 'q=renamed')}`)
    await page.getByRole('link', { name: 'renamed', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Tag' }).click()
    await page.getByLabel('Tag').fill('odd')
    await page.getByRole('button', { name: 'Tag' }).click()
    await page.locator('.tag', { hasText: 'odd' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Remove 1 run from the workspace?', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No run matches.').waitFor()
    expect(await stopServing(serving)).toBe(0)
  })

  it('trains from the form, shows it while it runs, and stops it', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const serving = await startServing(folder, ['--port', '0'])
    const { page } = await openPage(browser, `${serving.url}/train`)
    await page.getByLabel('Name').fill('from-a-page')
    await page.getByLabel('Settings', { exact: true }).fill('epochs.grpo=400')
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

  it('keeps a session to its own port and ends it on request', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const seen: (string | undefined)[] = []
    const neighbour = createServer((incoming, response) => {
      seen.push(JSON.stringify(incoming.headers))
      response.end('<p>another service of this host</p>')
    })
    await new Promise<void>(resolve => neighbour.listen(0, '127.0.0.1', resolve))
    const tokens = { KLENS_WRITE_TOKEN: 'alice=alicetoken1' }
    const serving = await startServing(folder, ['--port', '0', '--host', '0.0.0.0'], tokens)
    const url = serving.url.replace('0.0.0.0', '127.0.0.1')
    const { page } = await openPage(browser, `${url}/runs#token=alicetoken1`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'first' }).waitFor()
    const session = await page.evaluate<string | null>('localStorage.getItem("klens-session")')
    expect(session).toMatch(/^session-/)

    const { port } = neighbour.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByText('another service').waitFor()
    expect(seen.join()).not.toContain('alicetoken1')
    expect(seen.join()).not.toContain(session)
    expect(await page.evaluate<string | null>('localStorage.getItem("klens-session")')).toBeNull()

    // Followed live, which needs the session too.
    await page.goto(`${url}/runs`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    addRun('seen-by-alice')
    await page.getByRole('link', { name: 'seen-by-alice' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    const after = await fetch(`${url}/api/run-table`, { headers: { authorization: `Bearer ${session}` } })
    expect(after.status).toBe(401)
    neighbour.close()
    await stopServing(serving)
  })

  it('asks for a token again when the session has ended elsewhere', async context => {
    if (browser === null) return context.skip(WITHOUT_BROWSER)
    const file = join(folder, 'team.tokens')
    writeFileSync(file, 'write alice=alicetoken1\nread bob=bobs-token\n', { mode: 0o600 })
    const serving = await startServing(folder, ['--port', '0', '--tokens', file])
    const { page } = await openPage(browser, `${serving.url}/runs#token=alicetoken1`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    writeFileSync(file, 'read bob=bobs-token\n')
    addRun('after-alice')
    await page.getByLabel('Token').waitFor()
    await page.getByLabel('Token').fill('bobs-token')
    await page.getByRole('button', { name: 'Enter' }).click()
    await page.getByRole('link', { name: 'after-alice' }).waitFor()
    await stopServing(serving)
  })
})
