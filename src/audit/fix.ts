import type { AuditedFile } from './audit.js'

/**
 * Corrections as a unified diff, for `git apply` or `patch -p1`. Only figures that arithmetic alone decides are in it, and
 * nothing is written to the report itself. `raw` is the file as it stands, with its byte-order mark and line ends.
 */
export function fixPatch({ file, findings }: Pick<AuditedFile, 'file' | 'findings'>, raw: string): string {
  const lines = raw.split('\n')
  const changed = changedLines(findings, lines)
  if (changed.size === 0) return ''
  const hunks = groups([...changed.keys()].sort((a, b) => a - b)).map(numbers => hunkOf(numbers, lines, changed))
  const name = file.replaceAll('\\', '/').replace(/^\/+/, '')
  return `--- a/${name}\n+++ b/${name}\n${hunks.join('')}`
}

type ChangedLines = ReadonlyMap<number, string>

/** By line number, from 1. */
function changedLines(findings: AuditedFile['findings'], lines: readonly string[]): ChangedLines {
  const changed = new Map<number, string>()
  for (const { fix, line, column, severity } of findings) {
    const before = changed.get(line) ?? lines[line - 1]
    if (fix === null || before === undefined || severity === 'note') continue
    const found = before.indexOf(fix.found, Math.max(0, unitsOf(before, column - 1) - SLACK))
    if (found >= 0) changed.set(line, before.slice(0, found) + fix.instead + before.slice(found + fix.found.length))
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
  const made: number[][] = []
  for (const number of numbers) {
    const last = made.at(-1)
    if (last !== undefined && number - (last.at(-1) ?? 0) <= 2 * CONTEXT) last.push(number)
    else made.push([number])
  }
  return made
}

function hunkOf(numbers: readonly number[], lines: readonly string[], changed: ChangedLines): string {
  const isEnded = lines.at(-1) === ''
  const count = isEnded ? lines.length - 1 : lines.length
  const from = Math.max(1, numbers[0] - CONTEXT)
  const to = Math.min(count, numbers[numbers.length - 1] + CONTEXT)
  const written = (mark: string, text: string, number: number): string =>
    `${mark}${text}\n${number === count && !isEnded ? '\\ No newline at end of file\n' : ''}`
  const body: string[] = []
  for (let number = from; number <= to; number += 1) {
    const [before, after] = [lines[number - 1], changed.get(number)]
    if (after === undefined) body.push(written(' ', before, number))
    else body.push(written('-', before, number), written('+', after, number))
  }
  return `@@ -${from},${to - from + 1} +${from},${to - from + 1} @@\n${body.join('')}`
}
