import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { Problem } from '../../logs/model/problem.js'
import { liesWithin } from '../../logs/model/util/lies-within.js'
import { parseYaml } from '../../logs/model/util/yaml.js'
import { detectFramework } from '../../logs/model/vocabulary/detect.js'
import { readConfigFile } from '../../logs/sources/config/config-file.js'
import { decodeText } from '../../logs/sources/encoding.js'
import { sentences } from '../../text/sentences.js'
import { parseOverride } from './hydra/override.js'
import {
  canBeLaunched,
  type Launch,
  type LaunchFramework,
  type LaunchSetting,
  type LocatedText,
  shippedProgram,
} from './launch.js'
import { besideLaunch } from './launch-data.js'
import { type Started, startedBy } from './programs.js'
import { commandsIn, type ShellCommand } from './shell/commands.js'
import { UNKNOWN } from './shell/values.js'
import { type PythonSettings, pythonSettings, yamlSettings } from './written-settings.js'

/**
 * From a file, or from words, to a launch. A script is read as text and nothing in it is run; a config is a launch whose
 * program is told by its keys; words are overrides as they would stand behind `python -m verl.trainer.main_ppo`.
 */

const say = sentences({
  'launch.not-found': {
    en: 'there is no file "{name}", and it is not a list of overrides (key=value …) either',
    zh: '没有文件“{name}”，它也不是参数列表（key=value …）',
  },
  'launch.too-large': {
    en: '{name} has {size} MiB; a launch script may have 16, a config 2',
    zh: '{name} 有 {size} MiB；启动脚本最多 16 MiB，配置最多 2 MiB',
  },
  'launch.no-training': {
    en: 'nothing in {name} starts a training that klens knows: python -m verl.trainer.main_ppo, trl grpo, openrlhf.cli.train_ppo_ray, klens train, or a program with the flags of a framework in docs/frameworks.md',
    zh: '{name} 中没有 klens 认识的训练命令：python -m verl.trainer.main_ppo、trl grpo、openrlhf.cli.train_ppo_ray、klens train，或带 docs/frameworks.zh.md 中某个框架参数的程序',
  },
  'launch.not-a-config': {
    en: '{name} is not a config of a training that klens knows (docs/frameworks.md lists the frameworks)',
    zh: '{name} 不是 klens 认识的训练配置（框架列表见 docs/frameworks.zh.md）',
  },
})

const MEBIBYTE = 1 << 20
const LARGEST_SCRIPT = 16 * MEBIBYTE
/** The YAML reader takes half a second per megabyte, of nonsense three. */
const LARGEST_CONFIG = 2 * MEBIBYTE

export interface LaunchSurroundings {
  /** HOME and the like; a script that uses others leaves them unknown. */
  readonly variables?: ReadonlyMap<string, string>
  /** Only files of this folder are opened; null: whatever the launch names. */
  readonly within?: string | null
}

/** Several times the whole tree of any framework. */
const MOST_SETTINGS = 5_000
const LONGEST_KEY = 300
const LONGEST_NAME = 80

export async function readLaunch(given: string, surroundings: LaunchSurroundings = {}): Promise<Launch> {
  const launch = await readWhole(given, surroundings)
  const settings = launch.settings.filter(({ key }) => key.length <= LONGEST_KEY).slice(0, MOST_SETTINGS)
  return { ...launch, settings }
}

async function readWhole(given: string, surroundings: LaunchSurroundings): Promise<Launch> {
  const mayOpen = !given.includes('\n') && given.length <= 4_096 && (await liesWithin(surroundings.within, given))
  const found = mayOpen ? await stat(given).catch(() => null) : null
  if (found === null || !found.isFile()) {
    const launch = launchFromWords(given) ?? (await launchFromScript(given, null, surroundings))
    if (launch === null) throw new Problem('not-found', say('launch.not-found', { name: given.slice(0, 200) }))
    return launch
  }
  const name = basename(given)
  const isConfig = /\.(?:ya?ml|json|bin)$/i.test(name)
  if (found.size > (isConfig ? LARGEST_CONFIG : LARGEST_SCRIPT)) {
    throw new Problem('unreadable', say('launch.too-large', { name, size: Math.ceil(found.size / MEBIBYTE) }))
  }
  if (/\.bin$/i.test(name)) return launchFromSettings(given, await storedArguments(given))
  const text = decodeText(await readFile(given))
  const overrides = /\.ya?ml$/i.test(name) ? overridesIn(text) : null
  if (overrides !== null) return launchFromSettings(given, overrides)
  const settings = /\.(?:ya?ml|json)$/i.test(name) ? yamlSettings(text) : null
  if (settings !== null) {
    const from = /\.json$/i.test(name) ? 'record' : 'config'
    return launchFromSettings(
      given,
      settings.map(setting => ({ ...setting, from })),
    )
  }
  const inPython = /\.py$/i.test(name) ? pythonSettings(text) : null
  if (inPython !== null) return pythonLaunch(given, inPython)
  const launch = await launchFromScript(text, given, surroundings)
  if (launch === null) throw new Problem('not-enough', say('launch.no-training', { name }))
  return launch
}

