/**
 * Mathematics: numbers in, numbers out.
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */
export { bestOf, bestOnSharedPrompts, comparisonsWithBest, heldOutBest } from './best-of-several.js'
export { differenceEvidence, withinEvidence } from './betting-martingale.js'
export { changePoint, FEWEST_FOR_CHANGE, type LevelShift } from './change-point.js'
export { type Decline, decline, FEWEST_FOR_DECLINE } from './decline.js'
export { detrended, greatest, mean, median, quantile, standardDeviation, variance } from './descriptive.js'
export { binomialCdf, normalCdf, normalQuantile, studentCdf, studentQuantile } from './distributions.js'
export { type DoseCell, doseDifference, doseTrend } from './dose-response.js'
export {
  binomialCoefficient,
  farthestGroupP,
  fisherP,
  type McNemar,
  mcnemar,
  rankSumP,
  studentisedPermutationP,
} from './exact-tests.js'
export { type GaussianProcess, gaussianProcess, type Hyperparameters, type SurrogatePoint } from './gaussian-process.js'
export { INTERIM_ANALYSES, type InterimAnalysis, type Spending, spendingBounds, twoStageP } from './group-sequential.js'
export {
  clusteredMean,
  clusteredStandardError,
  clusterSums,
  majorityScore,
  meanOverTasks,
  passAtK,
  shareInterval,
  type TaskMean,
} from './item-mean.js'
export { liveFall } from './live-fall.js'
export { localLevel } from './local-level.js'
export { benjaminiHochberg, HEADLINE_SHARE, headlinesFirst, holm, stepDown } from './multiplicity.js'
export { FEWEST_EVALUATIONS, type GapMean, gapMean, type PairedMean, pairedMean } from './paired-mean.js'
export { guardedMean, PROMPTS_FOR_T, type PromptDifference, promptDifference } from './prompt-difference.js'
export { newcombe, wilson } from './proportion.js'
export { type Random, type RandomState, seededRandom, shuffled } from './random.js'
export { ridgeWeights, rowDot, type SparseRow } from './ridge.js'
export {
  add,
  canMeet,
  divide,
  exactly,
  hull,
  meanIsPossible,
  multiply,
  type NumberRange,
  printedRange,
  subtract,
} from './rounding.js'
export {
  equivalenceReachOf,
  evaluationsNeeded,
  pairedPrompts,
  promptsForEquivalence,
  reachOf,
  roughlyNeeded,
  type SampleSizeAim,
  seedsForDifference,
  seedsForEquivalence,
  smallestShown,
  unpairedPrompts,
  upperScatter,
  varianceOfComparison,
} from './sample-size.js'
export { ENOUGH_EVIDENCE } from './sign-martingale.js'
export { chanceOfGrowth, forecastGrowth, type GrowthForecast, halfWidthAt, type KnownCurve } from './similar-growth.js'
export { spikeSlabPosterior } from './spike-slab.js'
export { meanDeviation, neighbourDeviations, spreadRatio } from './stability.js'
export {
  type Equivalence,
  equivalence,
  type Interval,
  interquartileMean,
  intervalOf,
  probabilityOfImprovement,
  pValueOf,
  type StudentEstimate,
  smallestMargin,
  welch,
} from './student-estimate.js'
export { commonLevel, crossing, crossingDifference, REDRAWS, type SoonerOdds, soonerOdds } from './time-to-level.js'
export { jitter, type Trend, trend } from './trend.js'
export { typicalVariance } from './typical-variance.js'
export { valueOfInformation } from './value-of-information.js'
