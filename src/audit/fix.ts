import type { Fault, JudgedAssertion } from './assertion.js'
import type { LedgerEntry } from './trace/entry.js'

/**
 * `--fix` writes only what the logs vouch for: a figure that a log contradicts, and arithmetic within one sentence whose
 * operands are all traced. Arithmetic alone decides nothing: where `a → b (p %)` does not fit, any of the three may be wrong.
 */
export function withFixes(
  faults: readonly Fault[],
  judged: readonly JudgedAssertion[],
  entries: readonly LedgerEntry[],
): readonly Fault[] {
  const stateAt = new Map(entries.map(({ offset, state }) => [offset, state]))
  const vouched = new Set(judged.flatMap(one => (isVouchedFor(one, stateAt) ? [one.outcome.fault] : [])))
  const isContradicted = ({ kind, offset, expected }: Fault): boolean =>
    kind === 'data' && stateAt.get(offset) === 'contradicted' && /\d/.test(expected)
  return faults.map(fault => (vouched.has(fault) || isContradicted(fault) ? { ...fault, isFix: true } : fault))
}

type Refuted = JudgedAssertion & { readonly outcome: { readonly verdict: 'refuted' } }

function isVouchedFor(one: JudgedAssertion, stateAt: ReadonlyMap<number, LedgerEntry['state']>): one is Refuted {
  const { outcome, assertion } = one
  if (outcome.verdict !== 'refuted' || assertion.scope.statement === null || assertion.scope.table !== null)
    return false
  const operands = assertion.figures.filter(({ role }) => role !== 'result')
  const isResult = assertion.figures.some(({ role, offset }) => role === 'result' && offset === outcome.fault.offset)
  const isKnown = stateAt.get(outcome.fault.offset) === 'traced'
  return isResult && !isKnown && operands.length > 1 && operands.every(({ offset }) => stateAt.get(offset) === 'traced')
}

/**
 * Corrections as a unified diff, for `git apply` or `patch -p1`. Only what `withFixes` allows is in it, and nothing is
 * written to the report itself. `raw` is the file as it stands, with its byte-order mark and line ends.
 */
export function fixPatch({ file, findings }: PatchedFile, raw: string): string {
  const lines = raw.split('\n')
  const changed = changedLines(findings, lines)
  if (changed.size === 0) return ''
  const hunks = groups([...changed.keys()].sort((a, b) => a - b)).map(numbers => hunkOf(numbers, lines, changed))
  const name = file.replaceAll('\\', '/').replace(/^\/+/, '')
  return `--- a/${name}\n+++ b/${name}\n${hunks.join('')}`
}

interface PatchedFile {
  readonly file: string
  readonly findings: readonly PatchedFinding[]
}

type PatchedFinding = Pick<Fault, 'isFix' | 'found' | 'expected' | 'severity'> & {
  readonly line: number
  readonly column: number
}

type ChangedLines = ReadonlyMap<number, string>

/** By line number, from 1. */
function changedLines(findings: readonly PatchedFinding[], lines: readonly string[]): ChangedLines {
  const changed = new Map<number, string>()
  for (const { isFix, found, expected, line, column, severity } of findings) {
    const before = changed.get(line) ?? lines[line - 1]
    if (!isFix || before === undefined || severity === 'note') continue
    const at = before.indexOf(found, Math.max(0, unitsOf(before, column - 1) - SLACK))
    if (at >= 0) changed.set(line, before.slice(0, at) + expected + before.slice(at + found.length))
  }
  return changed
}

/** Markup may stand before a figure, and a correction further left may have moved it. */
const SLACK = 8

/** How many units the first so many characters take. */
function unitsOf(line: string, characters: number): number {
  return [...line.slice(0, 2 * characters)].slice(0, characters).join('').length
}

const CONTEXT = 3

/** Lines whose contexts meet make one hunk. */
function groups(numbers: readonly number[]): readonly (readonly number[])[] {
  const starts = numbers.flatMap((number, i) =>
    number - (numbers[i - 1] ?? Number.NEGATIVE_INFINITY) > 2 * CONTEXT ? [i] : [],
  )
  return starts.map((start, i) => numbers.slice(start, starts[i + 1]))
}

function hunkOf(numbers: readonly number[], lines: readonly string[], changed: ChangedLines): string {
  const isEnded = lines.at(-1) === ''
  const count = isEnded ? lines.length - 1 : lines.length
  const from = Math.max(1, (numbers[0] ?? 1) - CONTEXT)
  const to = Math.min(count, (numbers.at(-1) ?? count) + CONTEXT)
  const body = lines.slice(from - 1, to).flatMap((before, i) => {
    const after = changed.get(from + i)
    const end = from + i === count && !isEnded ? '\n\\ No newline at end of file\n' : '\n'
    return after === undefined ? [` ${before}${end}`] : [`-${before}${end}`, `+${after}${end}`]
  })
  return `@@ -${from},${to - from + 1} +${from},${to - from + 1} @@\n${body.join('')}`
}
