import type { IntentionTask } from '../task.js'
import { chineseAsked } from './chinese.js'
import { likelihoods } from './english.js'
import { englishSentences, isChinese, piecesOf, type Sentence } from './hearing.js'
import { kindsIn } from './kinds.js'

/** Which details a question asks for. */

/** The most things that are answered at once. */
export const MOST_AT_ONCE = 3

/** So sure it must be that a clause asks for a detail. */
const SURE = 0.54

/**
 * Positions in the task's details, in the order in which the question asks for them. A clause asks for one thing. What was
 * told before is found as well, so that a question for it finds nothing else.
 */
export function askedFor(question: string, task: IntentionTask): readonly number[] {
  const { found, rest } = modelQuestionsIn(question, task)
  if (isChinese(rest)) add(found, chineseAsked(rest, task))
  else for (const sentence of englishSentences(rest)) add(found, askedIn(sentence, task))
  return [...found].slice(0, MOST_AT_ONCE)
}

function add(found: Set<number>, positions: readonly number[]): void {
  for (const position of positions) found.add(position)
}

/** A model question asks for its detail, whatever its words mean otherwise. */
function modelQuestionsIn(question: string, { missing_details: details }: IntentionTask) {
  const found = new Set<number>()
  let rest = question.trim()
  for (const [position, { inquiry }] of details.entries()) {
    const at = inquiry.length < FEWEST_SIGNS ? -1 : rest.indexOf(inquiry)
    if (at < 0) continue
    found.add(position)
    rest = `${rest.slice(0, at)} ${rest.slice(at + inquiry.length)}`
  }
  return { found, rest }
}

const FEWEST_SIGNS = 4

/** "What is the budget and when do you leave?" asks for two things if its parts do, and for one if only the whole does. */
function askedIn(sentence: Sentence, task: IntentionTask): readonly number[] {
  const pieces = piecesOf(sentence.text)
  const found = new Set(pieces.flatMap(piece => clauseAsksFor(piece, task) ?? []))
  if (pieces.length === 1 || found.size > 1) return [...found]
  const whole = clauseAsksFor(sentence.text, task)
  return whole === null ? [...found] : [whole]
}

function clauseAsksFor(clause: string, task: IntentionTask): number | null {
  const details = task.missing_details
  if (details.some(({ kind }) => kind !== undefined)) {
    const kinds = kindsIn(clause, 'en')
    if (kinds.length > 0) return kinds.length > MOST_KINDS ? null : positionOfKind(kinds, task)
  }
  const sure = likelihoods(task, clause)
  const best = sure.indexOf(Math.max(...sure))
  return sure[best] > SURE ? best : null
}

/** Who names more kinds of things in one clause is listing words. */
const MOST_KINDS = 2

function positionOfKind(kinds: readonly string[], { missing_details: details }: IntentionTask): number | null {
  for (const kind of kinds) {
    const position = details.findIndex(detail => detail.kind === kind)
    if (position >= 0) return position
  }
  return null
}
