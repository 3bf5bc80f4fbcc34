import type { InstantSimulator, Situation } from '../simulator.js'
import type { IntentionDetail, IntentionTask } from '../task.js'
import { askedFor } from './matching.js'

/**
 * A user without a model: the same dialogue gets the same answers, at once and for nothing. About klens's own tasks a user who
 * is asked beside the point again and again loses patience and answers no more, so that a list of everything one could ask
 * earns little.
 */
export const embeddedSimulator: InstantSimulator = {
  judge: ({ task, question, remaining, misses }) => ({
    kind: 'covered',
    indices: hasPatience(task, misses) ? stillOpen(askedFor(question, task), task, remaining) : [],
  }),
  reply: situation => ({ kind: 'said', feedback: replyTo(situation) }),
}

/** How it judges; another word when that changes. */
export const EMBEDDED_USER = 'by meaning'

/** So many questions beside the point are forgiven about klens's own tasks. */
export const PATIENCE = 2

/** Anybody else's tasks are played by UserRL's rules, which know no patience. */
function hasPatience({ missing_details: details }: IntentionTask, misses: number): boolean {
  return misses < PATIENCE || details.every(({ kind }) => kind === undefined)
}

function replyTo({ task, question, remaining, misses }: Situation): string {
  const { answer, told, other, enough } = SAYINGS[CHINESE.test(task.task) ? 'zh' : 'en']
  if (!hasPatience(task, misses)) return enough
  const asked = askedFor(question, task)
  const open = stillOpen(asked, task, remaining)
  if (open.length > 0) return open.map(index => answer(choiceFor(task, remaining[index]))).join(' ')
  return asked.length > 0 ? told : other
}

/** Positions among what is left. */
function stillOpen(
  asked: readonly number[],
  { missing_details: details }: IntentionTask,
  remaining: readonly IntentionDetail[],
): readonly number[] {
  return asked.map(position => remaining.indexOf(details[position])).filter(index => index >= 0)
}

const CHINESE = /[\u4e00-\u9fff]/

const SAYINGS = {
  en: {
    answer: (choice: string) => `Let's say ${choice}.`,
    told: 'I have told you that already.',
    other: 'That does not matter to me.',
    enough: 'I have no more time for this.',
  },
  zh: {
    answer: (choice: string) => `${choice}吧。`,
    told: '这个我已经说过了。',
    other: '这个对我不重要。',
    enough: '我没有时间再说了。',
  },
} as const

/** What this person wants in this respect: always the same. */
function choiceFor({ id }: IntentionTask, { options, description }: IntentionDetail): string {
  if (options.length === 0) return description
  let hash = 2_166_136_261
  for (const sign of id + description) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  return options[(hash >>> 0) % options.length]
}
