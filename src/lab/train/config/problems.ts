import type { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { configuredSettings } from '../../../logs/model/vocabulary/config-lookup.js'
import { closestWord } from '../../../logs/model/vocabulary/suggest.js'
import { message } from '../../../text/say.js'
import type { TrainConfig } from './selector-settings.js'
import { klProblems } from './shared-settings.js'

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
  // The language model's task has settings of its own, and so is no choice among those of the selector.
  const all = key === 'task' ? [...new Set([...choices, 'intention'])] : choices
  const params = { key, value: shown(given), choices: all.join(', ') }
  const suggestion = typeof given === 'string' ? closestWord(given, all) : null
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

/** Settings that a task needs and lacks, or has and cannot use. Nothing here repeats a value that may be a secret. */
function taskProblems(config: TrainConfig): readonly Message[] {
  const { task, data, policy } = config
  const problems: Message[] = []
  if (task !== 'lever' && policy.shots > data.candidates) {
    problems.push(message('train-config.shots', { shots: policy.shots, candidates: data.candidates }))
  }
  if (task !== 'lever' && config.epochs.rce > 0 && proposalCount(config) < 2) {
    problems.push(message('train-config.no-proposals', {}))
  }
  if (task !== 'lever' && data.val !== null) problems.push(message('train-config.val-not-lever', { task }))
  if (task === 'digits') return problems
  const needed = {
    'data.train': data.train,
    'data.query_embeddings': data.query_embeddings,
    ...(data.examples !== null && { 'data.candidate_embeddings': data.candidate_embeddings }),
  }
  for (const [key, value] of Object.entries(needed)) {
    if (value === null) problems.push(message('train-config.task-needs', { task, key }))
  }
  const shares = (data.val_share ?? 0) + (data.test_share ?? 0)
  if (shares >= 1) problems.push(message('train-config.shares', { shares: String(shares) }))
  return task === 'llm' ? [...problems, ...endpointProblems(config)] : problems
}

function proposalCount({ group }: TrainConfig): number {
  const { beams, temperatures, samples, random, retrieval } = group.proposals
  return beams + temperatures.length * samples + random + retrieval
}

/** By convention, and so that a key pasted here by mistake is recognised as no name. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]*$/

function endpointProblems({ llm }: TrainConfig): readonly Message[] {
  const problems: Message[] = []
  for (const [key, value] of [
    ['llm.url', llm.url],
    ['llm.model', llm.model],
  ] as const) {
    if (value === null) problems.push(message('train-config.llm-needs', { key }))
  }
  if (llm.url !== null && !isEndpoint(llm.url)) problems.push(message('train-config.llm-url', {}))
  if (llm.key_env !== null && !VARIABLE_NAME.test(llm.key_env)) problems.push(message('train-config.key-name', {}))
  return problems
}

/** A user, a password or a query in the address could hold a key, and the address is written into the run. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

/** A key that is no setting, and which one was probably meant: a slip, another trainer's name, or half of the path. */
export function unknownKey(key: string, settings: readonly string[]): Message {
  const suggestion = closestWord(key, settings) ?? byOtherName(key, settings) ?? byWords(key, settings)
  if (suggestion !== null) return message('train-config.unknown-suggest', { key, suggestion })
  const section = key.slice(0, key.lastIndexOf('.') + 1)
  const beside = section === '' ? [] : settings.filter(setting => setting.startsWith(section))
  if (beside.length === 0) return message('train-config.unknown', { key })
  return message('train-config.unknown-in-section', { key, settings: beside.join(', ') })
}

/** Canonical settings that `klens train` splits by phase or keeps under another name. */
const HERE: { readonly [canonical: string]: string } = {
  lr: 'lr.grpo',
  epochs: 'epochs.grpo',
  dropout: 'dropout.hidden',
  'clip.range': 'clip.low',
  'adv.rank': 'adv.kind',
  'adv.scale': 'adv.kind',
  'model.freeze': 'freeze.grpo',
  temperature: 'policy.temperature',
}

/** `kl_beta`, `num_generations`, `max_grad_norm`: what Lever-Plus and the frameworks call it. */
function byOtherName(key: string, settings: readonly string[]): string | null {
  const [canonical] = configuredSettings({ [key]: null }, 'lever-plus').keys()
  if (canonical === undefined) return null
  const here = Object.hasOwn(HERE, canonical) ? HERE[canonical] : canonical
  return settings.includes(here) ? here : null
}

/** `kl.coef` for `kl.loss.coef`: the first setting that holds all of its words. */
function byWords(key: string, settings: readonly string[]): string | null {
  const words = wordsOf(key)
  return settings.find(setting => words.every(word => wordsOf(setting).includes(word))) ?? null
}

function wordsOf(key: string): readonly string[] {
  return key.toLowerCase().split(/[._-]/)
}
