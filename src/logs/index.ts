/**
 * Logs: what a run is and what its metrics mean (`model`), text and tables of documents (`document`), and a reader for each format (`sources`).
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */

// document
export {
  type Cell,
  type ReportDocument,
  readDocument,
  type Section,
  type Statement,
  type Table,
  titlesAbove,
} from './document/document.js'
export { htmlAsMarkdown, isHtml } from './document/html.js'
export { linesOf, markdownBlocks } from './document/markdown.js'
export { everyMatch } from './document/matches.js'
export {
  cellValue,
  isDifferenceName,
  type Line,
  linesOfMatrix,
  type Matrix,
  type MatrixAxis,
  mainQuantity,
  matrixOf,
  type Point,
} from './document/matrix.js'
export { lastAtMost, placesIn } from './document/places.js'
export { countAt, type Quantity, readTokens, type StepMark, type Stretch } from './document/quantity.js'
export { forgetTexts, rememberedText } from './document/remembered.js'
// model
export { AXES, type Axis, lengthOn, placeOn } from './model/axis.js'
export {
  dialogueScores,
  dialogueText,
  type KeptTurn,
  roundedAsInPython,
  sharedAdvantages,
  sumOfRewards,
  TRAJECTORY_SCORES,
  type TrajectoryScore,
  TURN_CREDITS,
  type TurnCredit,
  trajectoryScore,
  turnCredits,
} from './model/dialogue.js'
export {
  type Condition,
  EVALUATION_SOURCES,
  type EvaluatedMetric,
  type Evaluation,
  evaluatedName,
  type ItemColumns,
  isNamed,
  isSameCondition,
  type SampleScores,
  type SampleTexts,
} from './model/evaluation.js'
export type { LogPosition, Row, RunEvent } from './model/events.js'
export type { Evidence, Finding, Severity } from './model/finding.js'
export type { NamesByMeaning } from './model/frameworks/framework.js'
export { FRAMEWORK_DATA } from './model/frameworks/registry.js'
export { idFromHash, newId, sha256 } from './model/id.js'
export {
  encodeJson,
  isJsonObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  jsonNumber,
  numberFromJson,
} from './model/json.js'
export type { Checkpoint, CheckpointIdentity, Lineage } from './model/lineage.js'
export { attempt, Problem, type ProblemCode, sentencesOf } from './model/problem.js'
export {
  type Config,
  type Message,
  QUALITIES,
  type Quality,
  type RunAbout,
  type RunStatus,
  type Segment,
} from './model/run.js'
export { isExpression, searchMatcher } from './model/run-search.js'
export { sarifLog, sarifPlace } from './model/sarif.js'
export { figure, json, list, pair } from './model/schema.js'
export { storedMessage } from './model/stored-message.js'
export {
  type ArmAnswer,
  adoptAnswer,
  type CellAnswer,
  dropAnswer,
  evalAnswer,
  type Offer,
  type ProgramsAnswer,
  runAnswer,
  type SearchAnswer,
  type SettleResult,
  type StoppedJob,
  type StudiesAnswer,
  type StudyAdoptAnswer,
  type StudyCellView,
  type StudyDropAnswer,
  type StudyRunAnswer,
  type StudySearchAnswer,
  type StudySettleAnswer,
  type StudyStatusAnswer,
  type StudyStep,
  type StudyStopAnswer,
  type StudyViewAnswer,
  searchAnswer,
  settleAnswer,
  statusAnswer,
  stopAnswer,
  studiesAnswer,
  studyViewAnswer,
} from './model/study/answers.js'
export { STATES, type TrialState } from './model/study/state.js'
export {
  type ArmLook,
  type ArmVerdict,
  costSchema,
  type Design,
  type Drop,
  type DropEvidence,
  dropSchema,
  type FinalVerdict,
  finalVerdictSchema,
  type PromptLook,
  type SeedLook,
  type Settling,
  type StudyCost,
  settlingSchema,
  type WithinKl,
  withinKlSchema,
} from './model/study/terms.js'
export { type TokenScore, tokenScoresIn, tokenScoresText } from './model/token-scores.js'
export { builtFile } from './model/util/built-file.js'
export { groupBy } from './model/util/group-by.js'
export { liesWithin } from './model/util/lies-within.js'
export { memoByObject, memoByText, memoOfLast, once } from './model/util/memo.js'
export { fitsPattern } from './model/util/pattern.js'
export { isTangled, parseYaml } from './model/util/yaml.js'
export {
  ANSWERS,
  type Answer,
  type Method,
  type MethodId,
  type Scope,
  type ToSettle,
  type Verdict,
  type VerdictAnswer,
  type VerdictQuestion,
  verdictSchema,
} from './model/verdict.js'
export { CONFIG_KEYS, type ConfigRow } from './model/vocabulary/config-keys.js'
export { type Configured, configuredSettings, settingNamed } from './model/vocabulary/config-lookup.js'
export { isNothing, numberOf, plainValue, truthOf } from './model/vocabulary/config-value.js'
export { detectFramework } from './model/vocabulary/detect.js'
export {
  type EffectiveKl,
  effectiveKl,
  isFlagMissing,
  isRloo,
  KL_COEFFICIENTS,
  type KlPath,
  klSettings,
} from './model/vocabulary/effective-kl.js'
export { BASE_OF, FRAMEWORK_NAMES, type Framework } from './model/vocabulary/framework.js'
export { isIdentityKey, isSeedKey } from './model/vocabulary/identity.js'
export { goalSchema, type JudgedBy } from './model/vocabulary/judged-by.js'
export { type Goal, goalByName, type MetricMeaning } from './model/vocabulary/metric.js'
export { ROWS } from './model/vocabulary/metric-index.js'
export { comparableName } from './model/vocabulary/names.js'
export { noMeaningOf } from './model/vocabulary/no-meaning.js'
export { type LoggedRange, type MeaningProposal, proposeMetric, proposeSetting } from './model/vocabulary/propose.js'
export { meaningOf, rawNamesFor, type Vocabulary, vocabularyFor } from './model/vocabulary/resolve.js'
export type { ScoreSeries } from './model/vocabulary/roles.js'
export {
  bestCandidates,
  firstOfEachSet,
  type GoalCandidate,
  goalOfRun,
  placeOf,
  type RunGoal,
  setOf,
  sortByRank,
  type UserGoal,
} from './model/vocabulary/run-goal.js'
export { type RunSetting, settingsOf, validationSize } from './model/vocabulary/settings.js'
export { closestWord, namesNear } from './model/vocabulary/suggest.js'
export { paidParts, scorersIn, type TrainedPart } from './model/vocabulary/training-reward.js'
export { isReleasedBefore, trapsFor, trapsOfRelease } from './model/vocabulary/traps.js'
export { parseUserVocabulary, type UserVocabulary } from './model/vocabulary/user.js'
export { editUserVocabulary, type VocabularyEdit } from './model/vocabulary/user-edit.js'

