import { stepConsole } from './console/step-console.js'
import { trainerConsole } from './hugging-face/console.js'
import { trainerState } from './hugging-face/trainer-state.js'
import { inspectLog } from './inspect/inspect.js'
import { leverChoices } from './lever/choices.js'
import { leverConsole } from './lever/console.js'
import { leverScores } from './lever/scores.js'
import { lmEvalResults, lmEvalSamples } from './lm-eval/lm-eval.js'
import { mlflowDatabase } from './mlflow/database.js'
import { mlflowFiles } from './mlflow/files.js'
import { neptune } from './neptune/neptune.js'
import { npz } from './npz/npz.js'
import { openaiEvals } from './openai-evals/openai-evals.js'
import { openrlhfConsole } from './openrlhf/console.js'
import { optuna } from './optuna/optuna.js'
import { report } from './report/report.js'
import { completions, completionsParquet } from './samples/completions.js'
import { rollouts } from './samples/rollouts.js'
import { samples } from './samples/samples.js'
import type { Source } from './source.js'
import { swanlabBoard } from './swanlab/board.js'
import { swanlab } from './swanlab/swanlab.js'
import { csv } from './table/csv.js'
import { jsonl, jsonTable } from './table/json.js'
import { tensorboard } from './tensorboard/tensorboard.js'
import { trackioInbox } from './trackio/inbox.js'
import { trackio } from './trackio/trackio.js'
import { userrlResults, userrlRewardCache } from './userrl/evaluation.js'
import { verifiersResults, verifiersTraces } from './verifiers/verifiers.js'
import { verlConsole } from './verl/console.js'
import { verlJsonl } from './verl/jsonl.js'
import { wandb } from './wandb/wandb.js'
import { wandbChart } from './wandb-export/chart.js'
import { wandbParquet } from './wandb-export/parquet.js'

/**
 * Every format that klens reads. The first that recognises a file reads it, so the particular come before the general:
 * a table (CSV, JSONL, JSON) is whatever nobody knows better, and a report whatever else is text. Within the particular
 * four pairs depend on their order: results of verifiers look like completions, completions hold scores of samples too, both Parquet sources recognise any Parquet
 * file, and Ray's prefix alone, by which a verl console is known before its first step, stands in OpenRLHF's as well.
 * registry.test.ts holds every pair that a file can be contested between.
 */
export const sources: readonly Source[] = [
  // Known by their first bytes, or by the tables of a database.
  wandb,
  swanlab,
  tensorboard,
  mlflowFiles,
  mlflowDatabase,
  trackio,
  swanlabBoard,
  optuna,
  npz,
  completionsParquet,
  neptune,
  wandbParquet,
  // Tables of a particular kind.
  wandbChart,
  trackioInbox,
  inspectLog,
  lmEvalResults,
  lmEvalSamples,
  rollouts,
  verifiersResults,
  verifiersTraces,
  openaiEvals,
  completions,
  samples,
  verlJsonl,
  leverScores,
  leverChoices,
  trainerState,
  userrlRewardCache,
  userrlResults,
  // What programs print.
  leverConsole,
  openrlhfConsole,
  verlConsole,
  trainerConsole,
  stepConsole,
  // Tables of any kind, and prose with tables.
  jsonl,
  csv,
  jsonTable,
  report,
]
