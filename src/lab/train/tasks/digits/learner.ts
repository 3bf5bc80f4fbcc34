import { type Digits, INK, LABELS, PIXELS } from './images.js'

/**
 * The in-context learner that digits are scored by. It knows nothing but the examples it is shown: it attends from
 * the query's image to theirs, by a softmax over similarity with one empty slot beside them, and answers with the
 * labels it attends to. What falls on the empty slot is spread evenly over the ten labels, so examples that look
 * nothing like the query leave it undecided:
 *   weight_i = exp((FAMILIAR − ‖query − example_i‖²) / SHARPNESS),  the empty slot has weight 1,
 *   p(label) = (Σ weight_i [label_i = label] + 1/10) / (Σ weight_i + 1).
 * It is fixed. Only the choice of examples can be learned.
 */

/**
 * In squared distance of pixels scaled to [0, 1], where two images of one digit are 5.1 apart and two of different digits
 * 9.7 (medians): an example at distance 6 weighs as much as the empty slot.
 */
const FAMILIAR = 6
const SHARPNESS = 3

export const LEARNER = { familiar: FAMILIAR, sharpness: SHARPNESS } as const

/** How strongly the learner attends to one image when it is asked about another. */
export function attention(digits: Digits, query: number, example: number): number {
  let squares = 0
  for (let pixel = 0; pixel < PIXELS; pixel += 1) {
    const difference = digits.pixels[query * PIXELS + pixel] - digits.pixels[example * PIXELS + pixel]
    squares += difference * difference
  }
  return Math.exp((FAMILIAR - squares / INK ** 2) / SHARPNESS)
}

export interface Example {
  readonly label: number
  readonly attention: number
}

/** The learner's probability of each label. */
export function answer(examples: readonly Example[]): Float64Array {
  const votes = new Float64Array(LABELS).fill(1 / LABELS)
  let total = 1
  for (const example of examples) {
    votes[example.label] += example.attention
    total += example.attention
  }
  return votes.map(vote => vote / total)
}

/**
 * The positions of the best examples for a right label: its p rises with the weight of each right example, falls with
 * that of each wrong one, and a right one in the place of a wrong one always raises it. So the best set is the right
 * ones with the most weight, then, if they run out, the wrong ones with the least. Exact; the test searches all sets.
 */
export function bestExamples(examples: readonly Example[], label: number, count: number): readonly number[] {
  const value = (position: number) => {
    const example = examples[position]
    return example.label === label ? example.attention : -example.attention
  }
  return examples
    .map((_, position) => position)
    .sort((a, b) => value(b) - value(a) || a - b)
    .slice(0, count)
}
