import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditPage } from './page.js'

test('docs/audit.md is what the rules say', () => {
  expect(readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8')).toBe(auditPage())
})
