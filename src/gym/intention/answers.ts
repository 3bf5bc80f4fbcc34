import { digitsOf, isTruthy, objectWithin, objectWithoutFloats, strip } from './python.js'
import type { Judgement, Reply } from './simulator.js'

/** What a model that plays the user wrote, read as UserRL's gym reads it. */

/** `{"thought": …, "response": …}` somewhere in the text, or else the whole of it. */
export function readReply(text: string): Reply {
  const said = strip(text)
  const answer = objectWithin(said)
  if (answer === null || answer === undefined) return { kind: 'said', feedback: said }
  return { kind: 'said', feedback: Object.hasOwn(answer, 'response') ? answer.response : '' }
}

/** `{"is_task_related": …, "covered_detail_indices": […]}`; a question that is off the task covers nothing. */
export function readJudgement(text: string): Judgement {
  const answer = objectWithoutFloats(text)
  if (answer === null || answer === undefined) return { kind: 'unreadable' }
  const { is_task_related: related = true, covered_detail_indices: given } = answer
  const indices = Array.isArray(given) ? given.flatMap(entry => indexOf(entry) ?? []) : []
  if (indices.some(Number.isNaN)) return { kind: 'unreadable' }
  return { kind: 'covered', indices: isTruthy(related) ? indices : [] }
}

function indexOf(entry: unknown): number | null {
  if (typeof entry === 'number') return entry >= 0 ? Math.abs(entry) : null
  return typeof entry === 'string' ? digitsOf(entry) : null
}
