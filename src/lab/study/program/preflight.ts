import type { Json } from '../../../logs/model/json.js'
import type { Config, Message } from '../../../logs/model/run.js'
import { type RunSetting, settingsOf } from '../../../logs/model/vocabulary/settings.js'
import { sentences } from '../../../text/sentences.js'
import { type LaunchCheck, preflightLaunch } from '../../launch/preflight.js'
import { launchFromCommand } from '../../launch/read-launch.js'
import type { LaunchSubject } from '../../launch/rule.js'
import { canonicalJson } from '../../train/config/hash.js'
import type { CommandArm } from '../trial.js'
import { commandOf, type TrialCommand, translated } from './command.js'

/**
 * What is known of each arm before anything is spent: what preflight finds in its command, and whether what varies
 * between the arms acts at all. An error, or a knob that turns nothing, refuses the study.
 */
export interface ArmCheck {
  readonly arm: string
  readonly command: TrialCommand
  /** Null: klens does not know this program, so that only the study's own rules were checked. */
  readonly check: LaunchCheck | null
  /** Why the study is refused: what preflight calls an error, and what varies and does nothing. */
  readonly refused: readonly Message[]
}

const say = sentences({
  'study.inert': {
    en: '"{key}" varies between the arms but has no effect: {reason}',
    zh: '“{key}”在各实验组之间变化，但不起作用：{reason}',
  },
  'study.inert.clip': {
    en: 'with one update per batch of fresh responses the ratio is 1, and the clip has no effect',
    zh: '每批新答案只更新一次，比率恒为 1，clip 不起作用',
  },
})

export interface Examiner {
  readonly folders: readonly string[]
  readonly pythonPath: readonly string[]
  readonly home: string | null
}

export async function examineArms(
  arms: readonly CommandArm[],
  seed: number,
  folderOf: (arm: CommandArm) => string,
  { folders, pythonPath, home }: Examiner,
): Promise<readonly ArmCheck[]> {
  const examined: {
    arm: CommandArm
    command: TrialCommand
    subject: LaunchSubject | null
    check: LaunchCheck | null
  }[] = []
  for (const arm of arms) {
    const { engine, study, settings } = arm.program
    const command = commandOf(
      engine,
      { study, arm: arm.name, seed, settings },
      { folder: folderOf(arm), checkpoint: null },
    )
    // Its flags look like those of others, and klens has no list of them.
    const isKnown = engine.preset?.framework !== 'lever-plus'
    const launch = isKnown ? await launchFromCommand(command.words, command.folder, command.environment) : null
    const release = engine.preset?.framework === 'verl' ? (engine.schema?.version ?? null) : null
    const found =
      launch === null
        ? null
        : await preflightLaunch(launch, { verl: release, folders: [...folders, command.folder], pythonPath, home })
    examined.push({ arm, command, subject: found?.subject ?? null, check: found?.check ?? null })
  }
  const effects = examined.map(({ arm, subject }) => effectOf(arm, subject))
  const inert = inertKeys(arms, effects)
  return examined.map(({ arm, command, check }) => {
    const errors = check?.findings.filter(({ severity }) => severity === 'error') ?? []
    return {
      arm: arm.name,
      command,
      check,
      refused: [
        ...errors.map(({ message }) => message),
        ...Object.keys(arm.settings).flatMap(key => inert.get(key) ?? []),
      ],
    }
  })
}

interface Effect {
  /** What acts, by the framework's key. */
  readonly settings: ReadonlyMap<string, RunSetting>
  readonly config: Config
  readonly isClipInert: boolean
}

function effectOf({ program: { engine, settings } }: CommandArm, subject: LaunchSubject | null): Effect {
  const native = Object.fromEntries(translated(engine, settings).settings)
  const config = subject?.config ?? native
  const framework = engine.preset?.framework ?? subject?.launch.program.framework ?? null
  const known = settingsOf(config, framework)
  return {
    settings: new Map(known.flatMap(each => (each.rawKey === null ? [] : [[each.rawKey, each] as const]))),
    config,
    isClipInert: subject?.clip.inert === true,
  }
}

/** By the name in the study file: settings of which nothing that they are translated to makes a difference. */
function inertKeys(arms: readonly CommandArm[], effects: readonly Effect[]): ReadonlyMap<string, Message> {
  const found = new Map<string, Message>()
  if (arms.length < 2) return found
  for (const key of new Set(arms.flatMap(({ settings }) => Object.keys(settings)))) {
    const touched = new Set(
      arms.flatMap(({ settings, program: { engine } }) =>
        Object.hasOwn(settings, key) ? [...translated(engine, { [key]: settings[key] }).settings.keys()] : [],
      ),
    )
    const varied = [...touched].filter(each => areDifferent(effects.map(({ config }) => config[each] ?? null)))
    const reasons = varied.map(each => whyInert(each, effects))
    const [reason] = reasons
    if (reason === undefined || reason === null || reasons.includes(null)) continue
    found.set(key, say('study.inert', { key, reason }))
  }
  return found
}

/** Null: it acts, or nothing tells. */
function whyInert(rawKey: string, effects: readonly Effect[]): Message | null {
  const settings = effects.flatMap(effect => effect.settings.get(rawKey) ?? [])
  if (settings.length < effects.length) return null
  if (settings[0].key.startsWith('clip.') && effects.every(({ isClipInert }) => isClipInert)) {
    return say('study.inert.clip', {})
  }
  const reason = settings.find(each => each.reason !== null)?.reason ?? null
  return areDifferent(settings.map(({ effective }) => effective)) ? null : reason
}

function areDifferent(values: readonly Json[]): boolean {
  return new Set(values.map(value => canonicalJson(value))).size > 1
}
