import { z } from 'zod'
import { list, pair } from '../../logs/model/schema.js'
import { sentence } from '../../text/answer-schema.js'
import type { WorkspaceVocabulary } from '../store/vocabulary.js'
import type { Workspace } from '../store/workspace.js'
import { type KeyedVerdict, keyedVerdict } from './answer-fields.js'
import { compareRuns } from './compare/compare-runs.js'
import type { RunSide } from './compare/evidence.js'
import type { ComparisonSpec } from './compare/specification.js'

/**
 * Which of two settings, or of two runs, is better: what `klens compare` of the two says. Whatever else is said of a pair,
 * by a decision, a report or a page, comes from here, so that no two of them can disagree.
 */
export const pairJudgement = z.object({
  verdict: keyedVerdict,
  /** What to take if the choice cannot wait, how likely it is the better one, and what is lost where it is not. */
  choose: z
    .object({
      side: z.string(),
      probability: z.number(),
      lossIfWrong: z.number(),
      gainIfRight: z.number(),
      error: z.number(),
      assumption: sentence,
      sentence,
    })
    .nullable(),
  /** Evaluations that are there already and were not used. */
  unused: list(sentence),
  /** Runs of the baseline and of the other. */
  seeds: pair(z.number()),
})

export type PairJudgement = z.infer<typeof pairJudgement>

/** Null where the two share no such metric. */
export async function judgePair(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  [baseline, other]: readonly [RunSide, RunSide],
  asked: ComparisonSpec,
): Promise<PairJudgement | null> {
  const compared = await compareRuns(workspace, words, [baseline, other], asked)
  if (compared === null) return null
  const [{ headline, choose, unused }] = compared.others
  const verdict: KeyedVerdict = compared.verdicts[headline]
  return { verdict, choose, unused, seeds: [baseline.runs.length, other.runs.length] }
}

/** What is given away on average by taking one side today, in the metric's unit; null where nothing tells. */
export function expectedLossOf({ choose }: Pick<PairJudgement, 'choose'>, taken: string): number | null {
  if (choose === null) return null
  const { side, probability, lossIfWrong, gainIfRight } = choose
  return side === taken ? (1 - probability) * lossIfWrong : probability * gainIfRight
}
