import type { Message } from './run.js'

/**
 * What a person did wrong, or what a file, a run or a disk lacks. Every module throws this one; the one that speaks with the
 * person (the command line, the server) says it in their language and adds no words of its own. Anything else that is
 * thrown is a defect of klens.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly sentence: Message
  readonly severity: 'error' | 'warning'
  /** What to do about it, where the sentence does not say so itself. */
  readonly remedy: Message | null

  constructor(code: ProblemCode, sentence: Message, { severity = 'error', remedy = null, cause }: ProblemOptions = {}) {
    super(`${code}: ${sentence.key} ${JSON.stringify(sentence.params)}`, { cause })
    this.code = code
    this.sentence = sentence
    this.severity = severity
    this.remedy = remedy
  }
}

/** What is to be said of it: what is wrong, why where another problem is behind it, and what to do. */
export function sentencesOf({ sentence, remedy, cause }: Problem): readonly Message[] {
  return [sentence, ...(cause instanceof Problem ? sentencesOf(cause) : []), ...(remedy === null ? [] : [remedy])]
}

interface ProblemOptions {
  readonly severity?: 'error' | 'warning'
  readonly remedy?: Message | null
  /** A problem behind this one is told with it. */
  readonly cause?: unknown
}

export type ProblemCode =
  /** The request itself is wrong: a flag, a value, a combination. */
  | 'bad-request'
  /** No such run, metric, step, key or file. */
  | 'not-found'
  /** One name, several things. */
  | 'ambiguous'
  /** It is there, but cannot be read as what it should be. */
  | 'unreadable'
  /** It can be read, but does not hold what the question needs. */
  | 'not-enough'
  /** A part of the store is torn, missing or foreign. */
  | 'damaged'
  /** A disk that is full, read-only or failing. */
  | 'unwritable'
  /** Another process holds it. */
  | 'busy'
  /** Another program did not do its part: an endpoint, a trial, a cluster. */
  | 'unreachable'
  /** It would start programs that nobody has said yes to. */
  | 'not-trusted'

/** What is worked out, or something else where that throws: where a file is gone, say. */
export function attempt<Value, Otherwise>(work: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return work()
  } catch {
    return otherwise
  }
}
