import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditPage } from './page.js'

test.each([
  ['en', 'audit.md'],
  ['zh', 'audit.zh.md'],
] as const)('the page in %s is what the rules say: npm run docs', (language, file) => {
  expect(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')).toBe(auditPage(language))
})
