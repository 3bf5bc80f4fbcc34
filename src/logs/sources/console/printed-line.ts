import { isJsonObject } from '../../model/json.js'
import { once } from '../../model/util/memo.js'
import { flatten } from '../python-json.js'
import { timeFromText } from '../source-helpers.js'
import { type CounterKey, counterKey } from './counters.js'
import { printedNumberIn, pythonFloat, readPythonLiteral } from './python-literal.js'

/**
 * One line as training scripts print it: `step:125/3040 val_loss:4.51 train_time:98ms`, `iter 100: loss 2.34, mfu 12%`,
 * `Epoch 3/10 | loss=0.4`, `Epoch: [0][ 10/5005] Loss 6.9 (7.0)`, a tqdm bar with its postfix, a dict. It says which
 * counters a line shows and which numbers stand beside them by name, not what they mean: that takes many lines (plan.ts).
 */
export interface PrintedLine {
  readonly counters: readonly PrintedCounter[]
  readonly values: readonly PrintedValue[]
  /** Whether nothing but counters, values and marks stands in it: prose has words between its numbers. */
  readonly isPure: boolean
  /** What all its numbers are of, where it says one: `train Loss: 2.4 Top-1 Acc: 4.8`, or the section above it. */
  readonly split: string | null
  /** Unix seconds, where a timestamp stands before it. */
  readonly time: number | null
}

export interface PrintedCounter {
  readonly key: CounterKey
  /** As printed. */
  readonly name: string
  readonly value: number
  readonly total: number | null
}

export interface PrintedValue {
  readonly name: string
  readonly value: number
  /** As printed; null where a suffix or an exponent hides them. */
  readonly decimals: number | null
  /** Seconds in one of its unit, where it is a time with a unit. */
  readonly seconds: number | null
}

/** A line longer than that shows an answer or an array. */
const LONGEST = 4000

