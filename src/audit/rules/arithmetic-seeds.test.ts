import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { auditReports } from '../audit.js'
import { ARITHMETIC_RULES } from './arithmetic.js'

/** The five reports that klens was written for; they are not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../../../shared/seeds/', import.meta.url))

/** All arithmetic faults of the five, by hand (docs/statistics.md for the first three): file, line, rule. */
const EXPECTED = [
  '000:89 range-difference',
  '001:143 percent-base',
  '001:148 late-percent',
  '001:168 percent-base',
  '002:43 spread-exceeded',
  '002:55 spread-exceeded',
  '002:65 percent-for-points',
  '002:67 mixed-rounding',
  '003:18 percent-for-points',
  '004:22 count-mismatch',
]

describe.skipIf(!existsSync(FOLDER))('the five reports', () => {
  it('have these arithmetic faults and no others: difference columns and step changes are right', () => {
    const reports = readdirSync(FOLDER).map(name => ({ file: name, text: readFileSync(`${FOLDER}${name}`, 'utf8') }))
    const found = auditReports(reports, ARITHMETIC_RULES).flatMap(({ file, findings }) =>
      findings.map(({ line, rule }) => `${file.slice(0, 3)}:${line} ${rule}`),
    )
    expect(found).toEqual(EXPECTED)
  })
})
