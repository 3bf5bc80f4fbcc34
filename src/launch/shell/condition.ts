import { joined } from './expand.js'
import type { Statement, Word } from './parse.js'
import { type Allowance, type State, UNKNOWN } from './variables.js'

/** `[ "$A" = b ]` and its like, where both sides are known; null where they are not. */
export function truthOf(condition: readonly Statement[], state: State, allowance: Allowance): boolean | null {
  const [only] = condition
  if (condition.length !== 1 || only.kind !== 'simple') return null
  const words = only.elements.flatMap(element =>
    element.kind === 'word' ? expandedTest(element, state, allowance) : [],
  )
  if (!['[', '[[', 'test'].includes(words[0] ?? '')) return null
  const inside = words.slice(1).filter(word => word !== ']' && word !== ']]')
  if (inside.some(word => word.includes(UNKNOWN))) return null
  const isNot = inside[0] === '!'
  const outcome = testOf(isNot ? inside.slice(1) : inside)
  return outcome === null ? null : outcome !== isNot
}

/** An empty text in quotes is a word here. */
function expandedTest(word: Word, state: State, allowance: Allowance): readonly string[] {
  return [joined(word.parts, word.line, state, allowance)]
}

function testOf(words: readonly string[]): boolean | null {
  if (words.length === 2 && words[0] === '-z') return words[1] === ''
  if (words.length === 2 && words[0] === '-n') return words[1] !== ''
  if (words.length !== 3) return null
  const [left, operator, right] = words
  const [a, b] = [Number(left), Number(right)]
  switch (operator) {
    case '=':
    case '==':
      return /[*?[]/.test(right) ? null : left === right
    case '!=':
      return /[*?[]/.test(right) ? null : left !== right
    case '-eq':
      return a === b
    case '-ne':
      return a !== b
    case '-lt':
      return a < b
    case '-le':
      return a <= b
    case '-gt':
      return a > b
    case '-ge':
      return a >= b
    default:
      return null
  }
}
