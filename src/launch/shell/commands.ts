import { type Arithmetic, arithmetic } from './arithmetic.js'
import type { WordPart } from './lex.js'
import { type Element, parseShell, type Statement, type Word } from './parse.js'

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

export interface ShellWord {
  /** With `UNKNOWN` where something stands that only running would tell. */
  readonly text: string
  readonly line: number
  /** `@` for the script's own arguments, `1` for its first: words that somebody else will supply. */
  readonly passes?: string
}

/** Stands in a text for what is not known: a character of Unicode's private area. */
export const UNKNOWN = '\uE000'

export interface Surroundings {
  /** Variables that are known from outside the script, such as HOME. */
  readonly variables?: ReadonlyMap<string, string>
}

export function commandsIn(text: string, { variables = new Map() }: Surroundings = {}): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  const known = [['BASH_VERSION', '5'] as const, ...variables]
  const outside = known.map(([name, value]): [string, Value] => [name, { text: value, line: 0 }])
  const state: State = { variables: new Map(outside), functions: new Map(), positional: null, ended: false }
  const reading: Reading = { commands, left: MOST_STEPS, characters: MOST_CHARACTERS, depth: 0 }
  run(parseShell(text), state, reading, true)
  return commands
}

const MOST_STEPS = 100_000
const MOST_CHARACTERS = 1 << 24
/** To copy so many variables is as much work as a statement. */
const VARIABLES_PER_STEP = 50
const LONGEST_VALUE = 1 << 16
const MOST_ITEMS = 10_000
const DEEPEST_CALL = 24

/** A plain variable, or the words of an array. */
type Value = ShellWord | readonly ShellWord[]

interface State {
  readonly variables: Map<string, Value>
  readonly functions: Map<string, readonly Statement[]>
  /** The arguments of the function that runs; null in the script itself, whose own are not known. */
  readonly positional: readonly ShellWord[] | null
  /** `exit` or `return` was reached. */
  ended: boolean
}

interface Reading {
  readonly commands: ShellCommand[]
  left: number
  characters: number
  depth: number
}

