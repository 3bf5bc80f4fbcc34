import { describe, expect, it } from 'vitest'
import { auditReports } from '../../src/audit/audit.js'
import { HOSTILE_SHAPES } from '../support/hostile-reports.js'

/** Quadratic work on so many characters would run into the time limit of a test. Shorter ones: test/hostile-audit.test.ts. */
const LENGTH = 60_000

describe('an audit ends, whatever the report repeats at length', () => {
  for (const [name, shape] of HOSTILE_SHAPES) {
    it(name, { timeout: 60_000 }, () => {
      const [{ findings }] = auditReports([{ file: 'report.md', text: shape(LENGTH) }])
      expect(findings).toBeDefined()
    })
  }
})