/** training_args.bin has no lines: all of it stands on the first. */
async function storedArguments(path: string): Promise<readonly LaunchSetting[]> {
  const { config } = await readConfigFile(path)
  return Object.entries(config).map(([key, value]) => ({ key, value, line: 1, operation: 'set', from: 'record' }))
}

/** `.hydra/overrides.yaml`: a list of words. */
function overridesIn(text: string): readonly LaunchSetting[] | null {
  const { value } = parseYaml(text)
  if (!Array.isArray(value)) return null
  return value.flatMap((word, i) => {
    const override = parseOverride(String(word))
    return override === null ? [] : [{ ...override, line: i + 1, from: 'command' } satisfies LaunchSetting]
  })
}

function launchFromWords(text: string): Launch | null {
  const [command] = commandsIn(`python3 -m verl.trainer.main_ppo ${text.replaceAll('\n', ' \\\n')}`)
  const settings = command?.words.slice(3).flatMap(({ text: word, line }): LaunchSetting[] => {
    const override = parseOverride(word)
    return override === null ? [] : [{ ...override, line, from: 'command' }]
  })
  if (settings === undefined || settings.length === 0) return null
  const keys = settings.map(({ key }) => key)
  if (detectFramework([], keys) === null && !keys.some(key => key.includes('.'))) return null
  const program = shippedProgram('verl', 'ppo_trainer')
  return { ...EMPTY, name: text.slice(0, LONGEST_NAME), folders: [], program, settings }
}

function pythonLaunch(path: string, { flavour, line, settings }: PythonSettings): Launch {
  const framework = flavour === 'ppo' ? 'trl-ppo' : flavour === 'hf' ? 'hf' : 'trl'
  const program = shippedProgram(framework, flavour === 'hf' ? 'sft' : flavour, { line })
  return { ...EMPTY, name: basename(path), folders: [dirname(resolve(path))], program, settings }
}

const EMPTY = { environment: new Map<string, LocatedText>(), passedOn: [], lost: [], others: 0 }

function launchFromSettings(path: string, settings: readonly LaunchSetting[]): Launch {
  const name = basename(path)
  const keys = settings.map(({ key }) => key)
  const framework = frameworkOf(keys)
  if (framework === null) throw new Problem('unreadable', say('launch.not-a-config', { name }))
  const isSft = keys.some(key => /^(?:model\.partial_pretrain|data\.multiturn\.|engine\.)/.test(key))
  const flavours: { readonly [framework in LaunchFramework]?: string } = {
    verl: isSft ? 'sft_trainer' : 'ppo_trainer',
    trl: 'grpo',
    'trl-ppo': 'ppo',
    openrlhf: 'train_ppo_ray',
    hf: 'sft',
  }
  const flavour = flavours[framework] ?? 'train'
  const folders = [dirname(resolve(path))]
  return { ...EMPTY, name, folders, program: shippedProgram(framework, flavour), settings }
}

function frameworkOf(keys: readonly string[]): LaunchFramework | null {
  if (
    keys.some(key =>
      /^(?:actor_rollout_ref|algorithm\.adv_estimator|trainer\.(?:test_freq|save_freq|total_epochs))/.test(key),
    )
  ) {
    return 'verl'
  }
  const found = detectFramework([], keys)
  if (canBeLaunched(found)) return found
  return keys.some(key => /^(?:task$|kl\.|epochs\.|policy\.|lr\.(?:grpo|rce))/.test(key)) ? 'klens' : null
}

