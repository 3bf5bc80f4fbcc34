import type { Quantity, StepMark } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { chainAfter } from '../chain.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Change, changesOf, isExact, percent, printed, printedCurves } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'

const CALM = /稳定|平稳|平滑|(?<![a-z])(?:stable|stabler|smooth|smoother|steady|steadier)(?![a-z])/i

/**
 * A phase called steady by two windows, while the largest change lies between them: "20-25: 1.915 → 1.970, 30-35: 1.828
 * → 1.840" leaves out 25 → 30.
 */
export const windowHidesChange: AuditRule = {
  id: 'window-hides-change',
  kind: 'window',
  severity: 'warning',
  example: {
    faulty:
      '| step | run |\n|---|---|\n| 5 | 1.90 |\n| 10 | 1.92 |\n| 15 | 1.70 |\n| 20 | 1.71 |\n\n- The run is stable:\n  - Step 5-10: 1.90 → 1.92\n  - Step 15-20: 1.70 → 1.71',
    sound:
      '| step | run |\n|---|---|\n| 5 | 1.90 |\n| 10 | 1.92 |\n| 15 | 1.91 |\n| 20 | 1.93 |\n\n- The run is stable:\n  - Step 5-10: 1.90 → 1.92\n  - Step 15-20: 1.91 → 1.93',
  },
  *check(document) {
    const neighbours = neighbourChanges(document)
    const windows = document.statements.flatMap(statement => windowOf(statement))
    for (const [i, next] of windows.entries()) {
      const before = windows[i - 1]
      if (
        before === undefined ||
        before.lead !== next.lead ||
        !CALM.test(next.lead) ||
        /不稳|unstable/i.test(next.lead)
      )
        continue
      const between = neighbours.get(keyOf(before.last, before.stretch.last, next.first, next.stretch.first))
      if (between === undefined) continue
      const inside = Math.max(...[before, next].map(({ first, last }) => Math.abs(last.value / first.value - 1)))
      if (Math.min(Math.abs(between.range.low), Math.abs(between.range.high)) <= inside) continue
      yield {
        offset: next.statement.offsetOf(next.stretch.from),
        message: message('audit.window-hides-change', {
          first: `${before.stretch.first}–${before.stretch.last}`,
          second: `${next.stretch.first}–${next.stretch.last}`,
          fromStep: before.stretch.last,
          toStep: next.stretch.first,
          from: printed(before.last),
          to: printed(next.first),
          change: percent(between.relative),
        }),
        found: `${before.stretch.first}–${before.stretch.last}, ${next.stretch.first}–${next.stretch.last}`,
        expected: `${percent(between.relative)} %`,
      }
    }
  },
}

interface Window {
  readonly statement: Statement
  readonly lead: string
  readonly stretch: StepMark
  readonly first: Quantity
  readonly last: Quantity
}

function windowOf(statement: Statement): Window[] {
  const [stretch, ...more] = statement.steps
  if (stretch === undefined || more.length > 0 || stretch.first >= stretch.last) return []
  const chain = chainAfter(statement, stretch.to)
  if (chain.length < 2 || chain[0].value <= 0) return []
  return [{ statement, lead: statement.leads[0] ?? '', stretch, first: chain[0], last: chain[chain.length - 1] }]
}

function neighbourChanges(document: AuditDocument): ReadonlyMap<string, Change> {
  const changes = printedCurves(document).flatMap(({ points }) => changesOf(points.filter(isExact)))
  return new Map(
    changes.map(change => [keyOf(change.from.quantity, change.from.step, change.to.quantity, change.to.step), change]),
  )
}

function keyOf(a: Quantity, stepA: number, b: Quantity, stepB: number): string {
  return `${stepA} ${a.value} ${stepB} ${b.value}`
}
