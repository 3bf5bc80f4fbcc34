import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from '../cli-inside.js'
import { isSick, type LabName, writeLab } from '../support/labs.js'

/** The whole logs of both labs: what was made sick is marked, what is healthy is left alone. */
describe.each<LabName>(['addition', 'sorting'])('diagnose on the runs of the %s lab', lab => {
  const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Rules with an error or a warning, by run. */
  const marks = new Map<string, readonly string[]>()
  beforeAll(async () => {
    writeLab(folder, lab, ({ whole }) => whole)
    const asked = async (...words: readonly string[]) =>
      JSON.parse((await klensInside(folder, [...words, '--json'])).out)
    const { findings }: { findings: { run: string; severity: string; rule: string }[] } = await asked(
      'diagnose',
      folder,
    )
    const runs: { id: string; name: string }[] = await asked('runs')
    for (const { id, name } of runs) {
      const grave = findings.filter(({ run, severity }) => run === id && severity !== 'note')
      marks.set(`${name} ${id}`, [...new Set(grave.map(({ rule }) => rule))])
    }
  }, 120_000)

  it('raises no error and no warning on a healthy run', () => {
    expect(marks.size).toBeGreaterThan(25)
    expect([...marks].filter(([name, rules]) => !isSick({ group: name }) && rules.length > 0)).toEqual([])
  })

  it('marks every run that was made sick', () => {
    expect([...marks].filter(([name, rules]) => isSick({ group: name }) && rules.length === 0)).toEqual([])
  })
})
