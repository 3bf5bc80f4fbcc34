import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from './browser.js'
import { ended, klens, startKlens } from './cli.js'

/** `klens serve` as a user starts it, on a workspace of its own, and pages of a real browser that look at it. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

export interface Serving {
  readonly url: string
  readonly process: ChildProcess
}

export async function startServing(
  folder: string,
  words: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  user: { readonly uid?: number } = {},
): Promise<Serving> {
  const child = startKlens(folder, ['serve', '--no-open', ...words], environment, user)
  const url = await new Promise<string>((resolve, reject) => {
    let out = ''
    child.stdout?.on('data', chunk => {
      out += String(chunk)
      if (out.includes('\n')) resolve(out.split('\n')[0])
    })
    child.once('exit', code => reject(new Error(`klens serve ended with ${code}`)))
  })
  return { url, process: child }
}

/** Ctrl-C; the exit code. */
export function stopServing({ process: child }: Serving): Promise<number | null> {
  child.kill('SIGINT')
  return ended(child)
}

export interface Dashboard {
  readonly folder: string
  readonly serving: Serving
  readonly browser: Browser | null
}

/** One server and one browser for all tests of a file. Examples by their folders. */
export function sharedDashboard(...examples: readonly string[]): () => Dashboard {
  const folder = mkdtempSync(join(tmpdir(), 'klens-web-'))
  let dashboard: Dashboard
  beforeAll(async () => {
    if (examples.length > 0) klens(folder, ['import', ...examples.map(name => join(EXAMPLES, name))])
    const [serving, browser] = await Promise.all([startServing(folder, ['--port', '0']), openBrowser()])
    dashboard = { folder, serving, browser }
  }, 120_000)
  afterAll(async () => {
    await dashboard.browser?.close()
    await stopServing(dashboard.serving)
    rmSync(folder, { recursive: true, force: true })
  })
  return () => dashboard
}

export interface Look {
  readonly language?: 'en' | 'zh'
  readonly theme?: 'light' | 'dark'
  readonly width?: number
}

/** A page in which nothing may go wrong unseen: what the browser complains of is collected. */
export async function openPage(
  browser: Browser,
  url: string,
  { language = 'en', theme = 'light', width = 1280 }: Look = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', said => {
    if (said.type() === 'error') complaints.push(said.text())
  })
  page.on('request', request => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(?:data|blob):/.test(request.url())) {
      complaints.push(`a request to ${request.url()}`)
    }
  })
  const kept = { 'klens-language': language, 'klens-theme': theme }
  await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(kept)})`)
  await page.goto(url)
  return { page, complaints }
}
