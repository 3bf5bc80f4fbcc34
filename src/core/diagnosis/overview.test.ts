import { expect, it } from 'vitest'
import { testMessage } from '../../../test/support/message.js'
import type { Finding, Severity } from '../../logs/model/finding.js'
import { overview } from './overview.js'

function finding(run: string, severity: Severity, rule: string, from = 1, params = {}): Finding {
  const message = testMessage(rule, params)
  return {
    rule,
    severity,
    run,
    steps: [from, 100],
    message,
    evidence: {},
    remedy: testMessage(`${rule}.remedy`),
  }
}

function diagnosed(run: string, ...findings: Finding[]) {
  return { run, diagnosis: { findings, passed: [], notChecked: [] } }
}

const LAB = [
  diagnosed('well'),
  diagnosed('noted', finding('noted', 'note', 'logging-trap', 1, { version: '0.7' })),
  diagnosed('warned', finding('warned', 'warning', 'truncation', 30), finding('warned', 'note', 'best-is-last', 400)),
  diagnosed(
    'sick',
    finding('sick', 'note', 'logging-trap', 1, { version: '0.7' }),
    finding('sick', 'error', 'run-dead', 120),
    finding('sick', 'error', 'kl-runaway', 40),
  ),
]

it('puts the sickest run first, with its worst finding and since when', () => {
  const { rows } = overview(LAB)
  expect(rows.map(({ run, worst, since }) => [run, worst?.rule, since])).toEqual([
    ['sick', 'kl-runaway', 40],
    ['warned', 'truncation', 30],
    ['noted', 'logging-trap', 1],
    ['well', undefined, null],
  ])
  expect(rows[0].counts).toEqual({ error: 2, warning: 0, note: 1 })
})

it('keeps the given order among equals', () => {
  expect(overview([diagnosed('b'), diagnosed('a')]).rows.map(({ run }) => run)).toEqual(['b', 'a'])
})

it('folds what several runs share, and says whether their figures agree', () => {
  const { shared } = overview(LAB)
  expect(shared.map(({ finding, runs, isSame }) => [finding.rule, runs, isSame])).toEqual([
    ['logging-trap', ['noted', 'sick'], true],
  ])
  const other = diagnosed('other', finding('other', 'note', 'logging-trap', 1, { version: '0.4' }))
  expect(overview([...LAB, other]).shared[0]).toMatchObject({ runs: ['noted', 'sick', 'other'], isSame: false })
})

it('orders shared findings by gravity, then by how many share them', () => {
  const all = ['a', 'b', 'c'].map(run =>
    diagnosed(
      run,
      finding(run, 'note', 'best-is-last'),
      ...(run === 'a' ? [] : [finding(run, 'note', 'grad-spike'), finding(run, 'error', 'run-dead')]),
    ),
  )
  expect(overview(all).shared.map(({ finding }) => finding.rule)).toEqual(['run-dead', 'best-is-last', 'grad-spike'])
})
