import { ASPECTS } from './embedded/aspects.js'
import { contentOf } from './embedded/english.js'
import { isChinese } from './embedded/hearing.js'
import { kindsNamed } from './embedded/kinds.js'
import { paraphrasesOf, TALK } from './own/paraphrases.js'
import type { IntentionDetail, IntentionTask } from './task.js'

/** Questions that tell whether a user understands: each with the details that it asks for. */

export const PROBE_KINDS = ['model', 'options', 'paraphrase', 'compound', 'talk', 'foreign'] as const
export type ProbeKind = (typeof PROBE_KINDS)[number]

export interface Probe {
  readonly kind: ProbeKind
  readonly task: IntentionTask
  readonly question: string
  /** Positions; none: it must cover nothing. */
  readonly wanted: readonly number[]
}

/** Up to `most` of each kind, spread over all tasks. */
export function probesOf(tasks: readonly IntentionTask[], most: number): readonly Probe[] {
  return PROBE_KINDS.flatMap(kind =>
    spread(
      tasks.flatMap((task, at) => MAKE[kind](task, tasks, at)),
      most,
    ),
  )
}

function spread<Item>(all: readonly Item[], most: number): readonly Item[] {
  const every = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * every)])
}

type Make = (task: IntentionTask, tasks: readonly IntentionTask[], at: number) => readonly Probe[]

const MAKE: { readonly [kind in ProbeKind]: Make } = {
  model: task => perDetail('model', task, ({ inquiry }) => inquiry),
  options: task => perDetail('options', task, optionsQuestion),
  paraphrase: (task, _, at) =>
    perDetail('paraphrase', task, detail => {
      const language = languageOf(task)
      const known = paraphrasesOf(kindOf(detail, language) ?? '', language)
      return known.length === 0 ? '' : known[at % known.length]
    }),
  compound: task =>
    task.missing_details.flatMap(({ inquiry }, position) => {
      const next = task.missing_details[position + 1]
      if (next === undefined || inquiry === '' || next.inquiry === '') return []
      const question = `${inquiry} ${next.inquiry}`
      return [{ kind: 'compound' as const, task, question, wanted: [position, position + 1] }]
    }),
  talk: (task, _, at) => {
    const said = TALK[languageOf(task)]
    return [0, 7, 13].map(i => ({ kind: 'talk' as const, task, question: said[(at + i) % said.length], wanted: [] }))
  },
  foreign: (task, tasks, at) => {
    const question = foreignQuestion(task, [...tasks.slice(at + 1), ...tasks.slice(0, at)])
    return question === null ? [] : [{ kind: 'foreign', task, question, wanted: [] }]
  },
}

function perDetail(
  kind: ProbeKind,
  task: IntentionTask,
  questionFor: (detail: IntentionDetail, task: IntentionTask) => string,
): readonly Probe[] {
  return task.missing_details.flatMap((detail, position) => {
    const question = questionFor(detail, task)
    return question === '' ? [] : [{ kind, task, question, wanted: [position] }]
  })
}

function languageOf({ task }: IntentionTask): 'en' | 'zh' {
  return isChinese(task) ? 'zh' : 'en'
}

const LONGEST_OPTION = 40
/** Such options are to be had with every question. */
const ANY_OPTION = /\b(?:yes|no|none|other|any|all|both|not|open)\b|没有|都行|其他|不/i

/** "Thin crust or thick crust?": where no other detail has the same options. */
function optionsQuestion({ options }: IntentionDetail, { missing_details: details }: IntentionTask): string {
  const own = options
    .map(option => option.replace(/\s*\(.*?\)/g, '').trim())
    .filter(option => option.length < LONGEST_OPTION && option !== '' && !ANY_OPTION.test(option))
  if (own.length < 2 || details.filter(detail => detail.options.includes(options[0])).length > 1) return ''
  const [one, other] = own
  return isChinese(one) ? `是${one}，还是${other}？` : `Would it be ${one} or ${other}?`
}

/** Words that say nothing about which thing a detail is. */
const ANYWHERE = new Set(['user', 'range', 'constraint', 'limit', 'current', 'available'])

/** Of other people's details only what is plainly one of klens's kinds: "Budget range". */
function kindOf({ kind, description }: IntentionDetail, language: 'en' | 'zh'): string | null {
  if (kind !== undefined) return kind
  const words = language === 'zh' ? [description] : contentOf(description).filter(word => !ANYWHERE.has(word))
  const kinds = words.length === 1 ? kindsNamed(words[0], language) : []
  return kinds.length === 1 ? kinds[0] : null
}

/** A question of a task of another category, for something that is not open here. */
function foreignQuestion(task: IntentionTask, others: readonly IntentionTask[]): string | null {
  for (const other of others) {
    if (other.category === task.category) continue
    const found = other.missing_details.find(
      detail => detail.inquiry !== '' && !task.missing_details.some(open => isAlike(open, detail)),
    )
    if (found !== undefined) return found.inquiry
  }
  return null
}

/** One may be meant by the other: a word in common, or what kind of thing it is. */
function isAlike(one: IntentionDetail, other: IntentionDetail): boolean {
  if (one.description === other.description) return true
  if (one.kind !== undefined || other.kind !== undefined) return one.kind === other.kind
  const [a, b] = [one, other].map(({ description }) => description.toLowerCase())
  const words = new Set(contentOf(a))
  return (
    contentOf(b).some(word => words.has(word)) ||
    ASPECTS.some(({ described }) => described.test(a) && described.test(b))
  )
}
