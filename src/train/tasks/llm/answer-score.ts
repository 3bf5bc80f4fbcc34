import { normaliseAnswer } from './normalise-answer.js'

/**
 * How right an answer is.
 * `vqa`: the accuracy of the VQA challenge (Antol et al. 2015): an answer that three of the other annotators gave is
 * fully right, averaged over leaving each annotator out. Fewer than four annotators could not give it 1, so then any
 * match counts. `exact`: any match. Both compare normalised answers.
 */
export type Metric = 'vqa' | 'exact'

export interface AnswerScore {
  readonly hard: number
  readonly soft: number
}

/** Two of ten annotators give 0.6, one 0.3: right means more than one person's word. */
const RIGHT_FROM = 0.5

export function scoreAnswer(metric: Metric, predicted: string, answers: readonly string[]): AnswerScore {
  const given = normaliseAnswer(predicted)
  const matches = answers.map(answer => normaliseAnswer(answer) === given)
  const soft = metric === 'vqa' && answers.length >= 4 ? vqaAccuracy(matches) : Number(matches.includes(true))
  return { hard: soft >= RIGHT_FROM ? 1 : 0, soft }
}

function vqaAccuracy(matches: readonly boolean[]): number {
  const agreeing = matches.filter(match => match).length
  const each = matches.map(match => Math.min(1, (agreeing - Number(match)) / 3))
  return each.reduce((sum, value) => sum + value, 0) / each.length
}

/** A model may go on after its answer, often with the next question: the answer is the first line that says something. */
export function firstLine(text: string): string {
  return text.split('\n').find(line => line.trim() !== '') ?? ''
}

/**
 * What the original's inference takes for the answer: all before the first Question, Answer or Short, then all before
 * the first comma with a space after it.
 */
export function cutAnswer(text: string): string {
  return text.split(/Question|Answer|Short/, 1)[0].split(', ', 1)[0]
}
