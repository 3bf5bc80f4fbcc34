import { readFileSync, writeFileSync } from 'node:fs'
import { apiPage, openApiPage } from './api.js'
import { auditRulesPage } from './audit.js'
import { diagnosisPage } from './diagnosis.js'
import { frameworksPage } from './frameworks.js'
import type { Page } from './page.js'
import { preflightPage } from './preflight.js'
import { trainSettingsPage } from './train-settings.js'
import { vocabularyPage } from './vocabulary.js'

/**
 * `npm run docs` writes the pages under docs/ that are made of what the code knows; with `--check` it only says which of
 * them are stale, and fails if any is. A further page is one file here and one line below.
 */
const PAGES: readonly Page[] = [
  diagnosisPage('en'),
  diagnosisPage('zh'),
  auditRulesPage('en'),
  auditRulesPage('zh'),
  preflightPage('en'),
  preflightPage('zh'),
  frameworksPage('en'),
  frameworksPage('zh'),
  vocabularyPage,
  trainSettingsPage,
  apiPage,
  openApiPage,
]

const checking = process.argv.includes('--check')

for (const { path, write } of PAGES) {
  const current = read(path)
  const text = await write(current)
  if (text === current) continue
  if (checking) {
    console.error(`${path} is stale: npm run docs`)
    process.exitCode = 1
  } else {
    writeFileSync(path, text)
    console.log(path)
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
