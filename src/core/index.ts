/**
 * Runs that are kept (`store`), what they answer (`analysis`), what is wrong with them (`diagnosis`), and how answers are drawn and put into words (`charts`, `present`).
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */

// analysis
export { condition } from './analysis/answer-fields.js'
export { rankedCheckpoints, rankRun } from './analysis/checkpoints/rank-run.js'
export { compareRuns } from './analysis/compare/compare-runs.js'
export { countersOf, type RunSide, sideOf } from './analysis/compare/evidence.js'
export { isPaidDifferently } from './analysis/compare/paid-differently.js'
export { type CompareAnswer, type ComparisonResult, comparisonSchema } from './analysis/compare/result.js'
export { sharedMetrics } from './analysis/compare/shared-metrics.js'
export type { ComparisonSpec } from './analysis/compare/specification.js'
export { workspaceRuns } from './analysis/compare/workspace-noise.js'
export { confounds, numericFactor } from './analysis/confounds.js'
export { RUNS_FOR_CONFIGS, withoutCopies } from './analysis/conventions.js'
export { decideAmongRuns, decisionAmongRuns } from './analysis/decide/candidates.js'
export { type Aim, aim } from './analysis/decide/decide.js'
export { differingSettings } from './analysis/differing-settings.js'
export { isEvaluation } from './analysis/evaluations/evaluation-run.js'
export { type TaskMeanAnswer, taskMean } from './analysis/evaluations/result.js'
export { tasksOf } from './analysis/evaluations/task-items.js'
export { meanOfTask } from './analysis/evaluations/task-means.js'
export { type ExpectedEnd, expectedEnd } from './analysis/expected-end.js'
export { forecastAnswer, forecastRun } from './analysis/forecast/answer.js'
export { frontierAmong, frontierAnswer, frontierOf } from './analysis/frontier/answer.js'
export { klAxis } from './analysis/frontier/kl-axis.js'
export type { KlPoint } from './analysis/frontier/legs.js'
export { klLevel, pathOf } from './analysis/frontier/paths.js'
export { passesPeak, type SeenPeak } from './analysis/frontier/seen-peak.js'
export type { FrontierRun } from './analysis/frontier/setting.js'
export { bestWithin } from './analysis/frontier/within.js'
export { peakSeenBy } from './analysis/frontier/workspace-peak.js'
export { gateAnswer, gateStatusAnswer, statusOf } from './analysis/gate/answer.js'
export { lookAtCandidate } from './analysis/gate/look.js'
export { judgedBy } from './analysis/goal.js'
export { growthOf, standingOf } from './analysis/growing.js'
export { integrity, readingRemarks } from './analysis/integrity.js'
export { judgeFigures } from './analysis/judge-figures.js'
export { meaningIn, metricMeaning } from './analysis/metric-meaning.js'
export { whyNone } from './analysis/none-found.js'
export { objectiveCard, objectiveSchema } from './analysis/objective/card.js'
export { isAsynchronous, takesOldFromSampler, updatesPerBatch } from './analysis/objective/updates.js'
export { extremesOf, isInside, originPoint, originsOf, pointsWithin } from './analysis/origin.js'
export { makePlan, planAnswer } from './analysis/plan/answer.js'
export { knownNoise, noiseAtHand } from './analysis/plan/noise.js'
export { detectableWithEvaluations, detectableWithPrompts } from './analysis/plan/plan.js'
export { scoreIn } from './analysis/run-scores.js'
export {
  CONDITION_OPERATORS,
  chosenRuns,
  groupedBy,
  type RunCondition,
  type TableRun,
  tableValue,
} from './analysis/run-table.js'
export { onEverySet, type RunView, viewRun } from './analysis/run-view.js'
export { findRollouts, rolloutsAnswer } from './analysis/samples/rollouts.js'
export type { sampleText } from './analysis/samples/sample-text.js'
export { answerSamples, samplesAnswer } from './analysis/samples/samples.js'
export { type NamedSide, selectSamples } from './analysis/samples/select.js'
export { outlinesAlong } from './analysis/series-along.js'
export { exactPoints, ranges, type Window } from './analysis/series-outline.js'
export { answerSweep, keyThatDiffers, type RunSweep, sweepAnswer, sweepRuns } from './analysis/sweep/answer.js'
export { type UnknownName, type UnknownNames, unknownNames, unknownNamesSchema } from './analysis/unknown-names.js'
// charts
export type {
  Chart,
  ChartFinding,
  ChartSeries,
  CurveMark,
  Envelope,
  Extent,
  Panel,
  ProgressUnit,
} from './charts/chart.js'
export { doseChart } from './charts/dose.js'
export { cellFacts } from './charts/heatmap.js'
export { type Drawing, type LayoutOptions, layout, type PlacedPanel } from './charts/layout.js'
export { type ParallelRun, parallelChart } from './charts/parallel.js'
export { rankingChart } from './charts/ranking.js'
export { readingsAt, toCsv } from './charts/readings.js'
export { type AxisScale, pixelAt, progressText, valueAt } from './charts/scale.js'
export { type Area, type ChartReading, CORNERS, outline, type Shape } from './charts/shapes.js'
export { toSvg } from './charts/svg.js'
export { FONT, HEAT, lookOf, paint, type Scheme } from './charts/theme.js'
// diagnosis
export { diagnose } from './diagnosis/diagnose.js'
export {
  type Diagnosed,
  type DiagnosisProgress,
  diagnosedRuns,
  diagnoseRuns,
  evidenceSchema,
  findingSchema,
  runHealth,
  summariseDiagnoses,
  summariseHealth,
} from './diagnosis/diagnosed-runs.js'
export {
  byGravity,
  type CannotSay,
  cannotSay,
  type DeclaredRule,
  declareRule,
  type Examination,
  examineBy,
  type Limits,
  type Outcome,
  type RuleFacts,
  type RuleVoice,
  type Seen,
  type Thresholds,
  threshold,
  type Untreated,
} from './diagnosis/rule.js'
export { workspaceHealth } from './diagnosis/workspace-health.js'
// present
export { auditBlocks, auditRuleBlocks } from './present/audit.js'
export { block } from './present/block-schema.js'
export {
  type Block,
  columnCount,
  type FindingItem,
  type Inline,
  inlineText,
  list,
  numericColumns,
  paragraph,
  table,
  toned,
} from './present/blocks.js'
export { checkpointsBlocks } from './present/checkpoints.js'
export {
  comparisonBlocks,
  decimalsIn,
  differenceTitle,
  judgementBlocks,
  questionBlocks,
  rowDecimals,
  rowDifference,
  settingsLine,
  summaryBlocks,
  warningBlocks,
} from './present/comparison.js'
export { answerCharts, differenceChartOf, intervalsChartOf } from './present/comparison-charts.js'
export { decisionBlocks } from './present/decision.js'
export { diagnosisBlocks } from './present/diagnosis.js'
export { evaluationBlocks, gymCheckBlocks, gymEvalBlocks, gymJudgeBlocks, replayBlocks } from './present/evaluation.js'
export { isWritable, sourceComment, sourcesIn } from './present/figure-source.js'
export { fillBlocks } from './present/fill.js'
export { forecastBlocks, forecastWords } from './present/forecast.js'
export { frontierBlocks, frontierWords } from './present/frontier.js'
export { gateBlocks, gateStatusBlocks, gateWords } from './present/gate.js'
export { goalsBlocks } from './present/goals.js'
export { blocksHtml, escaped, htmlPage } from './present/html.js'
export { importBlocks } from './present/import.js'
export { blocksMarkdown } from './present/markdown.js'
export { meaningBlocks } from './present/meaning.js'
export { objectiveBlocks, objectiveTitle } from './present/objective.js'
export { originBlocks } from './present/origin.js'
export { planBlocks } from './present/plan.js'
export { preflightBlocks } from './present/preflight.js'
export type { Report } from './present/report/frame.js'
export { type KeptReport, keepReport, keptHtml, keptReports, readKept } from './present/report/kept.js'
export { makeReport, type ReportSubject } from './present/report/make.js'
export { memoryIn, type Recipe, recipeIn } from './present/report/memory.js'
export type { SweepInput } from './present/report/sweep.js'
export { reportText, writeReport } from './present/report/write.js'
export { rolloutFacts, rolloutsBlocks, scoreOverSteps } from './present/rollouts.js'
export { runsBlocks, scoreTitle } from './present/runs.js'
export { samplesBlocks, samplesSummary } from './present/samples.js'
export { showBlocks } from './present/show.js'
export { type Speaker, speakerIn } from './present/speaker.js'
export type { StudyFacts, StudyVerdict, TrialFacts } from './present/study/facts.js'
export {
  adoptBlocks,
  dropBlocks,
  droppedText,
  evaluatedBlocks,
  programBlocks,
  runBlocks,
  searchBlocks,
  stopBlocks,
} from './present/study/run.js'
export { lookText, offersText, settledBlocks, settlingBlocks } from './present/study/settle.js'
export { statusBlocks } from './present/study/status.js'
export { armVerdictBlocks, dropText, stateText } from './present/study/words.js'
export { sweepBlocks } from './present/sweep.js'
export { terminalLines } from './present/terminal.js'
export { alignTable, displayWidth, pad, printable, shortNumber, shortStep, wrapped } from './present/terminal-text.js'
export { resumedText, startedBlocks, trainedBlocks } from './present/training.js'
export { aroundText, differenceOf, verdictPart, verdictSentence } from './present/verdict.js'
export { vocabularyBlocks } from './present/vocabulary.js'
export { weightsBlocks, weightsConvertBlocks, weightsDifferenceBlocks } from './present/weights.js'
// store
export { makeFileAtomically, writeFileAtomically } from './store/atomic.js'
export { listRuns, loadRun, pointCount, type RunEntry, stepRange } from './store/catalogue.js'
export { checksumOfFile } from './store/checksum.js'
export { comparisonNote, keepComparisonNote } from './store/comparison-notes.js'
export { problemOf, storeProblem, unreadable } from './store/disk-problem.js'
export { checkRun, checkStore, type RunCheck } from './store/doctor.js'
export { QueryError, sqlFiles } from './store/duck.js'
export { outlineSeries, regularities } from './store/envelope.js'
export { readEvaluations } from './store/evaluations.js'
export {
  type AboutRun,
  distinctColumns,
  type ExportFormat,
  exportPoints,
  exportRunRows,
  exportStepRows,
} from './store/export.js'
export { follow } from './store/follow.js'
export { writeGoal } from './store/goal-file.js'
export { type ImportProgress, importLogs } from './store/ingest.js'
export { type Lease, nullWhenMissing, takeLease, workerOn } from './store/lease.js'
export { livePath } from './store/live-file.js'
export { listLoops, lookAtLoop, readLoop } from './store/loop-ledger.js'
export { changeRun, removeRun } from './store/manage.js'
export {
  listedFiles,
  type Manifest,
  type MetricRecord,
  meanOf,
  RUN_FILE,
  shownName,
  wholeConfig,
} from './store/manifest.js'
export { manifestPath, parseManifest, readManifest } from './store/manifest-file.js'
export { imageOf, mediaOf } from './store/media.js'
export { type LoggedNumber, linesOf } from './store/origin.js'
export { keptView, readView, writeView } from './store/panels-file.js'
export {
  birthOf,
  isAlive,
  isGroupAlive,
  isStillRunning,
  type LocalProcess,
  processNumbered,
  signalProcess,
} from './store/process.js'
export { type Repair, repairRun } from './store/repair.js'
export { type Resolution, resolver } from './store/resolve.js'
export { ROLLOUT_ORDERS } from './store/rollouts.js'
export { RunWriter } from './store/run-writer.js'
export { readSamples } from './store/samples.js'
export { type LoadedRun, readSeries, type SeriesPoints, seriesInPieces } from './store/series.js'
export { readSampleTexts } from './store/texts.js'
export { keepUnkept, unkeptRuns } from './store/unkept.js'
export { loadVocabulary, metricsNamed } from './store/vocabulary.js'
export { editVocabulary } from './store/vocabulary-file.js'
export { cacheFolder, openWorkspace, runFolder, type Workspace, workspaceAt } from './store/workspace.js'
