import { expand, joined } from './expand.js'
import type { WordPart } from './lex.js'
import { type Element, parseShell, type Statement, type Word } from './parse.js'
import {
  type Allowance,
  agreed,
  bounded,
  MOST_ITEMS,
  type ShellWord,
  type State,
  textOf,
  textsOf,
  UNKNOWN,
  type Value,
} from './values.js'

/**
 * The commands that a script would start, with their words as a shell would hand them over, without starting anything.
 * Variables are followed through assignments, defaults, arrays, functions and branches; what only running would tell (a
 * command's output, an argument of the script, a variable from outside) stays unknown, and of two branches that cannot
 * be told apart only what both agree on is known. Work, length and depth are bounded, whatever the script says.
 */

export interface ShellCommand {
  readonly words: readonly ShellWord[]
  /** What stands before the command and what was exported or set before it. */
  readonly variables: ReadonlyMap<string, ShellWord>
  readonly line: number
  /** In a branch or loop that may not be reached, or be reached often. */
  readonly isCertain: boolean
}

export interface Surroundings {
  /** Variables that are known from outside the script, such as HOME. */
  readonly variables?: ReadonlyMap<string, string>
}

export function commandsIn(text: string, { variables = new Map() }: Surroundings = {}): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  const known = [['BASH_VERSION', '5'] as const, ...variables]
  const outside = known.map(([name, value]): [string, Value] => [name, { text: value, line: 0 }])
  const state: State = { variables: new Map(outside), functions: new Map(), positional: null, ended: false }
  const reading: Reading = { commands, statements: MOST_STEPS, characters: MOST_CHARACTERS, depth: 0 }
  run(parseShell(text), state, reading, true)
  return commands
}

const MOST_STEPS = 100_000
const MOST_CHARACTERS = 1 << 24
/** To copy so many variables is as much work as a statement. */
const VARIABLES_PER_STEP = 50
const DEEPEST_CALL = 24

interface Reading extends Allowance {
  readonly commands: ShellCommand[]
  /** Work that is left. */
  statements: number
  depth: number
}

function run(statements: readonly Statement[], state: State, reading: Reading, isCertain: boolean): void {
  for (const statement of statements) {
    reading.statements -= 1
    if (reading.statements < 0 || state.ended) return
    step(statement, state, reading, isCertain)
  }
}

function step(statement: Statement, state: State, reading: Reading, isCertain: boolean): void {
  switch (statement.kind) {
    case 'simple':
      simple(statement.elements, statement.line, state, reading, isCertain)
      return
    case 'group':
      run(statement.body, state, reading, isCertain)
      return
    case 'function':
      state.functions.set(statement.name, statement.body)
      return
    case 'if': {
      const { condition, body, otherwise } = statement
      run(condition, state, reading, isCertain)
      const decided = truthOf(condition, state, reading)
      if (decided !== null) run(decided ? body : otherwise, state, reading, isCertain)
      else branches([body, otherwise], state, reading)
      return
    }
    case 'case':
      branches([...statement.branches, []], state, reading)
      return
    case 'loop': {
      const items = statement.items.flatMap(item => expand(item, state, reading))
      const { variable } = statement
      if (variable !== null) {
        const [first] = items
        const isOne = items.length === 1 && first.passes === undefined
        state.variables.set(variable, isOne ? first : { text: UNKNOWN, line: first?.line ?? 0 })
      }
      branches([statement.body, []], state, reading)
    }
  }
}

/** Each on its own; afterwards a variable is known where all that went on agree on it. */
function branches(bodies: readonly (readonly Statement[])[], state: State, reading: Reading): void {
  const ends = bodies.map(body => {
    reading.statements -= state.variables.size / VARIABLES_PER_STEP
    const own: State = { ...state, variables: new Map(state.variables), ended: false }
    run(body, own, reading, false)
    return own
  })
  const alive = ends.filter(({ ended }) => !ended)
  if (alive.length === 0) {
    state.ended = true
    return
  }
  const names = new Set(alive.flatMap(({ variables }) => [...variables.keys()]))
  for (const name of names) state.variables.set(name, agreed(alive.map(({ variables }) => variables.get(name))))
}

