import { auditPage } from '../../src/audit/page.js'
import type { Language } from '../../src/text/language.js'
import type { Page } from './page.js'

/** The rules of the audit, and how good it was when it was measured. */
export function auditRulesPage(language: Language): Page {
  return { path: language === 'zh' ? 'docs/audit.zh.md' : 'docs/audit.md', write: () => auditPage(language) }
}
