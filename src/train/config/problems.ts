import type { z } from 'zod'
import type { Message } from '../../model/run.js'
import { closestWord } from '../../model/vocabulary/suggest.js'
import { message } from '../../text/say.js'
import { klProblems } from './controller.js'
import type { TrainConfig } from './schema.js'
import { taskProblems } from './task-problems.js'

/** What is wrong with a value, as a sentence that names its key and what was given. */
export function valueProblem(issue: z.core.$ZodIssue, given: unknown): Message {
  const key = issue.path.join('.')
  const value = shown(given)
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string'
        ? message('train-config.not-text', { key, value })
        : message(issue.inclusive ? 'train-config.least' : 'train-config.above', {
            key,
            value,
            limit: String(issue.minimum),
          })
    case 'too_big':
      return message(issue.inclusive ? 'train-config.most' : 'train-config.below', {
        key,
        value,
        limit: String(issue.maximum),
      })
    case 'invalid_value':
      return wordProblem(key, given, issue.values.map(String))
    case 'invalid_type':
      return message(TYPE_TEXTS[issue.expected] ?? 'train-config.not-text', { key, value })
    default:
      return message('train-config.not-text', { key, value })
  }
}

const TYPE_TEXTS: {
  readonly [expected: string]:
    | 'train-config.not-number'
    | 'train-config.not-whole'
    | 'train-config.not-flag'
    | 'train-config.not-list'
    | undefined
} = {
  number: 'train-config.not-number',
  int: 'train-config.not-whole',
  boolean: 'train-config.not-flag',
  array: 'train-config.not-list',
}

function wordProblem(key: string, given: unknown, choices: readonly string[]): Message {
  const params = { key, value: shown(given), choices: choices.join(', ') }
  const suggestion = typeof given === 'string' ? closestWord(given, choices) : null
  return suggestion === null
    ? message('train-config.not-a-choice', params)
    : message('train-config.not-a-choice-suggest', { ...params, suggestion })
}

const LONGEST_VALUE = 60

/** A value as one would type it, cut where it is long. YAML can nest a list in itself, which has no end to type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return cut(`"${value}"`)
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return cut(JSON.stringify(value))
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

/** Settings that are right by themselves and cannot hold together. */
export function contradictions(config: TrainConfig): readonly Message[] {
  const { policy, kl } = config
  const problems: Message[] = []
  problems.push(...klProblems(kl))
  if (policy.hidden % policy.heads !== 0) {
    problems.push(message('train-config.heads', { hidden: policy.hidden, heads: policy.heads }))
  }
  return [...problems, ...taskProblems(config)]
}
