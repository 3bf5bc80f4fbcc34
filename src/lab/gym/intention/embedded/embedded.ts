import type { InstantSimulator, Situation } from '../simulator.js'
import type { IntentionDetail, IntentionTask } from '../task.js'
import { askedFor } from './matching.js'

/**
 * A user without a model: the same dialogue gets the same answers, at once and for nothing. A user who is asked beside the
 * point again and again loses patience and answers no more, so that a list of everything one could ask earns little.
 */
export const embeddedSimulator: InstantSimulator = {
  judge: ({ question, remaining, misses }) => ({
    kind: 'covered',
    indices: misses < PATIENCE ? askedFor(question, remaining) : [],
  }),
  reply: situation => ({ kind: 'said', feedback: replyTo(situation) }),
}

/** So many questions beside the point are forgiven. */
export const PATIENCE = 2

function replyTo({ task, question, remaining, misses }: Situation): string {
  const { answer, told, other, enough } = SAYINGS[CHINESE.test(task.task) ? 'zh' : 'en']
  if (misses >= PATIENCE) return enough
  const asked = askedFor(question, remaining)
  if (asked.length > 0) return asked.map(index => answer(choiceFor(task, remaining[index]))).join(' ')
  return askedFor(question, task.missing_details).length > 0 ? told : other
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

/**
 * The two prompts that UserRL's IntentionGym sends to its user simulator, known by their headings, answered from the data:
 * so the unmodified Python gym runs without a model. Null: some other prompt.
 */
export function answerUserRlPrompt(prompt: string, tasks: readonly IntentionTask[]): string | null {
  const judged = /\nLATEST USER'S QUESTION: ([\s\S]*?)\n\nYour job is/.exec(prompt)?.[1]
  if (judged !== undefined) {
    const indices = askedFor(judged, listedDetails(prompt, taskIn(prompt, tasks)))
    return JSON.stringify({ analysis: '', is_task_related: true, covered_detail_indices: indices })
  }
  const asked = /\nCURRENT QUESTION FROM HELPER: ([\s\S]*?)\n\nCONVERSATION HISTORY:/.exec(prompt)?.[1]
  const task = taskIn(prompt, tasks)
  if (asked === undefined) return null
  if (task === null) return JSON.stringify({ thought: '', response: 'I have not thought about that.' })
  const situation = {
    task,
    question: asked,
    history: [],
    misses: 0,
    remaining: task.missing_details,
    replySeesDetails: true,
  }
  const reply = embeddedSimulator.reply(situation)
  return JSON.stringify({ thought: '', response: reply.kind === 'said' ? reply.feedback : '' })
}

/** Both prompts hold the whole record as Python prints it. */
function taskIn(prompt: string, tasks: readonly IntentionTask[]): IntentionTask | null {
  const id = /'id': '([^']+)'/.exec(prompt)?.[1]
  return tasks.find(task => task.id === id) ?? null
}

const DETAIL = /^\d+\. \[(?:LOW|MEDIUM|HIGH)\] (.*)$(?:\n {3}Example question type expected: (.*)$)?/gm

/** The details as the prompt numbers them; of a task that is known, with what is known of them. */
function listedDetails(prompt: string, task: IntentionTask | null): readonly IntentionDetail[] {
  return [...prompt.matchAll(DETAIL)].map(([, description, inquiry = '']) => {
    const known = task?.missing_details.find(detail => detail.description === description)
    return known ?? { description, inquiry, importance: 1, options: [] }
  })
}