// sources
export { readConfigFile } from './sources/config/config-file.js'
export { readPythonLiteral } from './sources/console/python-literal.js'
export { differingSetting } from './sources/differing-setting.js'
export { type Discovery, discover, prefixMetrics, tablePrefix } from './sources/discover.js'
export { decodeText } from './sources/encoding.js'
export { type FileLine, linesAround } from './sources/lines-around.js'
export { imageType, type LoggedMedia, type SystemSeries } from './sources/media.js'
export { isTelling, plainName } from './sources/metric-names.js'
export { asOne, asOneTraining, rememberedRows, underId } from './sources/one-training.js'
export { isParquet, parquetColumns, readParquet } from './sources/parquet/parquet.js'
export { PickleError } from './sources/pickle/cursor.js'
export { type PickledObject, type PickledReference, type PickleValue, readPickle } from './sources/pickle/read.js'
export { knownDigits, printedPrecision, SINGLE_PRECISION } from './sources/printed-precision.js'
export { flatten, parsePythonJson } from './sources/python-json.js'
export { type LoggedEvent, type LoggedRun, readRuns } from './sources/read-runs.js'
export { sources } from './sources/registry.js'
export { type FoundRun, idsOf, type RunFile } from './sources/run-identity.js'
export { SAMPLE_NAMES, SCORE_NAMES } from './sources/samples/shape.js'
export { type Hints, type Source, type SourceFile, TAIL_BYTES } from './sources/source.js'
export { isWrittenInOneGo, nameLists, sayCommon, warning } from './sources/source-helpers.js'
export { tensorboardImage, tensorboardMedia } from './sources/tensorboard/media.js'
export { bytesBefore, fileProblem, lastWritten, type Skipped, walk } from './sources/walk.js'
export { wandbImage, wandbMedia } from './sources/wandb/media.js'
