import { settingNamed } from '../../logs/model/vocabulary/config-lookup.js'
import { detectFramework } from '../../logs/model/vocabulary/detect.js'
import type { Framework } from '../../logs/model/vocabulary/framework.js'
import { overrideValue, parseOverride } from './hydra/override.js'
import { canBeLaunched, type LaunchFramework, type LaunchSetting, type Program, shippedProgram } from './launch.js'
import type { ShellCommand } from './shell/commands.js'
import type { ShellWord } from './shell/values.js'

/** Whether a command starts a training, of which framework, and which of its words are settings. */

export interface Started {
  readonly program: Program
  readonly settings: readonly LaunchSetting[]
  /** Of hydra: the folder and the name of a config of the user's own. */
  readonly ownConfig: { readonly folder: string; readonly name: string; readonly line: number } | null
  /** A YAML file that the framework itself reads. */
  readonly configFile: { readonly path: string; readonly line: number } | null
}

export function startedBy({ words, line }: ShellCommand): Started | null {
  const at = programAt(words)
  if (at === null) return otherProgram(words)
  const name = words[at].text
  const rest = words.slice(at + 1)
  const isModule = words[at - 1]?.text === '-m' || words[at - 1]?.text === '--module'
  const known = { line: words[at].line || line, processes: processesIn(words.slice(0, at)) }
  if (/(?:^|[./])openrlhf[./]cli[./]/.test(name)) {
    const flavour = name.replace(/\.py$/, '').split(/[./]/).pop() ?? ''
    return byFlags(shippedProgram('openrlhf', flavour, known), rest)
  }
  if (name === 'trl') {
    const flavour = rest[0]?.text ?? ''
    return byFlags(shippedProgram(flavour === 'ppo' ? 'trl-ppo' : 'trl', flavour, known), rest.slice(1))
  }
  if (name === 'klens') return klensTrain(rest, known)
  const verl = byOverrides(name, rest, known)
  if (verl !== null) return verl
  return isModule || /\.py$/.test(name) ? ownScript(name, rest, known) : null
}

type Place = Pick<Program, 'line' | 'processes'>

function processesIn(words: readonly ShellWord[]): number | null {
  const given = plainFlags(words).find(({ key }) => /^(?:num_processes|nproc_per_node|num_gpus)$/.test(key))?.value
  return typeof given === 'number' && given > 0 ? given : null
}

const LAUNCHERS = /^(?:.*\/)?(?:python[\d.]*|torchrun|accelerate|deepspeed|srun|nohup|uv|poetry|conda|mpirun|ray|exec)$/

/** The module or script behind python, torchrun, accelerate or `ray job submit --`; `trl` and `klens train` themselves. */
function programAt(words: readonly ShellWord[]): number | null {
  const own = words.findIndex(
    ({ text }, i) => /^(?:.*\/)?trl$/.test(text) || (/^(?:.*\/)?klens$/.test(text) && words[i + 1]?.text === 'train'),
  )
  if (own >= 0 && words.slice(0, own).every(({ text }) => !/\.py$/.test(text))) return own
  if (!words.some(({ text }) => LAUNCHERS.test(text))) return null
  const module = words.findIndex(
    ({ text }, i) =>
      i > 0 &&
      /^(?:-m|--module)$/.test(words[i - 1].text) &&
      /^[A-Za-z_][\w.]*$/.test(text) &&
      text !== 'torch.distributed.run' &&
      text !== 'torch.distributed.launch' &&
      text !== 'accelerate.commands.launch',
  )
  if (module >= 0) return module
  const script = words.findIndex(({ text }) => /^[^-=][^=]*\.py$/.test(text))
  return script < 0 ? null : script
}

/** verl's modules, and whatever else takes overrides of verl's tree. */
function byOverrides(name: string, rest: readonly ShellWord[], place: Place): Started | null {
  const isVerl = /(?:^|[./])verl[./]/.test(name)
  const settings: LaunchSetting[] = []
  let folder: string | null = null
  let config: { readonly text: string; readonly line: number } | null = null
  for (let at = 0; at < rest.length; at += 1) {
    const { text, line: on, passes } = rest[at]
    if (passes !== undefined) continue
    const [, flag, joined] = /^--?(config-path|cp|config-name|cn|config-dir|cd)(?:=(.*))?$/s.exec(text) ?? []
    if (flag !== undefined) {
      const value = joined ?? rest[at + 1]?.text ?? ''
      if (joined === undefined) at += 1
      if (flag === 'config-name' || flag === 'cn') config = { text: value.replace(/\.yaml$/, ''), line: on }
      else folder = value
      continue
    }
    const override = parseOverride(text)
    if (override !== null && !text.startsWith('-')) settings.push({ ...override, line: on, from: 'command' })
  }
  const ofTree = settings.filter(({ key }) => /^(?:actor_rollout_ref|algorithm|trainer|data)\./.test(key)).length
  if ((!isVerl && ofTree < FEWEST_OF_TREE) || (isVerl && NO_TRAINING.test(name))) return null
  const module = name.replace(/\.py$/, '').split(/[./]/).pop() ?? ''
  const shipped = SHIPPED_CONFIGS.has(config?.text ?? '')
  const isKnown = /^(?:main_ppo|\w*sft_trainer)$/.test(module) || !isVerl
  // Another program of verl's (generation, evaluation) has a tree of its own, of which no list is known.
  const flavour = isKnown ? flavourOf(module, config?.text ?? '', settings) : module
  const isOwn = !isVerl || !isKnown || (config !== null && !shipped) || settings.some(({ key }) => CHOICES.has(key))
  const ownConfig =
    config === null || shipped ? null : { folder: folder ?? 'config', name: config.text, line: config.line }
  return {
    program: { framework: 'verl', flavour, isOwn, isOnPolicy: !STALE.test(`${name} ${config?.text}`), ...place },
    settings,
    ownConfig,
    configFile: null,
  }
}

