/**
 * Several arms against one baseline, looked at together: they share the 5 %. Each is held against the bounds of its part,
 * and a claim that is made passes its part on to the others (Holm 1979; in looks: Maurer and Bretz 2013). "The same" is a
 * family of its own. An arm that ended without a claim keeps its part: nothing was claimed that could be passed on.
 */
export type Answer = 'higher' | 'lower' | 'same' | 'undetermined'

export type Why = 'claim' | 'same' | 'futile' | 'last-look'

export interface Settled<Look> {
  readonly looks: readonly Look[]
  /** Null: the next look needs more. `undetermined`: hopeless, or the last look did not settle it. */
  readonly answer: Answer | null
  /** Why it ended. */
  readonly why: Why | null
}

/** An arm while it is being settled. */
interface Course<Look> {
  /** Its place among the others. */
  readonly arm: number
  readonly looks: Look[]
  answer: Answer | null
  why: Why | null
}

/** Among how many arms the 5 % are shared. */
export interface Sharing {
  readonly claim: number
  readonly same: number
}

export function coursesOf<Look>(arms: number): readonly Course<Look>[] {
  return Array.from({ length: arms }, (_, arm) => ({ arm, looks: [], answer: null, why: null }))
}

export function settledOf<Look>(courses: readonly Course<Look>[]): readonly Settled<Look>[] {
  return courses.map(({ looks, answer, why }) => ({ looks, answer, why }))
}

/** One look at all that are open. What one arm's claim passes on may be all that another lacks: asked until nothing is new. */
export function lookTogether<Look>(
  all: readonly Course<Look>[],
  open: readonly Course<Look>[],
  lookAt: (course: Course<Look>, sharing: Sharing) => Look,
  answerOf: (look: Look) => Exclude<Answer, 'undetermined'> | null,
): void {
  const waiting = new Set(open)
  const at = open[0]?.looks.length ?? 0
  for (let isNews = true; isNews; ) {
    isNews = false
    const sharing = {
      claim: all.filter(({ why }) => why !== 'claim').length,
      same: all.filter(({ why }) => why !== 'same').length,
    }
    for (const course of waiting) {
      const look = lookAt(course, sharing)
      course.looks[at] = look
      const answer = answerOf(look)
      if (answer === null) continue
      course.answer = answer
      course.why = answer === 'same' ? 'same' : 'claim'
      waiting.delete(course)
      isNews = true
    }
  }
}
