import { auditTexts } from './audit.js'
import { checkpointTexts } from './checkpoints.js'
import { cliTexts } from './cli.js'
import { compareTexts } from './compare.js'
import { dataTexts } from './data.js'
import { diagnoseTexts } from './diagnose.js'
import { evalTexts } from './eval.js'
import { fillTexts } from './fill.js'
import { gymTexts } from './gym.js'
import { importTexts } from './import.js'
import type { Language, Template, Templates } from './language.js'
import { planTexts } from './plan.js'
import { preflightTexts } from './preflight.js'
import { reportTexts } from './report.js'
import { runTexts } from './runs.js'
import { samplesTexts } from './samples.js'
import { type Blanks, type Message, render } from './sentences.js'
import { serveTexts } from './serve.js'
import { showTexts } from './show.js'
import { sweepTexts } from './sweep.js'
import { taskTexts } from './tasks.js'
import { trainTexts } from './train.js'
import { trainConfigTexts } from './train-config.js'
import { trainRunTexts } from './train-run.js'
import { vocabularyTexts } from './vocabulary.js'
import { weightsTexts } from './weights.js'

/** The sentences that belong to no single rule or source. One file per speaker; a new one is added here. */
const TABLES = [
  auditTexts,
  reportTexts,
  checkpointTexts,
  cliTexts,
  compareTexts,
  diagnoseTexts,
  dataTexts,
  evalTexts,
  fillTexts,
  gymTexts,
  importTexts,
  planTexts,
  preflightTexts,
  runTexts,
  samplesTexts,
  serveTexts,
  showTexts,
  sweepTexts,
  vocabularyTexts,
  taskTexts,
  trainConfigTexts,
  trainTexts,
  trainRunTexts,
  weightsTexts,
] as const satisfies readonly Templates[]

/** All of them as one type; as one object they would take every command 5 ms to put together. */
type AllTexts = Together<(typeof TABLES)[number]>
type Together<Tables> = (Tables extends unknown ? (table: Tables) => void : never) extends (all: infer All) => void
  ? All
  : never

export type TextKey = keyof AllTexts & string

export type TextParams<Key extends TextKey> = Blanks<AllTexts[Key]>

const found = new Map<string, Template>()

/** Null where a name that another part of klens made up has no sentence. */
function textOf(key: string): Template | null {
  const known = found.get(key)
  if (known !== undefined) return known
  const table: Templates | undefined = TABLES.find(texts => Object.hasOwn(texts, key))
  if (table === undefined) return null
  found.set(key, table[key])
  return table[key]
}

/** A sentence to be rendered later, in whatever language the reader has. Stored with runs. */
export function message<Key extends TextKey>(key: Key, params: TextParams<Key>): Message {
  return { ...unfilled(key), params }
}

/** A sentence whose blanks are filled in later: a schema that refuses a value does not know where it stood. */
export function unfilled(key: TextKey): Message {
  const text = textOf(key)
  if (text === null) throw new Error(`there is no sentence ${key}`)
  return { key, text, params: {} }
}

/** A sentence without blanks, or with blanks that only the caller knows, by a key of the kind above. */
export function labelFor(key: string, language: Language): string | null {
  return textOf(key)?.[language] ?? null
}

/** A sentence, now. */
export function say<Key extends TextKey>(language: Language, key: Key, params: TextParams<Key>): string {
  return render(message(key, params), language)
}
