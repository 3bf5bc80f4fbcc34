import type { UserVocabulary } from './user.js'

interface Given {
  readonly canonical: string
  /** Below every rank of klens's own tables. */
  readonly rank: number
}

const BEFORE_ALL = -1_000_000

/** Finds the meaning that the user gave to a raw name: exact names first, then those with `*`, as they were written. */
export function userNames(user: UserVocabulary): (rawName: string) => Given | null {
  const exact = new Map<string, Given>()
  const globs: { readonly pieces: readonly string[]; readonly given: Given }[] = []
  for (const [canonical, { names }] of user.metrics) {
    for (const [order, name] of names.entries()) {
      const given: Given = { canonical, rank: BEFORE_ALL + order }
      if (name.includes('*')) globs.push({ pieces: name.split('*'), given })
      else if (!exact.has(name)) exact.set(name, given)
    }
  }
  return rawName => exact.get(rawName) ?? globs.find(({ pieces }) => matches(rawName, pieces))?.given ?? null
}

/** Whether the pieces follow each other in the name, the first at its start and the last at its end. */
function matches(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let position = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, position)
    if (found < 0) return false
    position = found + piece.length
  }
  return position <= end
}
