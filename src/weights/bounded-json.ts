/** JSON from a stranger: not only must it parse, whatever walks it later must not run out of stack. */

export const DEEPEST = 100

/** Undefined when the text is no JSON or is nested too deeply. */
export function parseBoundedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isWithin(value, DEEPEST) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(member => isWithin(member, depth - 1))
}
