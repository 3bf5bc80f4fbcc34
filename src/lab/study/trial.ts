import { sha256 } from '../../logs/model/id.js'
import type { CheckpointIdentity } from '../../logs/model/lineage.js'
import type { TrialState } from '../../logs/model/study/state.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import type { AnyTrainConfig } from '../train/config/any.js'
import { canonicalJson, configHash, hashPerSeed } from '../train/config/hash.js'
import type { Settings } from './file/schema.js'
import type { CommandEngine } from './program/resolve.js'

/**
 * A trial of a study: an arm with a seed, and how it stands. It is known by the hash of all that determines it, which the
 * lineage of its run carries: the same file, planned again on whatever day, finds the runs that are there already.
 * As planned it is pending; how it really stands is read off the runs of the workspace (status/status.ts), so that
 * nothing is kept that could disagree with them.
 */
export type Trial = BuiltinTrial | CommandTrial

/** How a trial, or a stage that trials start from, stands. */
export interface Standing {
  readonly state: Exclude<TrialState, 'suspicious' | 'missing'>
  /** The first is the one that counts: finished, and the newest. */
  readonly runs: readonly string[]
  /** Its last one. */
  readonly checkpoint: TrialCheckpoint | null
  /** What its epochs took. */
  readonly seconds: number
  /** Why it failed, where that is known. */
  readonly reasons: readonly string[]
}

export interface TrialCheckpoint extends CheckpointIdentity {
  readonly path: string
  readonly step: number
  /** Hash of the settings that the file itself says it was trained with. */
  readonly settings: string | null
}

const PENDING: Standing = { state: 'pending', runs: [], checkpoint: null, seconds: 0, reasons: [] }

/** A training of klens itself that is wholly determined, by settings, seed and start. */
interface Determined extends Standing {
  /** Hash of the settings and of all that determined its start. */
  readonly id: string
  /** Hash of its own settings alone: what its run and its checkpoints carry. */
  readonly settings: string
  readonly name: string
  readonly seed: number
  readonly config: AnyTrainConfig
  readonly start: StudyStage | null
}

/** Trained by klens itself. */
export interface BuiltinTrial extends Determined {
  /** The epoch after which it pauses, to go on another time. */
  readonly pauseAfter?: number
  readonly arm: StudyArm
  readonly program: null
}

/** Trained by a program that the study names. */
export interface CommandTrial extends Omit<Determined, 'config' | 'start'> {
  readonly arm: StudyArm
  readonly program: ArmProgram
  readonly config: null
  readonly start: null
}

/**
 * A training that others start from. One with the same settings and the same start is one training, whatever it is called
 * and in however many arms and studies it stands; and changing one changes just what comes after it. It is trained with
 * the seed of the trial that starts from it: seeds stay paired across arms.
 */
export interface StudyStage extends Determined {
  readonly stage: string
  /** What its run is called: by its first name, whichever study gave it. */
  readonly runName: string
}

/** A stage to which only a seed is missing. */
export interface PlannedStage {
  readonly name: string
  readonly config: AnyTrainConfig
  readonly from: PlannedStage | null
}

/** What an arm sets over the base, and what it is called. */
export interface StudyArm {
  readonly name: string
  readonly settings: Settings
  /** Where the file says so. */
  readonly path: readonly PropertyKey[]
}

/** What a trial that a program trains is made of, but for its seed. */
interface ArmProgram {
  readonly engine: CommandEngine
  readonly study: string
  /** Of the base and the arm together, as the file names them. */
  readonly settings: Settings
  /** Stands for the program in the hash of a trial: the engine as the file says it, not as this klens expands it. */
  readonly identity: string
}

export interface CommandArm extends StudyArm {
  readonly config: null
  readonly program: ArmProgram
}

/** An arm with all of its settings, to which only a seed is missing. */
export type PlannedArm = BuiltinArm | CommandArm

export interface BuiltinArm extends StudyArm {
  readonly config: AnyTrainConfig
  /** The stage that it starts from. */
  readonly from: PlannedStage | null
  readonly program: null
}

/** Arms within a seed, not seeds within an arm: what is stopped half-way has whole seeds to compare. */
export function trialsOf(study: string, arms: readonly PlannedArm[], seeds: readonly number[]): readonly Trial[] {
  return seeds.flatMap(seed => {
    const starts = arms.flatMap(arm => (arm.program === null ? (arm.from ?? []) : []))
    const stages = new Map([...new Set(starts)].map(from => [from, stageOf(from, seed)]))
    return arms.map((arm): Trial => {
      const name = `${study}/${arm.name}/seed${seed}`
      const known = trialsMade(arm).get(name)
      if (known !== undefined) return known
      const start = arm.program !== null || arm.from === null ? null : (stages.get(arm.from) ?? null)
      const trial = trialOf(arm, name, seed, start)
      trialsMade(arm).set(name, trial)
      return trial
    })
  })
}

/** A study's trials are asked for several times: as planned, as judged, as may be added. */
const trialsMade = memoByObject((_: PlannedArm) => new Map<string, Trial>())

function trialOf(arm: PlannedArm, name: string, seed: number, start: StudyStage | null): Trial {
  if (arm.program !== null) {
    const hash = commandTrialId(arm.program, seed)
    return { ...PENDING, id: hash, settings: hash, name, arm, seed, program: arm.program, config: null, start: null }
  }
  const { config } = arm
  return Object.assign(determined({ ...config, seed, name }, hashPerSeed(config)(seed), start), { arm, program: null })
}

export function stageOf({ name: stage, config, from }: PlannedStage, seed: number): StudyStage {
  const own = { ...config, seed, name: `stage/${stage}/seed${seed}` }
  const training = determined(own, configHash(own), from === null ? null : stageOf(from, seed))
  return { stage, runName: training.name, ...training }
}

/** `settings`: the hash of the config. */
function determined(
  config: AnyTrainConfig & { readonly name: string },
  settings: string,
  start: StudyStage | null,
): Determined {
  const id = start === null ? settings : sha256(`${settings} from ${start.id}`)
  return { ...PENDING, id, settings, name: config.name, seed: config.seed, config, start }
}

/** The stages that these rest on, each once, those first that others start from. */
export function stagesBehind(trials: readonly Pick<Trial, 'start'>[]): readonly StudyStage[] {
  const behind = new Map<string, StudyStage>()
  const visit = (start: StudyStage | null): void => {
    if (start === null || behind.has(start.id)) return
    visit(start.start)
    behind.set(start.id, start)
  }
  for (const { start } of trials) visit(start)
  return [...behind.values()]
}

/** Those of the file first, then the numbers after them: the order in which more are bought is fixed beforehand. */
export function seedsOf(planned: readonly number[], count: number): readonly number[] {
  const after = Math.max(...planned)
  return Array.from({ length: count }, (_, i) => planned[i] ?? after + 1 + i - planned.length)
}

/** Of the program, all settings and the seed. */
export function commandTrialId({ identity, settings }: ArmProgram, seed: number): string {
  return sha256(canonicalJson({ identity, settings, seed }))
}
