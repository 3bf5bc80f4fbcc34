import { completions } from './completions/completions.js'
import { completionsParquet } from './completions/completions-parquet.js'
import { leverChoices } from './lever/choices.js'
import { leverConsole } from './lever/console.js'
import { leverScores } from './lever/scores.js'
import { mlflow } from './mlflow/mlflow.js'
import { openrlhfConsole } from './openrlhf/console.js'
import { optuna } from './optuna/optuna.js'
import { report } from './report/report.js'
import type { Source } from './source.js'
import { swanlab } from './swanlab/swanlab.js'
import { csv } from './table/csv.js'
import { jsonTable } from './table/json.js'
import { jsonl } from './table/jsonl.js'
import { samples } from './table/samples.js'
import { tensorboard } from './tensorboard/tensorboard.js'
import { trackioInbox } from './trackio/inbox.js'
import { trackio } from './trackio/trackio.js'
import { trainerState } from './trainer-state.js'
import { verlConsole } from './verl/console.js'
import { verlJsonl } from './verl/jsonl.js'
import { wandb } from './wandb/wandb.js'
import { wandbChart } from './wandb-export/chart.js'
import { wandbParquet } from './wandb-export/parquet.js'

/** Every format that klens reads. The first that recognises a file reads it, so the particular come before the general. */
export const sources: readonly Source[] = [
  wandb,
  swanlab,
  tensorboard,
  wandbChart,
  mlflow,
  trackio,
  trackioInbox,
  optuna,
  completionsParquet,
  wandbParquet,
  completions,
  samples,
  verlJsonl,
  leverConsole,
  leverScores,
  leverChoices,
  openrlhfConsole,
  verlConsole,
  trainerState,
  jsonl,
  csv,
  jsonTable,
  report,
]
