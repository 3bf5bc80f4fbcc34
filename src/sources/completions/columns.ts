import { findColumn } from '../table/form.js'
import { CONDITION_NAMES, SAMPLE_NAMES, SCORE_NAMES } from '../table/samples-shape.js'

/**
 * Which column of a table of completions holds what. Looked up anew whenever the columns change, because rewards write
 * what they like beside the fixed columns, and a first row may be longer than the piece of the file that is looked at.
 */

const NAMES = {
  ...CONDITION_NAMES,
  step: ['step', 'global_step', 'training/global_step', 'train_step', 'iteration', 'iter', 'epoch'],
  sample: SAMPLE_NAMES,
  score: SCORE_NAMES,
  input: ['input', 'prompt', 'question', 'query', 'problem', 'instruction', 'messages'],
  output: ['output', 'response', 'completion', 'generation', 'generated_text', 'model_output'],
  expected: ['gts', 'ground_truth', 'expected', 'target', 'reference', 'label', 'solution', 'gold', 'answer'],
  choice: ['choice', 'pred', 'prediction', 'selected', 'selection', 'extracted_answer', 'model_answer'],
  finish: ['finish_reason', 'stop_reason'],
} as const

export type Role = keyof typeof NAMES

export interface Columns {
  readonly at: { readonly [role in Role]?: number }
  /** Every other column: rewards where it holds numbers. */
  readonly others: readonly { readonly at: number; readonly name: string }[]
}

/** Numbers that are no rewards. */
const NO_REWARD =
  /^(?:_?(?:time|timestamp|created(?:_at)?|date)|seed|epoch|rank|worker|(?:.*_)?(?:uid|uuid|idx|index|id)|row)$/i

export function columnsOf(names: readonly string[]): Columns {
  const at: { [role in Role]?: number } = {}
  for (const role of ROLES) {
    const column = findColumn(names, NAMES[role])
    if (column !== undefined) at[role] = names.indexOf(column)
  }
  const taken = new Set(Object.values(at))
  const others = names.flatMap((name, index) =>
    taken.has(index) || name.trim() === '' || NO_REWARD.test(name.trim()) ? [] : [{ at: index, name: name.trim() }],
  )
  return { at, others }
}

const ROLES: readonly Role[] = [
  'repeat',
  'dataset',
  'shots',
  'temperature',
  'split',
  'step',
  'sample',
  'score',
  'input',
  'output',
  'expected',
  'choice',
  'finish',
]
