import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { Statement } from '../logs/document/document.js'
import { titlesAbove } from '../logs/document/document.js'
import { Problem } from '../logs/model/problem.js'
import { sentences } from '../text/sentences.js'
import type { Fault } from './assertion.js'
import type { ReportEvidence } from './evidence.js'
import { isRuleId } from './rules.js'

/**
 * What a repository wants of its audits, in `klens-audit.json`: rules switched off or given another severity, sections
 * that are not judged or must be traced, the runs behind the reports, and the baseline. What is typed comes first.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.bad-config': { en: '{path} is not a configuration of klens audit: {reason}', zh: '{path} 不是 klens audit 的配置：{reason}' },
  'audit.no-config': { en: 'there is no configuration {path}', zh: '没有配置文件 {path}' },
  'audit.no-rule': { en: '{path} names the rule “{rule}”, which does not exist; klens audit --rules lists them', zh: '{path} 中的规则“{rule}”不存在；klens audit --rules 列出全部规则' },
})

const SEVERITIES = ['error', 'warning', 'note', 'off'] as const

const AuditConfig = z.strictObject({
  rules: z.record(z.string(), z.enum(SEVERITIES)).default({}),
  sections: z
    .strictObject({ skip: z.array(z.string()).default([]), strict: z.array(z.string()).default([]) })
    .optional(),
  data: z.array(z.string()).default([]),
  baseline: z.string().optional(),
  checklist: z.boolean().default(false),
})

export type AuditConfig = z.infer<typeof AuditConfig>

export const CONFIG_FILE = 'klens-audit.json'

/** Paths in it are meant from its own folder. */
export async function readAuditConfig(path: string): Promise<AuditConfig> {
  const config = await parsed(path)
  const rule = Object.keys(config.rules).find(id => !isRuleId(id))
  if (rule !== undefined) throw new Problem('bad-request', say('audit.no-rule', { path, rule }))
  const { baseline } = config
  return baseline === undefined ? config : { ...config, baseline: resolve(dirname(path), baseline) }
}

async function parsed(path: string): Promise<AuditConfig> {
  try {
    return AuditConfig.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    if (isMissing) throw new Problem('not-found', say('audit.no-config', { path }))
    const [issue] = cause instanceof z.ZodError ? cause.issues : []
    const reason = issue === undefined ? String(cause) : `${issue.path.join('.')} ${issue.message}`
    throw new Problem('unreadable', say('audit.bad-config', { path, reason }), { cause })
  }
}

/** The configuration of the nearest folder, up to the one that holds the repository; null where there is none. */
export async function findAuditConfig(from: string): Promise<string | null> {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (await isThere(join(folder, CONFIG_FILE))) return join(folder, CONFIG_FILE)
    if (folder === dirname(folder) || (await isThere(join(folder, '.git')))) return null
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A finding as the repository wants it: of its severity, or null where it is switched off. */
export function configured(
  { rules, sections }: Pick<AuditConfig, 'rules' | 'sections'>,
  evidence: ReportEvidence,
): (fault: Fault) => Fault | null {
  const isSkipped = skipped(sections?.skip ?? [], evidence)
  return fault => {
    const severity = rules[fault.rule] ?? fault.severity
    return severity === 'off' || isSkipped(fault.offset) ? null : { ...fault, severity }
  }
}

/** Whether a place stands under a title that is not judged. */
function skipped(titles: readonly string[], { document: { statements } }: ReportEvidence): (offset: number) => boolean {
  if (titles.length === 0) return () => false
  const patterns = titles.map(titlePattern)
  const headings = statements.filter(({ kind }) => kind === 'heading')
  const isUnder = ({ section }: Statement): boolean =>
    titlesAbove(section).some(title => patterns.some(pattern => pattern.test(title)))
  const marks = headings.map(one => ({ offset: one.offsetOf(0), isOut: isUnder(one) }))
  return offset => marks.findLast(mark => mark.offset <= offset)?.isOut ?? false
}

/** `*` stands for anything; case is passed over. */
const titlePattern = (title: string): RegExp =>
  new RegExp(`^${title.replace(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*')}$`, 'i')
