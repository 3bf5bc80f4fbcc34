import { checkLaunch, type LaunchCheck } from './check-launch.js'
import { detectableDifference } from './detectable.js'
import { effectiveExperiment } from './experiment.js'
import { configOf, type Launch } from './launch.js'
import { atHome, readLaunchData } from './launch-data.js'
import type { LaunchSubject, SimulatorState } from './rule.js'
import { chooseSchema, type SchemaWish } from './schema/choose.js'

/** A launch, or one arm of a study (`withSettings`), put together with its data and its framework's settings, and judged. */

export interface Examination {
  /** A version of verl or a path to it; null: the one that is found, or fits. */
  readonly verl?: string | null
  /** Folders from which data and an installed verl are looked for, besides the script's own. */
  readonly folders?: readonly string[]
  readonly pythonPath?: readonly string[]
  readonly home?: string | null
  readonly until?: number | null
  /** How much the score of one evaluation scatters. */
  readonly sd?: number | null
  readonly simulator?: SimulatorState | null
}

export interface Examined {
  readonly subject: LaunchSubject
  readonly check: LaunchCheck
}

export async function examineLaunch(
  launch: Launch,
  {
    verl = null,
    folders = [],
    pythonPath = [],
    home = null,
    until = null,
    sd = null,
    simulator = null,
  }: Examination = {},
): Promise<Examined> {
  const near = [...launch.folders, ...folders]
  const wish: SchemaWish = { named: verl, near, pythonPath }
  const schema = await chooseSchema(launch, wish)
  const config = configOf(launch)
  const [train, validation] = DATA_KEYS.map(keys => keys.map(key => config[key]).find(value => value !== undefined))
  const data = await readLaunchData(atHome(train, home), atHome(validation, home), {
    from: near,
    beside: launch.folders,
  })
  const experiment = effectiveExperiment(launch, schema, data)
  const subject = { ...experiment, detectable: detectableDifference(experiment, sd), until, simulator }
  return { subject, check: checkLaunch(subject) }
}

/** Where frameworks name their data: training, validation. */
const DATA_KEYS = [
  ['data.train_files', 'dataset_name', 'data.prompt_dataset', 'prompt_data', 'data.train'],
  ['data.val_files', 'eval.dataset', 'eval_dataset', 'data.val'],
] as const