/** Made when it is asked for: with the letters of all languages in it that takes a millisecond, and few logs are consoles. */
const pattern = (source: string): (() => RegExp) => once(() => new RegExp(source, 'uy'))
const NUMBER = String.raw`[-+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][-+]?\d{1,4})?|[-+]?(?:[nN]a[nN]|NAN|[iI]nf(?:inity)?|INF)(?=ms|s|%|[^\p{L}\d]|$)`
const WHOLE = String.raw`\d{1,3}(?:,\d{3})+|\d{1,15}`
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.@/+*-]{0,80}(?: {1,2}[\p{L}_][\p{L}\p{N}_./@-]{0,40}){0,4}`
const COUNTED = pattern(
  String.raw`([\p{L}_]{1,40}(?:[ _][\p{L}]{1,20}){0,2})\s{0,8}[:=#：]?\s{0,8}[[(]?\s{0,8}(${WHOLE})(?![.\d]*\d|[%\p{L}])(?:\s{0,4}(?:\/|of|out of)\s{0,12}(${WHOLE}))?(?:\s{0,4}[\])])?`,
)
/** `第 3/10 轮`, `第3步`. */
const CHINESE = /第\s{0,4}(\d{1,15})(?:\s{0,4}\/\s{0,4}(\d{1,15}))?\s{0,4}(轮|个?epoch|回合|步|次迭代)/uy
const CHINESE_WORDS: { readonly [word: string]: CounterKey } = {
  轮: 'epoch',
  回合: 'episode',
  步: 'step',
  次迭代: 'iteration',
}
/** The place within an epoch: `[10/5005]`, `[640/60000 (1%)]` behind it. */
const WITHIN = /\s{0,4}\[\s{0,8}(\d{1,15})\s{0,4}\/\s{0,8}(\d{1,15})(?:\s{0,4}\(\s{0,4}\d{1,3}%\))?\s{0,4}\]/y
/** A number alone before the names, in brackets: `[12]	train-auc:0.9` of XGBoost and LightGBM, `[ (3 ) Loss: 0.4`. */
const BRACKETED = once(
  () => /^\[?[[(]?\s{0,3}\(?(\d{1,9})\s?(?:\/\s?(\d{1,9})\s?)?[\])][\s:]{1,4}(?=[\p{L}_][\p{L}\p{N}_'@-]{0,60}[ :=])/u,
)
const UNIT = String.raw`%|ms|us|µs|secs?|s|mins?|h|[kKMBG](?![\p{L}\d])|[KMG]i?B|(?:it|tok|tokens?|steps?|samples?|iters?)\/s(?:ec)?|s\/it|ms\/step|fps`
const VALUED = pattern(
  String.raw`(${NAME})(?:\s{0,2}\([^()\d][^()]{0,20}\))?(\s{0,8}[:=：]\s{0,12}|\s{1,8})(?:tensor\(|np\.float\d{2}\(|\[\s{0,4}|\$|[~≈] ?)?(${NUMBER})(?:\)|\s?\])?(?:\s?(${UNIT})(?![\p{L}\d]))?(?![\p{L}_]|\d|\.\d|:\d|\s?\/\s?\d)(?:\s{1,4}\(\s{0,6}(${NUMBER})\s{0,6}\))?`,
)
const RATIO = pattern(String.raw`(${NAME})\s{0,8}[:=：]?\s{0,8}(\d{1,12})\s?\/\s?(\d{1,12})(?![\d.])`)
/** `Cost after iteration 100: 0.69`. */
const PLACED = pattern(
  String.raw`([\p{L}_][\p{L}\p{N}_-]{0,40}(?: [\p{L}_][\p{L}\p{N}_-]{0,40}){0,2}?) (?:in|at|after|for|on) ([\p{L}_]{1,20}(?: [\p{L}]{1,20})?) (${WHOLE})\s?[:=]\s{0,4}(${NUMBER})(?![\p{L}\d])`,
)
const COUNTED_OUT = /acc|correct|success|solved|pass|win/i
const BAR =
  /^(?:([^%|]{0,80}?):)?\s*\d{1,3}%\|[^|]{0,400}\|\s*(\d{1,15})\/(\d{1,15}) \[[^,\]]{0,60}(?:,([^\]]*))?\](.*)$/
/** Keras: `782/782 [=====] - 4s 5ms/step - loss: 1.5`, and since version 3 with a line in place of the box. */
const KERAS = /^\s*(\d{1,15})\/(\d{1,15}) (?:\[[=>.]+\]|[━─\s]{4,})/u

const STAMP =
  /\[?\(?(\d{4}[-/]\d\d?[-/]\d\d?[T ,]{1,2}\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)\]?\)?(?=[\s|:,\]-]|$)/y
const MARKS_BEFORE =
  /\[?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\]?(?=\s)|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+:\d+\]|[([]?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|NOTICE|SUCCESS)[\])]?(?=[\s:|,-]|$)|\[(?:default|rank ?|gpu ?|proc ?)?\d{1,5}\]:|[\s|:>*#=~•,–—]+|-+(?![\d.])/iuy
/** The logger's name, which stands only beside a time or a level. */
const LOGGER =
  /\[?[A-Za-z_][\w.]{0,60}(?::[\w.<>]{1,60}){0,2}(?::\d{1,6})?\]?(?:\s{0,12}[:|>-](?!\S?\d)\s{0,3}(?!\d)|\s(?=-\s))/y
const SPLIT = /^(train|val|test|eval|dev)(?:id(?:ation)?|ing|uation)?(?:_[a-z]+)?$/i

export function readPrintedLine(text: string): PrintedLine | null {
  if (text.length > LONGEST || !/\d/.test(text)) return null
  const found = newFindings()
  let at = skipPrefix(text, found)
  const bracketed = BRACKETED().exec(text.slice(at, at + 90))
  if (bracketed !== null) {
    const [whole, value, total] = bracketed
    const of = total === undefined ? null : Number(total)
    found.counters.push({ key: 'episode', name: 'round', value: Number(value), total: of })
    at += whole.length
  }
  const body = text.slice(at)
  if (body.includes('%|')) return readBarLine(body, found)
  const keras = KERAS.exec(body)
  // What Keras shows before the end of an epoch is a mean so far.
  if (keras !== null && keras[1] !== keras[2]) return null
  const dict = body.indexOf('{')
  if (dict >= 0 && body.trimEnd().endsWith('}') && readDict(body.slice(dict).trim(), found)) {
    if (dict > 0) scan(body.slice(0, dict), found)
  } else scan(keras === null ? body : body.slice(keras[0].length), found)
  return lineOf(found)
}

interface Findings {
  readonly counters: PrintedCounter[]
  readonly values: PrintedValue[]
  words: number
  scope: string
  time: number | null
}

function newFindings(): Findings {
  return { counters: [], values: [], words: 0, scope: '', time: null }
}

function lineOf({ counters, values, words, time }: Findings): PrintedLine | null {
  if (counters.length === 0 && values.length === 0) return null
  const splits = new Set(values.flatMap(({ name }) => splitIn(name) ?? []))
  const [split = null] = splits.size === 1 ? splits : []
  return { counters, values, isPure: words === 0, split, time }
}

/** What a number or a section of a console is of, by its words: `train_Loss`, `Val results:`. */
export function splitIn(words: string): string | null {
  return NAMED_SPLIT.exec(words)?.[1]?.toLowerCase() ?? null
}

const NAMED_SPLIT = /(?:^|[^a-z])(train|val|test|eval|dev)(?:id|idation|ing|uation)?(?![a-z])/i

/** `Loss` behind `[Test]` is another one than behind `[Train]`. */
function scoped(name: string, scope: string): string {
  if (scope === '') return name
  return splitIn(name) === null ? `${scope}/${name}` : name
}

function skipPrefix(text: string, found: Findings): number {
  let at = 0
  for (let isLogged = false; at < text.length; ) {
    const stamp = matchAt(STAMP, text, at)
    const mark = stamp ?? matchAt(MARKS_BEFORE, text, at)
    if (mark !== null) {
      if (stamp !== null) found.time ??= timeFromText((stamp[1] ?? '').replace(/\s*,\s*(?=\d{1,9}$)/, '.'))
      isLogged ||= stamp !== null || /[A-Z]{4}|:\d\d/.test(mark[0])
      at += mark[0].length
      continue
    }
    const logger = isLogged ? matchAt(LOGGER, text, at) : null
    const name = logger?.[0].replaceAll(/[^\w]+$/g, '') ?? ''
    if (logger === null || counterKey(name) !== null || SPLIT.test(name)) break
    at += logger[0].length
  }
  return at
}

/** A bar counts only with numbers behind it: `Epoch 3:  45%|██ | 450/1000 [00:10<00:12, 45it/s, loss=0.123]`. */
function readBarLine(body: string, found: Findings): PrintedLine | null {
  const [, about = '', done, total, postfix = '', behind = ''] = BAR.exec(body) ?? []
  if (done === undefined) return null
  scan(postfix.replace(/^\s*[\d.?]{1,40}\s?\w{1,20}\/\w+\s*,?/, ''), found)
  const { counters } = found
  const within = counters.length
  scan(behind, found)
  if (found.values.length === 0) return null
  // A line printed behind a bar that counts for itself is told by its own counter.
  if (counters.length > within) return lineOf(found)
  scan(about, found)
  if (!counters.some(({ key }) => key === 'batch')) {
    counters.push({ key: 'batch', name: 'batch', value: Number(done), total: Number(total) })
  }
  return lineOf(found)
}

function readDict(text: string, found: Findings): boolean {
  const dict = readPythonLiteral(text)
  if (!isJsonObject(dict)) return false
  for (const [name, leaf] of flatten(dict).leaves) {
    const value = printedNumberIn(leaf)
    if (value === null) continue
    const key = Number.isSafeInteger(value) ? counterKey(name) : null
    if (key !== null) found.counters.push({ key, name, value, total: null })
    else found.values.push({ name, value, decimals: null, seconds: null })
  }
  return true
}

const WORD = once(() => /[\p{L}_][\p{L}\p{N}_'’.-]*/uy)
const NUMBER_AT = once(() => /[-+]?[\d.]+(?:[eE][-+]?\d+)?%?(?:[\p{L}]+\/?[\p{L}]*)?/uy)

/** Prose, in which a number may stand behind any word. */
const MOST_WORDS = 12

function scan(text: string, found: Findings): void {
  for (let at = 0; at < text.length; ) {
    const next = takeCounter(text, at, found) ?? takeValue(text, at, found)
    if (next !== null) {
      at = next
      continue
    }
    if (found.words > (found.counters.length === 0 ? MOST_WORDS : 3 * MOST_WORDS)) return
    const word = matchAt(WORD(), text, at)
    if (word !== null) noteWord(text, at, word[0], found)
    at += word?.[0].length ?? matchAt(NUMBER_AT(), text, at)?.[0].length ?? 1
  }
}

/** A word between the numbers; `Test set:` and `[Val]` say what those behind it are of. */
function noteWord(text: string, at: number, word: string, found: Findings): void {
  const split = SPLIT.exec(word)?.[1]
  const isMarked = text[at - 1] === '[' || text[at + word.length] === ':'
  if (split !== undefined && (found.values.length === 0 || isMarked)) found.scope = split.toLowerCase()
  else if (word.length > 1 && !isMarked && !UNITS.test(word)) found.words += 1
}

const UNITS = new RegExp(`^(?:${UNIT}|eta|set|best|done|avg|ms\\/step|per)$`, 'iu')

function takeCounter(text: string, at: number, found: Findings): number | null {
  if (at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) return null
  const chinese = matchAt(CHINESE, text, at)
  if (chinese !== null) {
    const key = CHINESE_WORDS[chinese[3] ?? ''] ?? 'epoch'
    found.counters.push({
      key,
      name: key,
      value: Number(chinese[1]),
      total: chinese[2] === undefined ? null : Number(chinese[2]),
    })
    return at + chinese[0].length
  }
  const counted = matchAt(COUNTED(), text, at)
  if (counted === null) return null
  const [whole, name = '', value = '', total] = counted
  // A lone letter counts only where a line begins with it: `s:250 tel:6.31`.
  const isLetter = name === 's' && at === 0 && /^s[:=]/.test(text)
  const key = isLetter ? 'step' : counterKey(name)
  if (key === null || found.counters.some(counter => counter.key === key)) return null
  const split = SPLIT.exec(name.split(/[\s_]/)[0] ?? '')?.[1]
  if (split !== undefined) found.scope = split.toLowerCase()
  found.counters.push({
    key,
    name: key === 'epoch' ? key : nameOf(name),
    value: wholeNumber(value),
    total: total === undefined ? null : wholeNumber(total),
  })
  const end = at + whole.length
  const within = key === 'epoch' ? matchAt(WITHIN, text, end) : null
  if (within === null) return end
  found.counters.push({ key: 'batch', name: 'batch', value: Number(within[1]), total: Number(within[2]) })
  return end + within[0].length
}

function takeValue(text: string, at: number, found: Findings): number | null {
  if (at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? '')) return null
  const push = (value: PrintedValue): void => {
    found.values.push({ ...value, name: scoped(value.name, found.scope) })
  }
  const ratio = matchAt(RATIO(), text, at)
  if (ratio !== null && COUNTED_OUT.test(ratio[1] ?? '') && Number(ratio[3]) > 0) {
    const value = Number(ratio[2]) / Number(ratio[3])
    push({ name: nameOf(ratio[1] ?? ''), value, decimals: null, seconds: null })
    return at + ratio[0].length
  }
  const placed = matchAt(PLACED(), text, at)
  const placedKey = placed === null ? null : counterKey(placed[2] ?? '')
  if (placed !== null && placedKey !== null) {
    found.counters.push({ key: placedKey, name: placedKey, value: wholeNumber(placed[3] ?? ''), total: null })
    push(printedValue(nameOf(placed[1] ?? ''), placed[4] ?? '', ''))
    return at + placed[0].length
  }
  const match = matchAt(VALUED(), text, at)
  if (match === null) return null
  const [whole, printed = '', mark = '', number = '', unit = '', mean] = match
  const end = at + whole.length
  // What stands before `alpha=` may be prose; before `Mean reward:` it is the name.
  const name = mark === '=' ? (printed.split(' ').at(-1) ?? printed) : printed
  if (mark.trim() === '' && (STOPS.test(name) || PROSE_BEHIND().test(text.slice(end, end + 60)))) return null
  if (name !== printed) found.words += 1
  const value = printedValue(nameOf(name), number, unit)
  const key = Number.isSafeInteger(value.value) && value.value >= 0 ? counterKey(name) : null
  if (key !== null && !found.counters.some(counter => counter.key === key) && unit !== '%') {
    found.counters.push({ key, name: value.name, value: value.value, total: null })
  } else {
    push(value)
    if (mean !== undefined && unit === '') push(printedValue(`${value.name}_avg`, mean, ''))
  }
  return end
}

/** `100 games …`: a count of things. */
const PROSE_BEHIND = once(() => /^ \p{Ll}[\p{L}-]*(?:\s*[.,;|)\]…]|\s*$| \p{L}+(?![\p{L}]* ?[:=]))/u)
/** Words that a number may follow in prose, but no name of a metric ends in. */
const STOPS =
  /(?:^|\s)(?:from|to|of|in|at|after|for|than|by|with|over|the|and|is|was|on|rank|gpu|node|line|port|version|pid|a|took|takes|every|up|only|about|all|last|first|next|loading|saving|saved)$/i