const FEWEST_OF_TREE = 3
/** Parts that hydra can exchange: what the other part knows is not in the usual tree. */
const CHOICES = new Set(['engine', 'optim', 'model', 'actor', 'critic', 'rollout'])
/** What else verl can do with a model. */
const NO_TRAINING = /main_(?:generation|eval)|model_merger|checkpoint_converter|preprocess/
/** Trainers that learn from answers of an earlier policy. */
const STALE = /async|off_policy|one_step/
const SHIPPED_CONFIGS = new Set(['', 'ppo_trainer', 'ppo_megatron_trainer', 'sft_trainer', 'sft_trainer_engine'])

function flavourOf(module: string, config: string, settings: readonly LaunchSetting[]): string {
  if (/sft/.test(module)) return module === 'sft_trainer' ? 'sft_trainer_engine' : 'sft_trainer'
  const engine = settings.find(({ key }) => key === 'model_engine')?.value
  if (typeof engine === 'string' && engine !== 'dp') return `ppo_${engine}_trainer`
  return /megatron/.test(config) ? 'ppo_megatron_trainer' : 'ppo_trainer'
}

function byFlags(program: Program, rest: readonly ShellWord[]): Started {
  const settings = plainFlags(rest)
  const config = settings.find(({ key, value }) => key === 'config' && typeof value === 'string')
  const configFile = typeof config?.value === 'string' ? { path: config.value, line: config.line } : null
  return { program, settings: settings.filter(setting => setting !== config), ownConfig: null, configFile }
}

function klensTrain(rest: readonly ShellWord[], place: Place): Started {
  const settings: LaunchSetting[] = []
  let configFile: Started['configFile'] = null
  for (let at = 1; at < rest.length; at += 1) {
    const { text, line: on } = rest[at]
    const [, flag, joined] = /^--(set|seed|task|name)(?:=(.*))?$/s.exec(text) ?? []
    if (flag === undefined) {
      if (!text.startsWith('-') && configFile === null) configFile = { path: text, line: on }
      continue
    }
    const value = joined ?? rest[at + 1]?.text ?? ''
    if (joined === undefined) at += 1
    const override = parseOverride(flag === 'set' ? value : `${flag}=${value}`)
    if (override !== null) settings.push({ ...override, line: on, from: 'command' })
  }
  return { program: shippedProgram('klens', 'train', place), settings, ownConfig: null, configFile }
}

/** How many settings of a framework a command must have that no Python starts: `swift rlhf --num_generations 8 …`. */
const FEWEST_OF_OTHERS = 3

function otherProgram(words: readonly ShellWord[]): Started | null {
  const [first, ...rest] = words
  if (first === undefined || !/^[\w./-]+$/.test(first.text) || first.text.startsWith('-')) return null
  const started = ownScript(first.text, rest, { line: first.line, processes: null })
  if (started === null) return null
  const { framework } = started.program
  const known = started.settings.filter(({ key }) => settingNamed(key, framework) !== null)
  return known.length < FEWEST_OF_OTHERS ? null : started
}

/** A script of the user's own: a training if its flags are those of one. */
function ownScript(name: string, rest: readonly ShellWord[], place: Place): Started | null {
  const keys = plainFlags(rest).map(({ key }) => key)
  const framework = frameworkOf(detectFramework([], keys), name)
  if (framework === null) return null
  const isOwn = !/(?:^|\/)trl\/scripts\//.test(name)
  return byFlags(
    { framework, flavour: trlFlavour(name, framework), isOwn, isOnPolicy: !STALE.test(name), ...place },
    rest,
  )
}

function frameworkOf(found: Framework | null, name: string): LaunchFramework | null {
  // verl's settings are overrides, not flags.
  if (found !== 'verl' && canBeLaunched(found)) return found
  return /(?:grpo|rloo)/i.test(name) && found !== null ? 'trl' : null
}

function trlFlavour(name: string, framework: LaunchFramework): string {
  if (framework === 'trl-ppo') return 'ppo'
  if (framework === 'openrlhf') return 'train_ppo_ray'
  if (framework !== 'trl' && framework !== 'hf') return 'train'
  const [, trainer] = /(grpo|rloo|ppo|sft|dpo)/i.exec(name) ?? []
  return trainer?.toLowerCase() ?? (framework === 'hf' ? 'sft' : 'grpo')
}

/** `--name value`, `--name=value`, `--name v1 v2` and bare `--name`, as argparse and Hugging Face's parser take them. */
function plainFlags(words: readonly ShellWord[]): readonly LaunchSetting[] {
  const settings: LaunchSetting[] = []
  for (let at = 0; at < words.length; at += 1) {
    const { text, line, passes } = words[at]
    const match = /^--([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(text)
    if (match === null || passes !== undefined) continue
    const values: string[] = match[2] === undefined ? [] : [match[2]]
    if (match[2] === undefined) {
      while (at + 1 < words.length && words[at + 1].passes === undefined && !isFlag(words[at + 1].text)) {
        at += 1
        values.push(words[at].text)
      }
    }
    const [first] = values
    const value =
      values.length > 1
        ? values.map(each => overrideValue(each) ?? null)
        : first === undefined
          ? true
          : overrideValue(first)
    settings.push({ key: match[1].replaceAll('-', '_'), value, line, operation: 'set', from: 'command' })
  }
  return settings
}

/** A negative number is a value. */
function isFlag(text: string): boolean {
  return text.startsWith('--') && text.length > 2
}
