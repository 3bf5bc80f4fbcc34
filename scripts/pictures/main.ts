import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { serveKlens, withBrowser } from '../../bench/web/browsing.js'

/**
 * `npm run pictures` takes the pictures of the dashboard that the READMEs show, in both languages, so that they can be taken
 * again whenever it looks different. What they show is real, in the workspace of `npm start`: the examples, imported, and
 * its study, which is trained only if it is not there yet.
 */

const WIDTH = 1440
/** A busy machine takes its time over the findings of a page of runs. */
const PATIENCE_MS = 180_000
const IMAGES = resolve('docs', 'images')
const KLENS = resolve('bin', 'klens.js')

interface Picture {
  readonly name: string
  readonly path: string
  readonly height: number
  readonly theme: 'light' | 'dark'
  /** What stands in the page once all is there. */
  readonly waitsFor: (page: Page) => Promise<void>
}

/** What runs are judged by, which the server says a moment after the rest. */
function goalChoice(page: Page): Locator {
  return page.getByLabel(/^(?:Judged by|判定依据)/)
}

const PICTURES: readonly Picture[] = [
  {
    name: 'compare',
    path: '/compare?side=no-kl&side=kl&margin=5%25',
    height: 900,
    theme: 'light',
    waitsFor: async page => {
      await page.locator('.strip .answer').first().waitFor()
      await goalChoice(page).waitFor()
    },
  },
  {
    name: 'runs',
    path: '/runs?q=seed&sort=-name',
    height: 720,
    theme: 'dark',
    waitsFor: async page => {
      await page.locator('.run-row .finding .severity').nth(8).waitFor()
      await page.locator('.spark').nth(8).waitFor()
    },
  },
  {
    name: 'run',
    path: `/run/${encodeURIComponent('sick-length-bonus/seed0')}`,
    height: 700,
    theme: 'light',
    waitsFor: async page => {
      await page.locator('.findings > li').first().waitFor()
      await page.locator('.panels canvas').nth(1).waitFor()
      await goalChoice(page).waitFor()
    },
  },
  {
    name: 'study',
    path: '/study/kl-sweep',
    height: 900,
    theme: 'light',
    waitsFor: page => page.locator('.chart canvas').first().waitFor(),
  },
]

const home = resolve('examples', '.klens')
klens('import', 'examples')
klens('study', 'run', join('examples', 'studies', 'kl-sweep.yaml'))
const served = await serveKlens(home)
try {
  await withBrowser(async browser => {
    for (const language of ['en', 'zh'] as const) {
      for (const picture of PICTURES) await take(browser, served.url, language, picture)
    }
  })
} finally {
  served.stop()
}

function klens(...words: readonly string[]): void {
  const environment = { ...process.env, KLENS_HOME: home }
  const { status } = spawnSync(process.execPath, [KLENS, ...words], { env: environment, stdio: 'inherit' })
  if (status !== 0) throw new Error(`klens ${words.join(' ')} ended with ${status}`)
}

async function take(
  browser: Browser,
  url: string,
  language: 'en' | 'zh',
  { name, path, height, theme, waitsFor }: Picture,
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: WIDTH, height } })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const kept = { 'klens-language': language, 'klens-theme': theme }
  await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(kept)})`)
  await page.goto(url + path)
  await waitsFor(page)
  const file = join(IMAGES, `${name}${language === 'en' ? '' : `.${language}`}.png`)
  await page.screenshot({ path: file })
  await context.close()
  console.log(`${file}  ${Math.round(statSync(file).size / 1000)} kB`)
}
