import { createHash } from 'node:crypto'
import { linesOf } from '../logs/document/markdown.js'

/**
 * What a finding is known by when the report is edited elsewhere: its rule, and the words of its line without markup and
 * white space. Line numbers are no part of it; equal lines are told apart by their order.
 */
export function fingerprints(
  text: string,
  findings: readonly { readonly rule: string; readonly line: number }[],
): readonly string[] {
  const lines = findings.length === 0 ? [] : Array.from(linesOf(text), ({ from, to }) => text.slice(from, to))
  const seen = new Map<string, number>()
  return findings.map(({ rule, line }) => {
    const words = (lines[line - 1] ?? '').replace(/[\s*_`]+/g, '')
    const key = `${rule}\n${words}`
    const count = seen.get(key) ?? 0
    seen.set(key, count + 1)
    return createHash('sha256').update(`${key}\n${count}`).digest('hex').slice(0, 16)
  })
}
