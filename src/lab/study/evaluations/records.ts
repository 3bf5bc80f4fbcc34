import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Workspace } from '../../../core/store/workspace.js'
import { type JsonNumber, jsonNumber } from '../../../logs/model/json.js'
import { studyFolder } from '../ledger.js'

/**
 * What a study knows of each evaluation beside the scores, which lie with the run: whose weights they were, by content,
 * what they came to, and a hash of the single scores and choices. One line per evaluation, added when its scores are in the
 * store; the last line about the same weights under the same condition counts. A line that a kill has torn is no line.
 */
const record = z.object({
  /** Hash of the condition. */
  condition: z.string(),
  contentHash: z.string(),
  /** Of the trial that it was evaluated for. */
  trial: z.string(),
  step: z.number(),
  /** Where the single scores are, and under which name of the data. */
  run: z.string(),
  dataset: z.string(),
  split: z.string(),
  /** Over the samples that have a score; null where none has. */
  value: z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)]).nullable(),
  n: z.number(),
  /** Samples without a score, and why. */
  missing: z.number(),
  reasons: z.array(z.string()).readonly(),
  /** Hash of the single scores. */
  scores: z.string(),
  /** Of what was chosen or said for each sample: hashes over sixteenths of the samples, a space between them, so that it shows how much differs. */
  choices: z.string(),
  /** How many different ones there were. */
  distinctScores: z.number(),
  distinctChoices: z.number(),
  /** `store`: the scores were there already, from an evaluation of the same checkpoint that this study has no record of. */
  origin: z.enum(['evaluated', 'store']),
  seconds: z.number(),
  /** Unix seconds. */
  at: z.number(),
})

export type EvaluationRecord = z.output<typeof record>

function recordsPath(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'evaluations.jsonl')
}

/** In the order in which they were made. */
export async function readRecords(workspace: Workspace, study: string): Promise<readonly EvaluationRecord[]> {
  let text: string
  try {
    text = await readFile(recordsPath(workspace, study), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap(line => (line === '' ? [] : recordIn(line)))
}

function recordIn(line: string): readonly EvaluationRecord[] {
  try {
    return [record.parse(JSON.parse(line))]
  } catch {
    return []
  }
}

/** On disk when it returns. Begins with a line's end, in case the one before was torn. */
export async function keepRecord(workspace: Workspace, study: string, made: EvaluationRecord): Promise<void> {
  const path = recordsPath(workspace, study)
  await mkdir(dirname(path), { recursive: true })
  const written: { readonly [member in keyof EvaluationRecord]: EvaluationRecord[member] | JsonNumber } = {
    ...made,
    value: jsonNumber(made.value),
  }
  const file = await open(path, 'a')
  try {
    await file.appendFile(`\n${JSON.stringify(written)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** What a score is known by. */
export function recordKey({ condition, contentHash }: Pick<EvaluationRecord, 'condition' | 'contentHash'>): string {
  return `${condition} ${contentHash}`
}
