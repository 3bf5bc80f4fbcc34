import type { Severity } from '../../../logs/model/finding.js'
import { Problem } from '../../../logs/model/problem.js'
import { message } from '../../../text/say.js'

/** `--fail-on`: the severities that make a verb end with 1. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note']

export function severitiesFrom(least: string): ReadonlySet<Severity> {
  const index = [...SEVERITIES, 'never'].indexOf(least)
  if (index < 0) throw new Problem('bad-request', message('diagnose.bad-fail-on', { value: least }))
  return new Set(least === 'never' ? [] : SEVERITIES.slice(0, index + 1))
}

/** `--format` of verbs whose findings stand in files. */
export function formatFrom(format: string): 'text' | 'json' | 'sarif' {
  if (format === 'text' || format === 'json' || format === 'sarif') return format
  throw new Problem('bad-request', message('audit.bad-format', { value: format }))
}
