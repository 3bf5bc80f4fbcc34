import { report } from './report/report.js'
import type { Source } from './source.js'
import { csv } from './table/csv.js'
import { jsonTable } from './table/json.js'
import { jsonl } from './table/jsonl.js'
import { samples } from './table/samples.js'
import { tensorboard } from './tensorboard/tensorboard.js'
import { trainerState } from './trainer-state.js'
import { verlConsole } from './verl/console.js'
import { verlJsonl } from './verl/jsonl.js'
import { wandb } from './wandb/wandb.js'

/** Every format that klens reads. The first that recognises a file reads it, so the particular come before the general. */
export const sources: readonly Source[] = [
  wandb,
  tensorboard,
  samples,
  verlJsonl,
  verlConsole,
  trainerState,
  jsonl,
  csv,
  jsonTable,
  report,
]