/** `[ "$A" = b ]` and its like, where both sides are known; null where they are not. */
function truthOf(condition: readonly Statement[], state: State, allowance: Allowance): boolean | null {
  const [only] = condition
  if (condition.length !== 1 || only.kind !== 'simple') return null
  // An empty text in quotes is a word here.
  const words = only.elements.flatMap(element =>
    element.kind === 'word' ? [joined(element.parts, element.line, state, allowance)] : [],
  )
  if (!['[', '[[', 'test'].includes(words[0] ?? '')) return null
  const inside = words.slice(1).filter(word => word !== ']' && word !== ']]')
  if (inside.some(word => word.includes(UNKNOWN))) return null
  const isNot = inside[0] === '!'
  const outcome = testOf(isNot ? inside.slice(1) : inside)
  return outcome === null ? null : outcome !== isNot
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

const ASSIGNMENT = /^([A-Za-z_]\w{0,999})(\+?)=/
const DECLARING = new Set(['export', 'declare', 'local', 'readonly', 'typeset'])

function simple(elements: readonly Element[], line: number, state: State, reading: Reading, isCertain: boolean): void {
  const words: ShellWord[] = []
  const before = new Map<string, ShellWord>()
  let declares = false
  for (const element of elements) {
    if (element.kind === 'array') {
      assignArray(element, state, reading)
      continue
    }
    const isCommandKnown = words.length > 0
    const assigned = !isCommandKnown || declares ? assignmentIn(element, state, reading) : null
    if (assigned !== null) before.set(assigned.name, assigned.value)
    else {
      for (const word of expand(element, state, reading)) words.push(word)
      declares ||= words.length === 1 && DECLARING.has(words[0].text)
    }
  }
  const [command] = words
  if (command === undefined || declares) {
    for (const [name, value] of before) state.variables.set(name, value)
    return
  }
  switch (command.text) {
    case ':':
    case 'echo':
    case '[':
    case '[[':
    case 'test':
      return
    case 'exit':
    case 'return':
      // Under a condition that is not known it ends its branch, of which then nothing is taken over.
      state.ended = true
      return
    case 'unset':
      for (const { text } of words.slice(1)) state.variables.delete(text)
      return
    case 'eval':
      nested(textsOf(words.slice(1)).join(' '), line, state, reading, isCertain)
      return
  }
  const inner = words.findIndex(
    ({ text }, i) => /^-l?c$/.test(text) && /(?:^|\/)(?:ba)?sh$/.test((words[i - 1]?.text ?? '').slice(-99)),
  )
  if (inner > 0 && words[inner + 1] !== undefined) {
    nested(words[inner + 1].text, words[inner + 1].line, state, reading, isCertain)
    return
  }
  const body = state.functions.get(command.text)
  if (body !== undefined && reading.depth < DEEPEST_CALL) {
    reading.depth += 1
    const called: State = { ...state, positional: words.slice(1), ended: false }
    run(body, called, reading, isCertain)
    reading.depth -= 1
    return
  }
  reading.commands.push({ words, variables: visibleTo(state, before, reading), line, isCertain })
}

function visibleTo(
  state: State,
  before: ReadonlyMap<string, ShellWord>,
  reading: Reading,
): ReadonlyMap<string, ShellWord> {
  const variables = new Map(before)
  reading.characters -= state.variables.size
  if (reading.characters < 0) return variables
  for (const [name, value] of state.variables) if ('text' in value && !before.has(name)) variables.set(name, value)
  return variables
}

/** The words of `eval` and of `bash -c` are a script themselves. */
function nested(text: string, line: number, state: State, reading: Reading, isCertain: boolean): void {
  if (reading.depth >= DEEPEST_CALL) return
  reading.depth += 1
  const from = reading.commands.length
  run(parseShell(text), state, reading, isCertain)
  reading.depth -= 1
  for (const command of reading.commands.splice(from)) {
    const words = command.words.map(word => ({ ...word, line: line + word.line - 1 }))
    reading.commands.push({ ...command, line: line + command.line - 1, words })
  }
}

function assignmentIn(word: Word, state: State, reading: Reading): { name: string; value: ShellWord } | null {
  const [first] = word.parts
  if (first?.kind !== 'text' || first.quoted) return null
  const match = ASSIGNMENT.exec(first.text)
  if (match === null) return null
  const rest: readonly WordPart[] = [{ ...first, text: first.text.slice(match[0].length) }, ...word.parts.slice(1)]
  const name = match[1]
  const known = state.variables.get(name)
  const prefix = match[2] === '+' && known !== undefined ? textOf(known) : ''
  return { name, value: { text: bounded(prefix + joined(rest, word.line, state, reading)), line: word.line } }
}

function assignArray(element: Extract<Element, { kind: 'array' }>, state: State, reading: Reading): void {
  const items = element.items.flatMap(item => expand(item, state, reading))
  const before = state.variables.get(element.name)
  const kept = element.append && before !== undefined ? [before].flat() : []
  state.variables.set(element.name, [...kept, ...items].slice(0, MOST_ITEMS))
}
