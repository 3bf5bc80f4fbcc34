import type { Verdict } from '../../logs/model/verdict.js'
import { seriesOf } from './align.js'
import type { ScoreEvidence } from './compare/evidence.js'
import { compareLevel } from './compare/level.js'
import type { QuestionSpec } from './compare/specification.js'

/** Two settings of which each run is one figure, such as the score of its last checkpoint: judged as a comparison judges settings. */
export function judgeFigures(
  asked: Omit<QuestionSpec, 'question'>,
  baseline: readonly number[],
  other: readonly number[],
): Verdict {
  const evidence = (figures: readonly number[]): ScoreEvidence => ({
    series: figures.map(figure => seriesOf([1], [figure])),
  })
  return compareLevel({ ...asked, question: 'final' }, evidence(baseline), evidence(other), {
    scope: 'configs',
    settling: false,
  })
}
