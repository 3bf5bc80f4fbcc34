/**
 * Experiments: checkpoints and endpoints, gyms, trainers, launch scripts, studies.
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */

// endpoint
export { openResponseCache } from './endpoint/cache.js'
export { EMBEDDING_FORMS, openEmbeddings } from './endpoint/embeddings.js'
export { type Ask, openEndpoint } from './endpoint/endpoint.js'
export { LOGPROB_APIS } from './endpoint/prompt-logprobs.js'
export { openToolEndpoint } from './endpoint/tools.js'
// gym
export { actionOf, type Episode, feedbackText, type GymTask, INTERACT } from './gym/gym.js'
export { EMBEDDED_USER, embeddedSimulator } from './gym/intention/embedded/embedded.js'
export { endpointSimulator, KLENS_PROMPTS } from './gym/intention/endpoint-simulator.js'
export { ownTasks, TASK_SPLITS } from './gym/intention/own/tasks.js'
export { PROBE_KINDS, type Probe, type ProbeKind, probesOf } from './gym/intention/probes.js'
export { readTasks } from './gym/intention/read-tasks.js'
export type { Judgement, Simulator } from './gym/intention/simulator.js'
export { promptsNamed } from './gym/intention/userrl-prompts.js'
export { isFit, measureJudge } from './gym/judged/probes.js'
export { type EndpointAsks, endpointPolicy } from './gym/policies/endpoint.js'
export type { Policy } from './gym/policy.js'
export { GYM_NAMES, type GymName, openScene } from './gym/registry.js'
export { replay } from './gym/replay.js'
export {
  type Dialogue,
  type DialogueFigures,
  figuresOf,
  playDialogue,
  transcript,
} from './gym/rollout.js'
export type { Scene, SceneRequest, TaskFacts } from './gym/scene.js'
// launch
export type { Amounts } from './launch/amounts.js'
export { launchCost } from './launch/cost.js'
export { parseOverride } from './launch/hydra/override.js'
export { type Launch, type LaunchSetting, settingsByKey } from './launch/launch.js'
export { launchObjective } from './launch/launch-objective.js'
export { type LaunchFinding, type Preflight, preflightLaunch } from './launch/preflight.js'
export { readLaunch } from './launch/read-launch.js'
export type { SimulatorState } from './launch/rule.js'
export { schemaName } from './launch/schema/schema.js'
// study
export { compareConfigs } from './study/adopt.js'
export { type Cell, costOf, openSuspicions, reasonText, type Suspicion, shownState, valuesByArm } from './study/cell.js'
export { proposeDrops } from './study/drop.js'
export {
  type CellEvaluator,
  type CellToEvaluate,
  type PromptAsker,
  refuseUnrunnable,
  type Scoring,
  type Stopped,
  type StudyEngine,
  withStudyLease,
} from './study/engine/engine.js'
export { evaluateTrials } from './study/engine/evaluate.js'
export { runStudy } from './study/engine/run.js'
export { searchIn, searchStudy } from './study/engine/search.js'
export { settleStudy } from './study/engine/settle.js'
export { stopJobs } from './study/engine/stop.js'
export type { DialogueCondition, SelectorCondition } from './study/evaluations/plan-evaluations.js'
export type { EvaluationRecord } from './study/evaluations/records.js'
export {
  type EpochAnswer,
  type EvaluationEvent,
  epochAnswer,
  type Introduction,
  type StartedTraining,
  type StudyEvent,
  type TrainEvent,
  type TrainedAnswer,
  type TrialEnd,
  trainedAnswer,
  trainedSchema,
} from './study/events.js'
export type { Host } from './study/executor/local.js'
export { trainingPool } from './study/executor/pool.js'
export { jobRecords } from './study/executor/records.js'
export { studyFromRuns, studyTemplate } from './study/file/draft.js'
export { changesSince, designHash, frozenStudies, readFrozen } from './study/file/frozen.js'
export type { ReadStudy } from './study/file/read.js'
export { judgeStudy } from './study/judgement.js'
export {
  type AdoptedRun,
  keepAcknowledged,
  keepAdopted,
  keepArm,
  keepDrop,
  readAdopted,
  readDropLedger,
  studyFolder,
} from './study/ledger.js'
export {
  baselineOf,
  type OpenedStudy,
  openFrozen,
  type PlannedStudy,
  planStudy,
  planStudyText,
  planToLook,
} from './study/plan/plan-study.js'
export { shownCommand } from './study/program/command.js'
export type { Examiner } from './study/program/preflight.js'
export { checkpointAt } from './study/program/trial-folder.js'
export { allowPrograms, studyPrograms } from './study/program/trust.js'
export { runBeside } from './study/services/beside.js'
export { keepService } from './study/services/keep.js'
export { armsToSettle, buysPrompts, hasRivals } from './study/settle/settled-arms.js'
export { readCells, readStatus, readWholeStatus } from './study/status/status.js'
export { type StopRule, stopRules } from './study/stop-rules.js'
export { type StudyStage, type Trial, type TrialCheckpoint, trialsOf } from './study/trial.js'
export { announcedStops, stoppedAt, stopTraining, veto } from './study/watch/act.js'
export { type Glance, glanceAt } from './study/watch/glance.js'
export { type Machine, machineUnder } from './study/watch/machine.js'
export { type Notifier, notifierFor, runHook, targetFrom, wordsOf } from './study/watch/notify.js'
export { type Memory, newMemory, observe, QUIET_SECONDS, type WatchEvent } from './study/watch/observe.js'
// train
export { type AnyTrainConfig, byConstruction, epochsOf } from './train/config/any.js'
export { type DescribedSetting, trainSettings } from './train/config/describe.js'
export { canonicalJson, configHash, flatConfig } from './train/config/hash.js'
export type { IntentionConfig } from './train/config/language-settings.js'
export { readTrainConfig, typedValue } from './train/config/read.js'
export { isOutside, outsideAmong, type TrainConfig } from './train/config/selector-settings.js'
export {
  agreementsAmong,
  choiceSpread,
  type Evaluated,
  evaluateCheckpoint,
  evaluatedSplit,
  isBlind,
  type PairAgreement,
} from './train/evaluate.js'
export { generateData } from './train/generate-data.js'
export { searchBeams } from './train/info-beams.js'
export { introduction, openGymSetup } from './train/intention/gym-setup.js'
export { checkpointPolicy } from './train/intention/policy.js'
export { intentionTraining } from './train/intention/training.js'
export { type LoadedCheckpoint, loadCheckpoint } from './train/load-checkpoint.js'
export { loadLanguageCheckpoint, loadStart, startingSettings } from './train/load-start.js'
export { keyIn, openTask } from './train/open-task.js'
export { lineageOf, SOURCE, sameTrainings } from './train/run/lineage.js'
export { runTraining } from './train/run/run-training.js'
export { selectorTraining } from './train/run/selector-training.js'
export type { Begin, Trainable } from './train/run/trainable.js'
export { parameterCount } from './train/session.js'
export { type GridRequest, gridOf, type PlannedTraining } from './train/sweep/grid.js'
export type { FromWorker, ToWorker } from './train/sweep/messages.js'
export { trainAssigned } from './train/sweep/worker.js'
export { EMBEDDED_PARTS, embedItems, rowsForItems } from './train/tasks/llm/embed-items.js'
export { readItems } from './train/tasks/llm/items.js'
export { vqaItems } from './train/tasks/llm/vqa-files.js'
export { type Baseline, checkPools, checkShots, queriesOf, scoreOf, type Task } from './train/tasks/task.js'
// weights
export { convertWeights } from './weights/convert.js'
export { diffWeights } from './weights/diff.js'
export { withWeights } from './weights/open.js'
export { writeSafetensors } from './weights/safetensors.js'
export { contentHash, elementCount, type Tensor } from './weights/tensor.js'
export { writeTorch } from './weights/torch-write.js'
