import { byGravity, type Examination, examineBy } from '../../core/diagnosis/rule.js'
import type { Severity } from '../../logs/model/finding.js'
import { detectableDifference } from './detectable.js'
import { effectiveExperiment } from './experiment.js'
import { configOf, type Launch } from './launch.js'
import { atHome, readLaunchData } from './launch-data.js'
import { LAUNCH_RULES } from './registry.js'
import type { LaunchRule, LaunchSubject, LaunchSymptom, SimulatorState } from './rule.js'
import { chooseSchema } from './schema/choose.js'

/** A launch put together with its data and its framework's settings, and judged. */
export interface Preflight {
  readonly subject: LaunchSubject
  readonly check: LaunchCheck
}

/** The gravest findings first, then by line. Not checked: what the launch and its data do not tell. */
export type LaunchCheck = Examination<LaunchFinding>

export interface LaunchFinding extends LaunchSymptom {
  readonly rule: string
  readonly severity: Severity
}

export interface PreflightOptions {
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
  /** Only data of this folder is read. */
  readonly within?: string | null
}

export async function preflightLaunch(launch: Launch, options: PreflightOptions = {}): Promise<Preflight> {
  const { verl = null, folders = [], pythonPath = [], home = null, until = null, sd = null, simulator = null } = options
  const near = [...launch.folders, ...folders]
  const schema = await chooseSchema(launch, { named: verl, near, pythonPath })
  const config = configOf(launch)
  const [train, validation] = DATA_KEYS.map(keys => keys.map(key => config[key]).find(value => value !== undefined))
  const data = await readLaunchData(atHome(train, home), atHome(validation, home), {
    from: near,
    beside: launch.folders,
    within: options.within,
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

function checkLaunch(subject: LaunchSubject): LaunchCheck {
  const { findings, ...rest } = examineBy<LaunchRule, LaunchFinding>(LAUNCH_RULES, ({ id, severity, check }) => {
    const seen = check(subject)
    return 'cannotSay' in seen ? seen : seen.map(symptom => ({ severity, ...symptom, rule: id }))
  })
  return { findings: findings.toSorted((a, b) => byGravity(a, b) || a.line - b.line), ...rest }
}
