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
import type { Language, Templates } from './language.js'
import { planTexts } from './plan.js'
import { preflightTexts } from './preflight.js'
import { reportTexts } from './report.js'
import { runTexts } from './runs.js'
import { samplesTexts } from './samples.js'
import { type Blanks, type Message, render, sentences } from './sentences.js'
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
const allTexts = {
  ...auditTexts,
  ...reportTexts,
  ...checkpointTexts,
  ...cliTexts,
  ...compareTexts,
  ...diagnoseTexts,
  ...dataTexts,
  ...evalTexts,
  ...fillTexts,
  ...gymTexts,
  ...importTexts,
  ...planTexts,
  ...preflightTexts,
  ...runTexts,
  ...samplesTexts,
  ...serveTexts,
  ...showTexts,
  ...sweepTexts,
  ...vocabularyTexts,
  ...taskTexts,
  ...trainConfigTexts,
  ...trainTexts,
  ...trainRunTexts,
  ...weightsTexts,
} as const satisfies Templates

export type TextKey = keyof typeof allTexts

export type TextParams<Key extends TextKey> = Blanks<(typeof allTexts)[Key]>

/** A sentence to be rendered later, in whatever language the reader has. Stored with runs. */
export const message = sentences(allTexts)

/** Whether a name that another part of klens made up has a sentence of its own. */
export function isTextKey(key: string): key is TextKey {
  return Object.hasOwn(allTexts, key)
}

/** A sentence whose blanks are filled in later: a schema that refuses a value does not know where it stood. */
export function unfilled(key: TextKey): Message {
  return { key, text: allTexts[key], params: {} }
}

/** A sentence without blanks, or with blanks that only the caller knows, by a key of the kind above. */
export function labelFor(key: string, language: Language): string | null {
  return isTextKey(key) ? allTexts[key][language] : null
}

/** A sentence, now. */
export function say<Key extends TextKey>(language: Language, key: Key, params: TextParams<Key>): string {
  return render(message(key, params), language)
}
