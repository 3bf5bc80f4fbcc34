import type { RunView } from '../../analysis/run-view.js'
import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import type { Framework } from '../../model/vocabulary/framework.js'
import { settingsOf } from '../../model/vocabulary/settings.js'
import { canonicalJson, flatConfig } from '../../train/config/hash.js'
import { translated } from '../engine/command.js'
import type { StudyTrial } from '../plan/trials.js'

/**
 * The config of a run that was made elsewhere, held against what the study says of a trial. Settings are compared by what
 * they mean and as they act: a coefficient whose switch is off is 0, whatever the framework calls it. What the run does
 * not tell is no difference, but it is named: nobody can vouch for it.
 */
export interface ConfigComparison {
  readonly differences: readonly SettingDifference[]
  /** Settings of the study that the run's config does not tell. */
  readonly untold: readonly string[]
}

export interface SettingDifference {
  readonly key: string
  readonly study: Json
  readonly run: Json
}

/** What names, places and times a run has is its own affair. */
const OWN = /(?:^|[._])(?:name|path|dir|logger|project|experiment)(?:[._]|$)|^(?:output_dir|run_name|report_to)$/

export function compareConfigs(trial: StudyTrial, run: RunView): ConfigComparison {
  const { config, framework, seed } = plannedOf(trial)
  const planned = effects(config, framework)
  const told = new Map([...run.settings.values()].map(({ key, effective }) => [key, effective]))
  const differences: SettingDifference[] = []
  const untold: string[] = []
  const compare = (key: string, study: Json, own: Json | undefined): void => {
    if (own === undefined) untold.push(key)
    else if (canonicalJson(study) !== canonicalJson(own)) differences.push({ key, study, run: own })
  }
  for (const [rawKey, value] of Object.entries(config)) {
    const known = planned.get(rawKey)
    if (OWN.test(rawKey) || rawKey === 'seed' || known?.key === 'seed') continue
    if (known === undefined) compare(rawKey, value, run.config[rawKey])
    else compare(known.key, known.effective, told.get(known.key))
  }
  compare('seed', seed, seedOf(run))
  return { differences: unique(differences), untold: [...new Set(untold)] }
}

/** In the words in which the program would be told. */
function plannedOf(trial: StudyTrial): { config: Config; framework: Framework | null; seed: number } {
  const { program, seed } = trial
  if (program === null) {
    const { name: _, ...config } = flatConfig(trial.config)
    return { config, framework: 'klens', seed }
  }
  const { engine, settings } = program
  const config = Object.fromEntries(translated(engine, settings).settings)
  return { config, framework: engine.preset?.framework ?? null, seed }
}

function effects(config: Config, framework: Framework | null) {
  const settings = settingsOf(config, framework)
  return new Map(settings.flatMap(each => (each.rawKey === null ? [] : [[each.rawKey, each] as const])))
}

function seedOf({ settings, config }: RunView): Json | undefined {
  return settings.get('seed')?.effective ?? config.seed
}

function unique(differences: readonly SettingDifference[]): readonly SettingDifference[] {
  return [...new Map(differences.map(each => [each.key, each])).values()]
}
