/**
 * Do two checkpoints choose alike? Equal scores with equal choices on every prompt mean more often that the same weights
 * were loaded twice than that two trainings agree.
 */
export interface Agreement {
  /** What was compared: a column of choices, final answers read from the texts, or the texts themselves. */
  readonly basis: 'choice' | 'answer' | 'output'
  readonly n: number
  readonly identical: number
  /** Prompts on which the same things were chosen, in any order; null where choices are single. */
  readonly asSets: number | null
}

export interface Chosen {
  readonly choice: string | null
  readonly answer: string | null
  /** A hash of the whole output. */
  readonly output: string | null
}

/** On fewer prompts of all, what was chosen is not known well enough to speak of it. */
const LEAST_SHARE = 0.5

export function agreementOf(pairs: readonly (readonly [Chosen, Chosen])[]): Agreement | null {
  for (const basis of ['choice', 'answer', 'output'] as const) {
    const known = pairs.flatMap(([first, second]) => {
      const [a, b] = [first[basis], second[basis]]
      return a === null || b === null ? [] : [[a, b] as const]
    })
    if (known.length === 0 || known.length < LEAST_SHARE * pairs.length) continue
    const identical = known.filter(([a, b]) => a === b).length
    return { basis, n: known.length, identical, asSets: basis === 'choice' ? setsAlike(known) : null }
  }
  return null
}

function setsAlike(known: readonly (readonly [string, string])[]): number | null {
  const lists = known.map(pair => pair.map(members))
  if (!lists.some(pair => pair.some(({ length }) => length > 1))) return null
  return lists.filter(([a, b]) => a.toSorted().join('\0') === b.toSorted().join('\0')).length
}

/** `[3, 7]`, `3 7` and `3,7` are lists; a sentence is one choice. */
function members(choice: string): readonly string[] {
  const bare = choice.trim().replace(/^[[({]|[\])}]$/g, '')
  const parts = bare.split(/[\s,;]+/).filter(part => part !== '')
  return parts.length > 1 && parts.every(part => /^["']?[\w.-]{1,40}["']?$/.test(part)) && isList(choice)
    ? parts
    : [choice]
}

function isList(choice: string): boolean {
  return /^\s*[[({]/.test(choice) || /^[\d\s,;.-]+$/.test(choice)
}