function printedValue(name: string, number: string, unit: string): PrintedValue {
  const scale = SCALES[unit]
  const plain = number.replaceAll(',', '')
  const decimals = scale !== undefined || /[ein]/i.test(plain) ? null : (plain.split('.')[1]?.length ?? 0)
  return { name, value: pythonFloat(plain) * (scale ?? 1), decimals, seconds: SECONDS[unit.toLowerCase()] ?? null }
}

const SCALES: { readonly [suffix: string]: number } = { k: 1e3, K: 1e3, M: 1e6, B: 1e9, G: 1e9 }
const SECONDS: { readonly [unit: string]: number } = {
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  secs: 1,
  min: 60,
  mins: 60,
  h: 3600,
}

/** Names are kept as printed; blanks would be lost on a command line. */
export function nameOf(printed: string): string {
  return printed
    .trim()
    .replaceAll(/[\s.]+$|^[-+*/.]+/g, '')
    .replaceAll(/\s+/g, '_')
}

function wholeNumber(text: string): number {
  return Number(text.replaceAll(',', ''))
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A number in a cell of a printed table. */
export function printedNumber(name: string, cell: string): PrintedValue | null {
  const match = CELL.exec(cell)
  return match === null ? null : printedValue(name, match[1] ?? '', match[2] ?? '')
}

const CELL = new RegExp(String.raw`^\s*(${NUMBER})(?:\s?(${UNIT}))?\s*$`, 'u')
