import type { Goal } from '../model/vocabulary/metric.js'
import type { Language } from '../text/language.js'
import { say } from '../text/say.js'
import { stepText } from './scale.js'

/** What a reader of curves must know, under the title: only what applies. */

export interface CurveFacts {
  readonly goal: Goal | null
  readonly replicates: boolean
  readonly band: boolean
  readonly stretch: number | null
  readonly shared: { readonly count: number; readonly ticks: boolean } | null
  readonly gaps: boolean
  readonly empty: boolean
}

export function curveNotes(language: Language, facts: CurveFacts): readonly string[] {
  if (facts.empty) return [say(language, 'charts.empty', {})]
  const { stretch, shared } = facts
  const notes = [
    ...goalNote(language, facts.goal),
    ...(stretch === null ? runNotes(language, facts) : [envelopeNote(language, stretch, facts.replicates)]),
    ...(shared === null ? [] : [sharedNote(language, shared)]),
    ...(facts.gaps ? [say(language, 'charts.gaps', {})] : []),
  ]
  return notes.length === 0 ? [] : [joined(language, notes)]
}

function runNotes(language: Language, { replicates, band }: CurveFacts): readonly string[] {
  return [
    ...(replicates ? [say(language, 'charts.replicates', {})] : []),
    ...(band ? [say(language, 'charts.band', {})] : []),
  ]
}

function sharedNote(language: Language, { count, ticks }: { readonly count: number; readonly ticks: boolean }): string {
  return ticks ? say(language, 'charts.shared', { n: count }) : say(language, 'charts.shared-many', { n: count })
}

function envelopeNote(language: Language, stretch: number, replicates: boolean): string {
  return say(language, replicates ? 'charts.envelope-of-runs' : 'charts.envelope', { n: stepText(stretch) })
}

export function goalNote(language: Language, goal: Goal | null): readonly string[] {
  if (goal === null) return []
  return [say(language, goal === 'max' ? 'charts.higher-is-better' : 'charts.lower-is-better', {})]
}

export function joined(language: Language, parts: readonly string[]): string {
  return parts.join(language === 'zh' ? '；' : '; ')
}
