import { embeddedSimulator } from './embedded/embedded.js'
import { askedFor } from './embedded/matching.js'
import type { IntentionDetail, IntentionTask } from './task.js'

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
