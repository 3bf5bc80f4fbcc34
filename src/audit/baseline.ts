import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../logs/model/problem.js'
import { sentences } from '../text/sentences.js'
import type { AuditedFile } from './audit.js'
import { fingerprints } from './fingerprint.js'

/**
 * The findings that a repository knows of, so that only new ones are reported: by file, each with its rule for people and
 * its fingerprint. A finding that is gone leaves its entry behind until the file is written again.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bad-baseline': { en: '{path} is not a baseline of klens audit: {reason}; write it again with --update-baseline', zh: '{path} 不是 klens audit 的基线文件：{reason}；请用 --update-baseline 重新写入' },
  'audit.no-baseline': { en: 'there is no baseline {path}; write it with --update-baseline', zh: '没有基线文件 {path}；请用 --update-baseline 写入' },
})

const Baseline = z.strictObject({
  version: z.literal(1),
  files: z.record(z.string(), z.array(z.strictObject({ rule: z.string(), fingerprint: z.string() }))),
})

export async function readBaseline(path: string): Promise<(file: AuditedFile) => AuditedFile> {
  const known = await parsed(path)
  return file => {
    const expected = new Set(known.files[nameOf(file.file)]?.map(({ fingerprint }) => fingerprint))
    const marks = fingerprints(file.text, file.findings)
    const findings = file.findings.filter((_, i) => !expected.has(marks[i] ?? ''))
    return { ...file, findings, known: file.findings.length - findings.length }
  }
}

async function parsed(path: string): Promise<z.infer<typeof Baseline>> {
  try {
    return Baseline.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    if (isMissing) throw new Problem('not-found', say('audit.no-baseline', { path }))
    const [issue] = cause instanceof z.ZodError ? cause.issues : []
    const reason = issue === undefined ? String(cause) : `${issue.path.join('.')} ${issue.message}`
    throw new Problem('unreadable', say('audit.bad-baseline', { path, reason }), { cause })
  }
}

/** Notes are no part of it: they never fail a check. */
export async function writeBaseline(path: string, audited: readonly AuditedFile[]): Promise<void> {
  const files = audited.flatMap(({ file, text, findings }) => {
    const marks = fingerprints(text, findings)
    const entries = findings.flatMap(({ rule, severity }, i) =>
      severity === 'note' ? [] : [{ rule, fingerprint: marks[i] ?? '' }],
    )
    return entries.length === 0 ? [] : [[nameOf(file), entries] as const]
  })
  const sorted = files.sort(([a], [b]) => (a < b ? -1 : 1))
  await writeFile(path, `${JSON.stringify({ version: 1, files: Object.fromEntries(sorted) }, null, 2)}\n`)
}

/** The same on every machine. */
const nameOf = (file: string): string => file.replaceAll('\\', '/').replace(/^\.\//, '')
