import type { IntentionTask } from '../task.js'
import { chineseAsked } from './chinese.js'
import { likelihoods } from './english.js'
import { englishSentences, isChinese, piecesOf } from './hearing.js'
import { kindsIn } from './kinds.js'

/** Which details a question asks for. */

/** The most things that are answered at once. */
export const MOST_AT_ONCE = 3

/** So sure it must be that a clause asks for a detail. */
const SURE = 0.54
/** And so sure where an earlier sentence found nothing: what follows explains that one. */
const SURE_LATER = 0.8

/**
 * Positions in the task's details, in the order in which the question asks for them. A clause asks for one thing. What was
 * told before is found as well, so that a question for it finds nothing else.
 */
export function askedFor(question: string, task: IntentionTask): readonly number[] {
  // The reply and the judgement ask the same.
  if (last?.question === question && last.task === task) return last.found
  last = { question, task, found: judged(question, task) }
  return last.found
}

let last: { readonly question: string; readonly task: IntentionTask; readonly found: readonly number[] } | null = null

function judged(question: string, task: IntentionTask): readonly number[] {
  const { found, rest } = modelQuestionsIn(question, task)
  if (isChinese(rest)) add(found, chineseAsked(rest, task))
  else {
    for (const [i, sentence] of englishSentences(rest).entries()) {
      add(found, askedIn(sentence, task, i > 0 && found.size === 0 ? SURE_LATER : SURE))
    }
  }
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
function askedIn(sentence: { readonly text: string }, task: IntentionTask, sure: number): readonly number[] {
  const pieces = piecesOf(sentence.text)
  const found = new Set(pieces.flatMap(piece => clauseAsksFor(piece, task, sure) ?? []))
  if (pieces.length === 1 || found.size > 1) return [...found]
  const whole = clauseAsksFor(sentence.text, task, sure)
  return whole === null ? [...found] : [whole]
}

function clauseAsksFor(clause: string, task: IntentionTask, sure: number): number | null {
  const details = task.missing_details
  if (details.some(({ kind }) => kind !== undefined)) {
    const kinds = kindsIn(clause, 'en')
    if (kinds.length > 0) return kinds.length > MOST_KINDS ? null : positionOfKind(kinds, task)
  }
  const likely = likelihoods(task, clause)
  const best = likely.indexOf(Math.max(...likely))
  return likely[best] > sure ? best : null
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
