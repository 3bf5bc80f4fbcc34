import type { StepMark } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Section, Statement } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity } from '../table-view.js'

/**
 * Two runs set side by side at different steps: columns headed "A (step 5)" and "B (step 10)", or sections "A (steps
 * 1–5)" and "B (steps 1–45)" with the same metrics. Columns of one run over steps are a curve, and sections that follow
 * each other in time are phases; neither is meant.
 */
export const unlikeWindows: AuditRule = {
  id: 'unlike-windows',
  kind: 'window',
  severity: 'warning',
  example: {
    faulty: '| metric | baseline (step 5) | with KL (step 10) |\n|---|---|---|\n| length | 2709 | 2980 |',
    sound: '| metric | baseline (step 10) | with KL (step 10) |\n|---|---|---|\n| length | 2709 | 2980 |',
  },
  *check(document: AuditDocument) {
    yield* inHeaders(document)
    yield* inSections(document)
  },
}

interface Window {
  readonly subject: string
  readonly mark: StepMark
}

function windowIn(text: string, steps: readonly StepMark[]): Window | null {
  if (steps.length !== 1) return null
  const [mark] = steps
  const subject = (text.slice(0, mark.from) + text.slice(mark.to)).replace(/[\s()[\],:]+/g, ' ').trim()
  return subject === '' ? null : { subject, mark }
}

function* inHeaders({ tables }: AuditDocument): Generator<Fault> {
  for (const { header, rows } of tables) {
    const windows = header.slice(1).flatMap(cell => {
      const window = windowIn(cell.text, cell.steps)
      return window === null ? [] : [{ ...window, cell }]
    })
    if (windows.length < 2 || !rows.some(row => row.slice(1).filter(cell => mainQuantity(cell) !== null).length >= 2)) {
      continue
    }
    // The same subject at several steps: a curve across the page.
    if (new Set(windows.map(({ subject }) => subject)).size < windows.length) continue
    const [first] = windows
    const other = windows.find(({ mark }) => mark.first !== first.mark.first || mark.last !== first.mark.last)
    if (other !== undefined) yield faultAt(other.cell.offset, first, other)
  }
}

function* inSections(document: AuditDocument): Generator<Fault> {
  const metrics = new Map<Section, Set<string>>()
  const windows = new Map<Section, { readonly window: Window; readonly heading: Statement }>()
  for (const statement of document.statements) {
    const { kind, section, text, steps } = statement
    if (section === null) continue
    if (kind === 'heading') {
      const window = windowIn(text, steps)
      if (window !== null) windows.set(section, { window, heading: statement })
    } else if (statement.quantities.length > 0) {
      const name = /^[^:=\d]{1,40}(?=[:=])/.exec(text)?.[0].trim().toLowerCase()
      if (name !== undefined) metrics.set(section, (metrics.get(section) ?? new Set()).add(name))
    }
  }
  const last = new Map<Section | null, Section>()
  for (const [section, here] of windows) {
    const before = last.get(section.parent)
    const there = before === undefined ? undefined : windows.get(before)
    last.set(section.parent, section)
    if (before === undefined || there === undefined || before.level !== section.level) continue
    const shared = [...(metrics.get(section) ?? [])].filter(name => metrics.get(before)?.has(name) === true)
    if (shared.length === 0 || here.window.subject === there.window.subject) continue
    if (!overlap(here.window.mark, there.window.mark)) continue
    yield faultAt(here.heading.offsetOf(here.window.mark.from), there.window, here.window)
  }
}

/** Different lengths from a common beginning: two runs, not two phases. */
function overlap(a: StepMark, b: StepMark): boolean {
  return a.last > b.first && b.last > a.first && (a.first !== b.first || a.last !== b.last)
}

function faultAt(offset: number, first: Window, other: Window): Fault {
  const steps = ({ first: from, last }: StepMark) => (from === last ? String(from) : `${from}–${last}`)
  return {
    offset,
    message: message('audit.unlike-windows', {
      first: first.subject,
      firstSteps: steps(first.mark),
      other: other.subject,
      otherSteps: steps(other.mark),
    }),
    found: steps(other.mark),
    expected: steps(first.mark),
  }
}
