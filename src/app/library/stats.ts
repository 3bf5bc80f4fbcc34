/**
 * `klens/stats`: the statistics that verdicts rest on, as functions of numbers (docs/library.md). Listed is what makes sense
 * without klens, under its textbook name; the error rates that were measured stand in docs/statistics.md.
 */
export { differenceEvidence, withinEvidence } from '../../stats/betting-martingale.js'
export { changePoint, type LevelShift } from '../../stats/change-point.js'
export { fisherP, type McNemar, mcnemar, rankSumP, studentisedPermutationP } from '../../stats/exact-tests.js'
export { type Spending, spendingBounds } from '../../stats/group-sequential.js'
export { benjaminiHochberg, holm } from '../../stats/multiplicity.js'
export { FEWEST_EVALUATIONS, type PairedMean, pairedMean } from '../../stats/paired-mean.js'
export { type PromptDifference, promptDifference } from '../../stats/prompt-difference.js'
export { newcombe, wilson } from '../../stats/proportion.js'
export {
  pairedPrompts,
  promptsForEquivalence,
  type SampleSizeAim,
  seedsForDifference,
  seedsForEquivalence,
  smallestShown,
  unpairedPrompts,
} from '../../stats/sample-size.js'
export { ENOUGH_EVIDENCE } from '../../stats/sign-martingale.js'
export {
  type Equivalence,
  equivalence,
  type Interval,
  interquartileMean,
  intervalOf,
  probabilityOfImprovement,
  pValueOf,
  type StudentEstimate,
  welch,
} from '../../stats/student-estimate.js'
export { type Trend, trend } from '../../stats/trend.js'
