/**
 * Makes equal lists of metric names the same array. Who stores rows looks the names up only when the array changes,
 * and logs alternate between a few lists (training rows, evaluation rows).
 */
export function nameLists(): (names: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  let last: readonly string[] = []
  return names => {
    if (isSameList(names, last)) return last
    const key = names.join('\0')
    const list = known.get(key)
    last = list ?? names
    if (list === undefined && known.size < MOST_LISTS) known.set(key, names)
    return last
  }
}

/** The same for rows of one metric each, as long tables have them. */
export function nameAlone(): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return name => {
    const list = known.get(name) ?? [name]
    if (known.size < MOST_LISTS) known.set(name, list)
    return list
  }
}

/** More kinds of rows than any log has; a file with ever new names must not fill the memory. */
const MOST_LISTS = 4096

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false
  return true
}
