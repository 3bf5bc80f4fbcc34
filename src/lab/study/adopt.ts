import type { RunView } from '../../core/analysis/run-view.js'
import type { Json } from '../../logs/model/json.js'
import type { Config } from '../../logs/model/run.js'
import type { Framework } from '../../logs/model/vocabulary/framework.js'
import { settingsOf } from '../../logs/model/vocabulary/settings.js'
import { canonicalJson, flatConfig } from '../train/config/hash.js'
import type { AdoptedRun } from './ledger.js'
import { translated } from './program/command.js'
import type { Trial } from './trial.js'

/**
 * The config of a run that was made elsewhere, compared with what the study says of a trial. Settings are compared by what
 * they mean and as they act: a coefficient whose switch is off is 0, whatever the framework calls it. What the run does
 * not tell is no difference, but it is named, since it was not checked.
 */
interface ConfigComparison {
  readonly differences: readonly SettingDifference[]
  /** Settings of the study that the run's config does not tell. */
  readonly untold: readonly string[]
}

type SettingDifference = AdoptedRun['differences'][number]

/** What names, places and times a run has is its own affair. */
const OWN = /(?:^|[._])(?:name|path|dir|logger|project|experiment)(?:[._]|$)|^(?:output_dir|run_name|report_to)$/

export function compareConfigs(trial: Trial, run: RunView): ConfigComparison {
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
function plannedOf(trial: Trial): { config: Config; framework: Framework | null; seed: number } {
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
