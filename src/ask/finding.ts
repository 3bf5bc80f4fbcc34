import { z } from 'zod'
import type { Evidence, Finding } from '../model/finding.js'
import { jsonNumber } from '../model/json.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import { figure, list, pair } from './fields.js'

/** A finding as it is told, whoever found it. */

export const severity = z.enum(['error', 'warning', 'note'])

/** The very numbers. */
export const evidence = z.record(z.string(), z.union([figure, z.string(), list(z.union([figure, z.string()]))]))

export const finding = z.object({
  rule: z.string(),
  severity,
  run: z.string(),
  steps: pair(z.number()),
  message: z.string(),
  evidence,
  remedy: z.string(),
})

export function findingAnswer(found: Finding, language: Language): z.infer<typeof finding> {
  return {
    ...found,
    message: render(found.message, language),
    evidence: evidenceAnswer(found.evidence),
    remedy: render(found.remedy, language),
  }
}

export function evidenceAnswer(numbers: Evidence): z.infer<typeof evidence> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, inJson(value)]))
}

function inJson(value: Evidence[string]): z.infer<typeof evidence>[string] {
  if (typeof value === 'number') return jsonNumber(value)
  if (typeof value === 'string') return value
  return value.map(each => (typeof each === 'number' ? jsonNumber(each) : each))
}