/** A command word by word, as a study starts it in this folder; null where klens knows no training in it. */
export async function launchFromCommand(
  words: readonly string[],
  folder: string,
  environment: { readonly [name: string]: string },
): Promise<Launch | null> {
  const start = startedBy({
    words: words.map(text => ({ text, line: 1 })),
    line: 1,
    variables: new Map(),
    isCertain: true,
  })
  if (start === null) return null
  const behind = await configBehind(start, [folder], null)
  return {
    ...EMPTY,
    name: words.join(' ').slice(0, LONGEST_NAME),
    folders: [folder],
    program: { ...start.program, isOwn: start.program.isOwn && !behind.isRead },
    settings: [...behind.settings, ...start.settings],
    environment: new Map(Object.entries(environment).map(([name, text]) => [name, { text, line: 1 }])),
  }
}

/** `path` is null for a command that was typed. */
async function launchFromScript(
  text: string,
  path: string | null,
  surroundings: LaunchSurroundings,
): Promise<Launch | null> {
  const commands = commandsIn(text, surroundings)
  const started = commands.flatMap(command => {
    const start = startedBy(command)
    return start === null ? [] : [{ command, start }]
  })
  // Several are trainings of one script; the one with the most to say is read.
  const [main] = started.toSorted((a, b) => b.start.settings.length - a.start.settings.length)
  if (main === undefined) return null
  const { command, start } = main
  const folder = path === null ? null : dirname(resolve(path))
  const here = folder === null ? null : folderAtStart(commands, command, folder)
  const folders = [...new Set([here, folder].filter(each => each !== null))]
  const behind = await configBehind(start, folders, surroundings.within)
  return {
    name: path === null ? text.slice(0, LONGEST_NAME) : basename(path),
    folders,
    program: { ...start.program, isOwn: start.program.isOwn && !behind.isRead },
    settings: [...behind.settings, ...start.settings],
    environment: new Map([...command.variables].filter(([, { line }]) => line > 0)),
    passedOn: command.words.flatMap(({ passes, line }) => (passes === undefined ? [] : [{ text: `$${passes}`, line }])),
    lost: lostWords(commands, command),
    others: started.length - 1,
  }
}

/** Where `cd` has led before the training starts. */
function folderAtStart(commands: readonly ShellCommand[], until: ShellCommand, folder: string): string {
  let here = folder
  for (const command of commands) {
    if (command === until) break
    const [name, target] = command.words
    if (name?.text === 'cd' && target !== undefined && !target.text.includes(UNKNOWN)) here = resolve(here, target.text)
  }
  return here
}

/** A comment, or a blank behind a backslash, ends a command; what follows then looks like commands of its own. */
function lostWords(commands: readonly ShellCommand[], launch: ShellCommand): readonly LocatedText[] {
  const lost: LocatedText[] = []
  for (const { words } of commands.slice(commands.indexOf(launch) + 1)) {
    const [{ text, line }] = words
    if (!/^(?:[+~]*[a-z_]+(?:\.\w+)+=|--[a-z][\w.-]+)/.test(text)) break
    lost.push({ text: text.replaceAll(UNKNOWN, '…'), line })
  }
  return lost
}

interface ConfigBehind {
  readonly settings: readonly LaunchSetting[]
  /** The user's own config was found: what it adds is known. */
  readonly isRead: boolean
}

/** The config that the command names, where it lies beside the script; its settings stand before the command's own. */
async function configBehind(
  { ownConfig, configFile }: Started,
  folders: readonly string[],
  within: string | null | undefined,
): Promise<ConfigBehind> {
  const named = ownConfig === null ? configFile?.path : join(ownConfig.folder, `${ownConfig.name}.yaml`)
  const line = ownConfig?.line ?? configFile?.line
  if (named === undefined || line === undefined) return { settings: [], isRead: false }
  const around = [...folders, ...folders.map(each => dirname(each)), ...folders.map(each => dirname(dirname(each)))]
  const stated = isAbsolute(named) ? [named] : around.map(each => resolve(each, named))
  for (const place of new Set([...stated, ...besideLaunch(named, around)])) {
    const found = await stat(place).catch(() => null)
    if (found === null || !found.isFile() || found.size > MEBIBYTE || !(await liesWithin(within, place))) continue
    const settings = yamlSettings(decodeText(await readFile(place)))
    // The line that can be changed is the one that names the file.
    if (settings !== null) return { settings: settings.map(setting => ({ ...setting, line })), isRead: true }
  }
  return { settings: [], isRead: false }
}
