import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/**
 * A real browser for tests: the one that KLENS_BROWSER names, Debian's, or the one of an npm package. Null where none of them
 * starts; tests that need one then say so and are skipped.
 */

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export async function openBrowser(): Promise<Browser | null> {
  const installed = [process.env.KLENS_BROWSER ?? '', ...PLACES].find(path => existsSync(path))
  const tries = [
    ...(installed === undefined
      ? []
      : [() => chromium.launch({ executablePath: installed, args: ['--no-sandbox', '--disable-gpu'] })]),
    async () => chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args }),
  ]
  for (const attempt of tries) {
    try {
      return await attempt()
    } catch (error) {
      console.warn(`a browser did not start: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    }
  }
  return null
}

export const WITHOUT_BROWSER =
  'no Chromium could be started here: install one or set KLENS_BROWSER to test the dashboard'