function run(statements: readonly Statement[], state: State, reading: Reading, isCertain: boolean): void {
  for (const statement of statements) {
    reading.left -= 1
    if (reading.left < 0 || state.ended) return
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
    reading.left -= state.variables.size / VARIABLES_PER_STEP
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

/** What all branches agree on, and that there may be more: an option that one of them appends does not hide the others. */
function agreed(values: readonly (Value | undefined)[]): Value {
  const set = values.filter(value => value !== undefined)
  const [first] = set
  if (set.length < values.length) return { text: UNKNOWN, line: lineOf(first) }
  if (set.every(value => sameText(value, first))) return first
  const lists = set.map(value => [value].flat())
  if (set.some(value => Array.isArray(value))) {
    const length = lists[0].findIndex(({ text }, i) => lists.some(list => list[i]?.text !== text))
    const common = length < 0 ? lists[0] : lists[0].slice(0, length)
    return [...common, { text: UNKNOWN, line: lineOf(first) }]
  }
  return { text: commonStart(lists.map(([{ text }]) => text)), line: lineOf(first) }
}

function commonStart(texts: readonly string[]): string {
  const [first] = texts
  let end = 0
  while (end < first.length && texts.every(text => text[end] === first[end])) end += 1
  const isBetweenWords = texts.every(text => end === text.length || /\s/.test(text[end]))
  return `${first.slice(0, end)}${isBetweenWords ? ' ' : ''}${UNKNOWN}`
}

function sameText(a: Value, b: Value): boolean {
  const [left, right] = [[a].flat(), [b].flat()]
  return left.length === right.length && left.every(({ text }, i) => text === right[i].text)
}

function lineOf(value: Value | undefined): number {
  return value === undefined ? 0 : ([value].flat()[0]?.line ?? 0)
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
      nested(
        words
          .slice(1)
          .map(({ text }) => text)
          .join(' '),
        line,
        state,
        reading,
        isCertain,
      )
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

function bounded(text: string): string {
  return text.length > LONGEST_VALUE ? UNKNOWN : text
}

function textOf(value: Value): string {
  return bounded(
    [value]
      .flat()
      .map(({ text }) => text)
      .join(' '),
  )
}

/** A word as the words that it becomes: none, one, or, where something unquoted has blanks in it, several. */
function expand({ parts, line }: Word, state: State, reading: Reading): readonly ShellWord[] {
  const passed = passedOn(parts, line, state, reading)
  if (passed !== null) return passed
  const words: { text: string; line: number }[] = []
  let open = false
  for (const part of parts) {
    const text = partText(part, line, state, reading)
    const splits = part.kind !== 'text' && !part.quoted
    const pieces = splits ? text.split(/[ \t\n]+/) : [text]
    for (const [i, piece] of pieces.entries()) {
      if (open && i === 0) words[words.length - 1].text = bounded(words[words.length - 1].text + piece)
      else if (piece !== '' || !splits) words.push({ text: piece, line })
      if (piece !== '' || !splits) open = true
      if (splits && i < pieces.length - 1) open = false
    }
    if (words.length > MOST_ITEMS) break
  }
  return words
}

/** `$@`, `$1`, `"${ARGS[@]}"`: a whole word that stands for words from elsewhere. */
function passedOn(
  parts: readonly WordPart[],
  line: number,
  state: State,
  reading: Reading,
): readonly ShellWord[] | null {
  const inside = parts.filter(part => part.kind !== 'text' || part.text !== '')
  const [part] = inside
  if (inside.length !== 1 || part.kind !== 'variable') return null
  if (part.name === '@' || part.name === '*') {
    if (state.positional === null) return [{ text: UNKNOWN, line, passes: '@' }]
    return state.positional.slice(part.operator === ':' ? 1 : 0)
  }
  if (/^[1-9]\d{0,8}$/.test(part.name) && part.operator === null) {
    if (state.positional === null) return [{ text: UNKNOWN, line, passes: part.name }]
    const given = state.positional[Number(part.name) - 1]
    return given === undefined ? [] : [given]
  }
  if (part.index !== '@' && part.index !== '*') return null
  const value = state.variables.get(part.name)
  if (value === undefined) return part.operator === null ? [] : null
  const items = [value].flat()
  reading.characters -= items.length
  if (reading.characters < 0) return [{ text: UNKNOWN, line }]
  return part.index === '@' || !part.quoted ? items : [{ text: textOf(value), line }]
}

function joined(parts: readonly WordPart[], line: number, state: State, reading: Reading): string {
  return bounded(parts.map(part => partText(part, line, state, reading)).join(''))
}

function partText(part: WordPart, line: number, state: State, reading: Reading): string {
  const text = unboundedText(part, line, state, reading)
  if (part.kind === 'text') return text
  reading.characters -= text.length
  return reading.characters < 0 ? UNKNOWN : bounded(text)
}

function unboundedText(part: WordPart, line: number, state: State, reading: Reading): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'command':
      // Where it is launched from; a path that begins so is looked for from there.
      return /^\s*pwd\s*$/.test(part.text) ? '.' : UNKNOWN
    case 'arithmetic': {
      const look: Arithmetic = name => {
        const value = state.variables.get(name)
        return value === undefined ? null : textOf(value)
      }
      return arithmetic(part.expression, look) ?? UNKNOWN
    }
    case 'variable':
      return variableText(part, line, state, reading)
  }
}

type Variable = Extract<WordPart, { readonly kind: 'variable' }>

function variableText(part: Variable, line: number, state: State, reading: Reading): string {
  const { name, operator, argument } = part
  const value = currentText(part, state)
  switch (operator) {
    case null:
      return value === undefined ? UNKNOWN : value
    case ':-':
    case '-':
      return value === undefined || (operator === ':-' && value === '') ? joined(argument, line, state, reading) : value
    case ':=':
    case '=': {
      if (value !== undefined && (operator === '=' || value !== '')) return value
      const text = joined(argument, line, state, reading)
      state.variables.set(name, { text, line })
      return text
    }
    case ':+':
    case '+':
      return value === undefined || (operator === ':+' && value === '') ? '' : joined(argument, line, state, reading)
    case ':?':
      return value ?? UNKNOWN
    default:
      return UNKNOWN
  }
}

/** Undefined where nothing in the script sets it. An argument of the script may not be given: then a default counts. */
function currentText({ name, index }: Variable, { variables, positional }: State): string | undefined {
  if (/^\d+$/.test(name)) return name === '0' ? UNKNOWN : positional?.[Number(name) - 1]?.text
  if (/^\W$/.test(name)) return UNKNOWN
  const value = variables.get(name)
  if (value === undefined) return undefined
  const items = [value].flat()
  return index === null ? items[0]?.text : (items[Number(index)]?.text ?? textOf(value))
}

/** `[ "$A" = b ]` and its like, where both sides are known; null where they are not. */
function truthOf(condition: readonly Statement[], state: State, reading: Reading): boolean | null {
  const [only] = condition
  if (condition.length !== 1 || only.kind !== 'simple') return null
  const words = only.elements.flatMap(element => (element.kind === 'word' ? expandedTest(element, state, reading) : []))
  if (!['[', '[[', 'test'].includes(words[0] ?? '')) return null
  const inside = words.slice(1).filter(word => word !== ']' && word !== ']]')
  if (inside.some(word => word.includes(UNKNOWN))) return null
  const isNot = inside[0] === '!'
  const outcome = testOf(isNot ? inside.slice(1) : inside)
  return outcome === null ? null : outcome !== isNot
}

/** An empty text in quotes is a word here. */
function expandedTest(word: Word, state: State, reading: Reading): readonly string[] {
  return [joined(word.parts, word.line, state, reading)]
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
