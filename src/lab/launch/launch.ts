import type { NamesByMeaning } from '../../logs/model/frameworks/framework.js'
import { FRAMEWORK_DATA } from '../../logs/model/frameworks/registry.js'
import type { Json } from '../../logs/model/json.js'
import type { Config } from '../../logs/model/run.js'
import { BASE_OF, type Framework } from '../../logs/model/vocabulary/framework.js'

/** A launch as it is written: which trainer, with which settings, each with the line on which it stands. */
export interface Launch {
  /** The file, or the words themselves. */
  readonly name: string
  /** Where relative paths may start: the folder to which the script changes, and its own. */
  readonly folders: readonly string[]
  readonly program: Program
  /** In the order in which they act: of a key that stands twice the last one counts. */
  readonly settings: readonly LaunchSetting[]
  /** Variables that the trainer and its tools will see. */
  readonly environment: ReadonlyMap<string, LocatedText>
  /** `$@`, `$1`: words that whoever starts the script adds. */
  readonly passedOn: readonly LocatedText[]
  /** Words behind the end of the command that look like a part of it. */
  readonly lost: readonly LocatedText[]
  /** Further trainings that the same script starts. */
  readonly others: number
}

/** Any framework whose file lists settings; of some of them klens has the settings of every release besides (schema/lists). */
export type LaunchFramework = Framework

export function canBeLaunched(framework: Framework | null): framework is LaunchFramework {
  return SETTINGS.has(framework ?? '')
}

const SETTINGS = new Map<string, NamesByMeaning>(
  FRAMEWORK_DATA.flatMap(({ id, settings }) => (settings === undefined ? [] : [[id, settings]])),
)

/** What a framework calls a setting, by its file or by that of the framework it builds on; null where neither says. */
export function settingIn(framework: LaunchFramework, canonical: string): string | null {
  const own = SETTINGS.get(framework)?.[canonical] ?? SETTINGS.get(BASE_OF[framework] ?? '')?.[canonical]
  return own?.[0] ?? null
}

export interface Program {
  readonly framework: LaunchFramework
  /** Which tree of settings: `ppo_trainer`, `ppo_megatron_trainer`, `sft_trainer`; `grpo`; `train_ppo_ray`. */
  readonly flavour: string
  /** A script or config of the user's own, which may know settings that the framework's does not. */
  readonly isOwn: boolean
  /** False for trainers that learn from answers of an earlier policy. */
  readonly isOnPolicy: boolean
  readonly line: number
  /** As the launcher before it says: `--num_processes`, `--nproc_per_node`. */
  readonly processes: number | null
}

/** A framework's own trainer with its own settings. */
export function shippedProgram(
  framework: LaunchFramework,
  flavour: string,
  { line, processes = null }: { readonly line: number; readonly processes?: number | null } = { line: 1 },
): Program {
  return { framework, flavour, isOwn: false, isOnPolicy: true, line, processes }
}

export interface LaunchSetting {
  readonly key: string
  /** Undefined where only running would tell. */
  readonly value: Json | undefined
  readonly line: number
  /** `add`, `force` and `remove` are hydra's `+`, `++` and `~`. */
  readonly operation: 'set' | 'add' | 'force' | 'remove'
  /** A config file of hydra's may bring new keys, a command line may not. `record`: what a run wrote down of itself. */
  readonly from: 'command' | 'config' | 'record'
}

/** A setting by its canonical name, as it acts. */
export interface ExperimentSetting {
  /** Undefined where nothing tells: it is not set, or only running would tell. */
  readonly value: Json | undefined
  /** Where the launch sets it; null for a default. */
  readonly written: LaunchSetting | null
}

export interface LocatedText {
  readonly text: string
  readonly line: number
}

/** What counts in the end, by key. */
export function settingsByKey(launch: Launch): ReadonlyMap<string, LaunchSetting> {
  const last = new Map<string, LaunchSetting>()
  for (const setting of launch.settings) {
    if (setting.operation === 'remove') last.delete(setting.key)
    else last.set(setting.key, setting)
  }
  return last
}

/** Flat, without what is not known: as the config of a run is. */
export function configOf(launch: Launch): Config {
  const known = [...settingsByKey(launch)].flatMap(([key, { value }]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(known)
}
