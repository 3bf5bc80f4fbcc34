import type { Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { FINISHED, type Move, openEpisode, SOLVED, type Watched } from '../episode.js'
import type { Episode, InstantEpisode } from '../gym.js'
import {
  contentOf,
  type InstantJudge,
  isAnswer,
  isFinish,
  type Judge,
  type JudgeAnswer,
  type JudgedRules,
  judgedLimits,
  judgeFailure,
  paidAt,
} from './judge.js'
import type { LiteralObject } from './literal.js'

/**
 * An episode of questions and guesses, telepathy's and turtle's alike: a question is answered and pays nothing, a guess pays
 * what it scores beyond the best one before it, and the episode ends with a guess that is good enough.
 */

/** A sentence of the gym's own: its name and what stands in it. Recordings have these, since the words are klens's. */
export type Phrase = readonly [name: string, ...values: Json[]]

const say = sentences({
  'gym.odd-number': {
    en: 'the judge gave a score that cannot be compared; UserRL’s gym breaks off here with an exception',
    zh: '评判给出的分数无法比较；UserRL 的 gym 会在此处抛出异常',
  },
})

export interface GuessingForm<Task> {
  /** Null: the answer lacks what is read; `raises`: it breaks UserRL's gym. */
  read(answer: LiteralObject, task: Task, isAnswer: boolean): GuessReading | 'raises' | null
  isSolved(score: number, rules: JudgedRules): boolean
  sentences(phrase: Phrase): string
}

export interface GuessReading {
  readonly feedback: Move['feedback']
  /** Where the gym speaks rather than the judge. */
  readonly phrase?: Phrase
  readonly score: number
  /** What a guess got right, in words. */
  readonly found: readonly string[]
}

interface Standing {
  readonly score: number
  readonly best: number
  readonly phrase: Phrase | null
}

type Opened = Episode & Watched<Standing>

export function openGuessing<Task>(
  form: GuessingForm<Task>,
  task: Task,
  judge: InstantJudge<Task>,
  rules: JudgedRules,
): InstantEpisode & Watched<Standing>
export function openGuessing<Task>(form: GuessingForm<Task>, task: Task, judge: Judge<Task>, rules: JudgedRules): Opened
export function openGuessing<Task>(
  form: GuessingForm<Task>,
  task: Task,
  judge: Judge<Task>,
  rules: JudgedRules,
): Opened {
  const found = new Set<string>()
  let score = 0
  let best = 0
  let phrase: Phrase | null = null

  function take(action: string, step: number): Move | Promise<Move> {
    score = 0
    if (isFinish(action)) {
      phrase = ['finished']
      return { feedback: form.sentences(phrase), reward: paidAt(step, 0, rules), gained: 0, end: FINISHED }
    }
    const move = { task, isAnswer: isAnswer(action), content: contentOf(action, rules), history: [], stance: null }
    const answer = judge(move)
    if (answer instanceof Promise) return answer.then(each => judged(each, move.isAnswer, step))
    return judged(answer, move.isAnswer, step)
  }

  function judged(answer: JudgeAnswer, isGuess: boolean, step: number): Move {
    const read = answer.kind === 'judged' ? form.read(answer.answer, task, isGuess) : null
    if (read === 'raises' && rules.quirks.oddNumber === 'raises')
      throw new Problem('bad-request', say('gym.odd-number', {}))
    const reading = read === null || read === 'raises' ? UNJUDGED : read
    const failed = reading === UNJUDGED ? judgeFailure(answer, rules) : null
    if (failed !== null) return failed
    score = reading.score
    phrase = reading.phrase ?? null
    // NaN is not below 0, as in Python.
    const beyond = isGuess ? score - best : 0
    if (isGuess && score > best) best = score
    const fresh = reading.found.filter(each => !found.has(each))
    for (const each of fresh) found.add(each)
    return {
      feedback: phrase === null ? reading.feedback : form.sentences(phrase),
      reward: paidAt(step, beyond < 0 ? 0 : beyond, rules),
      gained: fresh.length,
      ...(fresh.length > 0 && { found: fresh }),
      end: isGuess && form.isSolved(score, rules) ? SOLVED : null,
    }
  }

  return openEpisode(judgedLimits(rules, true), take, () => ({ score, best, phrase }))
}

const UNJUDGED: GuessReading = { feedback: null, phrase: ['unjudged'], score: 0, found: [] }
