import type { AuditedFile } from './audit.js'

/**
 * Corrections as a unified diff, one hunk a line, for `git apply` or `patch -p0`. Only figures that arithmetic alone
 * decides are in it, and nothing is written to the report itself.
 */
export function fixPatch(file: Pick<AuditedFile, 'file' | 'findings'>, text: string): string {
  const lines = text.split('\n')
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  const hunks = new Map<number, string>()
  for (const { fix, line, severity } of file.findings) {
    const before = hunks.get(line) ?? lines[line - 1]
    const start = starts[line - 1]
    if (fix === null || before === undefined || start === undefined || severity === 'note') continue
    const column = fix.offset - start
    const found = before.indexOf(fix.found, Math.max(0, column - 4))
    if (found >= 0) hunks.set(line, before.slice(0, found) + fix.instead + before.slice(found + fix.found.length))
  }
  if (hunks.size === 0) return ''
  const body = [...hunks]
    .sort(([a], [b]) => a - b)
    .map(([line, after]) => `@@ -${line},1 +${line},1 @@\n-${lines[line - 1] ?? ''}\n+${after}`)
  return `--- ${file.file}\n+++ ${file.file}\n${body.join('\n')}\n`
}
