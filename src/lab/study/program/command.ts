import type { Json } from '../../../logs/model/json.js'
import { typedForShell } from '../../../text/shell.js'
import type { Settings } from '../file/schema.js'
import { blanksOf, type ServiceSpec } from '../services/spec.js'
import type { CommandEngine, PlannedService } from './resolve.js'
import { fillTemplate, keysOf, parseTemplate, plainText, type Template, writeOverrides } from './template.js'
import { type Translation, translate } from './translate.js'

/** The words, the folder and the environment with which a trial is started: for the operating system, never for a shell. */
export interface TrialCommand {
  readonly words: readonly [program: string, ...rest: string[]]
  readonly folder: string
  /** Over what klens itself was given. */
  readonly environment: { readonly [name: string]: string }
}

/** A trial as its program gets it. */
interface ProgramTrial {
  readonly study: string
  readonly arm: string
  readonly seed: number
  /** All settings of the trial but its seed. */
  readonly settings: Settings
}

interface TrialPlaces {
  /** The trial's own folder. */
  readonly folder: string
  /** The newest checkpoint that it has left; null: it begins. */
  readonly checkpoint: string | null
}

/** For commands that are only shown: all seeds of an arm share one. */
export const ANY_SEED = '{seed}'

export function commandOf(
  engine: CommandEngine,
  trial: Omit<ProgramTrial, 'seed'> & { readonly seed: number | typeof ANY_SEED },
  { folder, checkpoint }: TrialPlaces,
): TrialCommand {
  const named = settingsNamed(engine)
  const textFor = blankTexts(engine, trial, { folder, checkpoint })
  const rest = Object.fromEntries(Object.entries(trial.settings).filter(([key]) => !named.has(key)))
  const own = translated(engine, rest).settings
  const going = checkpoint === null ? [] : engine.resumeSettings
  const seed: Json = trial.seed === ANY_SEED ? ANY_SEED : trial.seed
  const all = new Map<string, Json>([
    ...own,
    ...engine.seeds.map(key => [key, seed] as const),
    ...[...engine.outputs, ...going]
      .filter(([key]) => !own.has(key))
      .map(([key, value]) => [key, filled(value, textFor)] as const),
  ])
  const overrides = writeOverrides(all, engine.style)
  const resume = checkpoint === null ? [] : engine.resume
  const words = [...engine.words, ...resume].flatMap(template =>
    keysOf(template).includes('overrides') ? overrides.words : [fillTemplate(template, textFor)],
  )
  const [program = '', ...more] = words
  const environment = filledVariables(engine.environment, textFor)
  return { words: [program, ...more], folder: engine.folder, environment: { ...environment, ...overrides.environment } }
}

/** What stands for the blanks of a trial's programs. Those of services are filled where they run. */
export function blankTexts(
  engine: CommandEngine,
  trial: Omit<ProgramTrial, 'seed'> & { readonly seed: number | typeof ANY_SEED },
  { folder, checkpoint }: TrialPlaces,
): (key: string) => string {
  const later = new Set(['port', ...engine.services.flatMap(({ name }) => blanksOf(name))])
  const own: { readonly [key: string]: string } = {
    seed: String(trial.seed),
    name: `${plainName(trial.arm)}-seed${trial.seed}`,
    study: trial.study,
    arm: plainName(trial.arm),
    folder,
    here: engine.folder,
    checkpoint: checkpoint ?? '',
  }
  return key => {
    if (later.has(key)) return `{${key}}`
    return Object.hasOwn(own, key) ? own[key] : plainText(trial.settings[key] ?? null, engine.style)
  }
}

/** As it is started on the machine of those who need it. */
export function serviceOf(
  { name, words, environment, folder, ready, seconds, stop }: PlannedService,
  textFor: (key: string) => string,
  lingerMs: number,
): ServiceSpec {
  return {
    ...{ name, folder, ready, seconds, stop, lingerMs },
    words: words.map(word => fillTemplate(word, textFor)),
    environment: filledVariables(environment, textFor),
  }
}

export function filledVariables(
  environment: ReadonlyMap<string, Template>,
  textFor: (key: string) => string,
): { readonly [name: string]: string } {
  return Object.fromEntries([...environment].map(([name, template]) => [name, fillTemplate(template, textFor)]))
}

/** Of a preset in the framework's words, else as they are. */
export function translated({ preset, schema }: CommandEngine, settings: Settings): Translation {
  if (preset === null) return { settings: new Map(Object.entries(settings)), problems: [] }
  return translate(settings, preset, schema)
}

/** Settings that a template asks for by name: they need not be said again among the overrides. */
export function settingsNamed({ words, environment, resume }: CommandEngine): ReadonlySet<string> {
  return new Set([...words, ...environment.values(), ...resume].flatMap(keysOf))
}

/** Whether what varies can reach the program at all. */
export function hearsOverrides({ words, style }: CommandEngine): boolean {
  return style.form === 'env' || words.some(template => keysOf(template).includes('overrides'))
}

function filled(value: Json, textFor: (key: string) => string): Json {
  if (typeof value !== 'string') return value
  const template = parseTemplate(value)
  return 'key' in template ? value : fillTemplate(template, textFor)
}

const LONGEST_NAME = 80

/** For folders and for programs that are particular about names. */
export function plainName(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return plain.slice(0, LONGEST_NAME) || 'trial'
}

/** As a person would type it. */
export function shownCommand({ words, environment }: Pick<TrialCommand, 'words' | 'environment'>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${typedForShell(value)}`)
  return [...variables, ...words.map(typedForShell)].join(' ')
}
