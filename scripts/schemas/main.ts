import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { composeConfig } from '../../src/lab/launch/hydra/compose.js'
import type { Json } from '../../src/logs/model/json.js'
import { parseYaml } from '../../src/logs/model/util/yaml.js'
import { flatten } from '../../src/logs/sources/python-json.js'

/**
 * `npm run schemas -- FOLDER [SCHEMAS]` makes the key lists of src/lab/launch/schema/lists: every setting of every release
 * below with its default and, where the source tells, its type. Wheels are downloaded into FOLDER with pip and unpacked;
 * their sources are only read, as YAML and as Python's syntax tree. SCHEMAS is a folder with two trees that no package
 * on PyPI has: verl of January 2026 and UserRL's fork.
 */

const [folder = '/tmp/klens-schemas', schemas] = process.argv.slice(2)
const lists = resolve('src/lab/launch/schema/lists')
const pythonSettings = resolve('scripts/schemas/python_settings.py')

/** One tree of settings that a launch may be checked against. */
interface Release {
  readonly version: string
  readonly flavour: string
  readonly settings: ReadonlyMap<string, readonly [value: Json, type?: string]>
}

interface List {
  readonly releases: readonly Release[]
  readonly estimators?: { readonly [version: string]: readonly string[] }
}

const VERL = ['0.4.0', '0.4.1', '0.5.0', '0.6.1', '0.7.1', '0.8.0', '0.9.1']
const TRL: readonly (readonly [trl: string, transformers: string])[] = [
  ['0.15.2', '4.51.3'],
  ['0.20.0', '4.51.3'],
  ['0.29.1', '5.22.2'],
  ['1.16.0', '5.22.2'],
]
/** What the fork's own multi-turn config, under which it is always launched, adds to its tree. */
const USERRL_CONFIG = ['model_name', 'turn_level_method', 'trajectory_score_method'].map(
  name => `actor_rollout_ref.rollout.multi_turn.${name}`,
)
const LONGEST_DEFAULT = 48
const OPENRLHF = ['0.8.11', '0.9.10', '0.11.2']

mkdirSync(lists, { recursive: true })
write('verl', verlList())
write('trl', trlList())
write('openrlhf', openRlhfList())

function verlList(): List {
  const releases: Release[] = []
  const estimators = new Map<string, readonly string[]>()
  for (const version of VERL) {
    const verl = join(unpacked('verl', version), 'verl')
    const config = join(verl, 'trainer/config')
    for (const name of readdirSync(config).filter(file => file.endsWith('.yaml'))) {
      const flavour = flavourOf(name, existsSync(join(config, '_generated_ppo_trainer.yaml')))
      if (flavour !== null) releases.push({ version, flavour, settings: treeIn(config, name) })
    }
    // The enumeration moved from the one to the other.
    const names = ['ray_trainer.py', 'core_algos.py'].flatMap(file =>
      python<readonly string[]>('estimators', join(verl, 'trainer/ppo', file)),
    )
    estimators.set(version, [...new Set(names)].sort())
  }
  if (schemas !== undefined) {
    for (const [version, file] of [
      ['2026-01', 'verl-2026-01-generated_ppo_trainer.yaml'],
      ['userrl', 'userrl-fork-ppo_trainer.yaml'],
    ] as const) {
      const settings = new Map(treeIn(schemas, file))
      if (version === 'userrl') for (const key of USERRL_CONFIG) settings.set(key, [null])
      releases.push({ version, flavour: 'ppo_trainer', settings })
      // Of that day only the FSDP tree is at hand; Megatron's own keys are those of the next release.
      const next = releases.find(release => release.version === '0.7.1' && release.flavour === 'ppo_megatron_trainer')
      if (version === '2026-01' && next !== undefined) {
        releases.push({ version, flavour: 'ppo_megatron_trainer', settings: new Map([...settings, ...next.settings]) })
      }
    }
    estimators.set(
      '2026-01',
      (estimators.get('0.7.1') ?? []).filter(name => name !== 'gdpo'),
    )
    estimators.set('userrl', [...(estimators.get('0.4.0') ?? []), 'grpo_multiturn'].sort())
  }
  return { releases, estimators: Object.fromEntries(estimators) }
}

/** What verl composes is shipped as one file beside its parts; SFT's is not, and before 0.5 nothing is in parts. */
function flavourOf(file: string, hasGenerated: boolean): string | null {
  const [, generated, name] = /^(_generated_)?(ppo_\w*trainer|sft_trainer\w*)\.yaml$/.exec(file) ?? []
  if (name === undefined || (hasGenerated && generated === undefined && name.startsWith('ppo'))) return null
  return name
}

function treeIn(config: string, file: string): Release['settings'] {
  const read = (path: string): string | null =>
    existsSync(join(config, `${path}.yaml`)) ? readFileSync(join(config, `${path}.yaml`), 'utf8') : null
  const name = file.replace(/\.yaml$/, '')
  const tree = composeConfig(read, name) ?? parseYaml(read(name) ?? '').value ?? {}
  return new Map([...leavesOf(tree)].map(([key, value]) => [key, [shortened(value)]]))
}

/** An empty section is a leaf too: it may be given, and what is put into it needs hydra's `+`. */
function* leavesOf(tree: Json, prefix = ''): Generator<[string, Json]> {
  for (const [key, value] of flatten(tree, prefix).leaves) yield [key, value]
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) return
  for (const [key, child] of Object.entries(tree)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (typeof child !== 'object' || child === null || Array.isArray(child)) continue
    if (Object.keys(child).length === 0) yield [path, {}]
    else for (const [inner, value] of leavesOf(child, path)) if (isEmptySection(value)) yield [inner, value]
  }
}

function isEmptySection(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

/** Left out: long defaults, and interpolations, of which what they come to depends on the rest. */
function shortened(value: Json): Json {
  const isLong = JSON.stringify(value).length > LONGEST_DEFAULT
  return isLong || (typeof value === 'string' && value.includes('$' + '{')) ? '…' : value
}

type Field = readonly [name: string, type: string, value: Json]

function trlList(): List {
  const releases = TRL.flatMap(([version, transformers]) => {
    const trl = join(unpacked('trl', version), 'trl')
    const fields = (file: string, name: string): readonly Field[] =>
      existsSync(join(trl, file)) ? python('dataclass', join(trl, file), name) : []
    const shared: readonly Field[] = [
      ...python<readonly Field[]>(
        'dataclass',
        join(unpacked('transformers', transformers), 'transformers/training_args.py'),
        'TrainingArguments',
      ),
      ...fields('trainer/base_config.py', 'BaseConfig'),
      ...fields('trainer/base_config.py', '_BaseConfig'),
      ...fields('trainer/model_config.py', 'ModelConfig'),
      ...fields('scripts/utils.py', 'ScriptArguments'),
      ...fields('scripts/utils.py', 'DatasetMixtureConfig'),
    ]
    const own = {
      grpo: [...fields('trainer/grpo_config.py', 'GRPOConfig'), ...fields('scripts/grpo.py', 'GRPOScriptArguments')],
      rloo: [...fields('trainer/rloo_config.py', 'RLOOConfig'), ...fields('scripts/rloo.py', 'RLOOScriptArguments')],
      ppo: [
        ...fields('trainer/utils.py', 'OnPolicyConfig'),
        ...fields('trainer/ppo_config.py', 'PPOConfig'),
        ...fields('experimental/ppo/ppo_config.py', 'PPOConfig'),
      ],
      sft: fields('trainer/sft_config.py', 'SFTConfig'),
    }
    return Object.entries(own)
      .filter(([, settings]) => settings.length > 0)
      .map(([flavour, settings]): Release => ({ version, flavour, settings: settingsFrom([...shared, ...settings]) }))
  })
  return { releases }
}

function openRlhfList(): List {
  const releases = OPENRLHF.map((version): Release => {
    const package_ = unpacked('openrlhf', version)
    const data = readdirSync(package_).find(name => name.endsWith('.data'))
    const root = data === undefined ? package_ : join(package_, data, 'purelib')
    const fields = python<readonly Field[]>('argparse', join(root, 'openrlhf/cli/train_ppo_ray.py'))
    return { version, flavour: 'train_ppo_ray', settings: settingsFrom(fields) }
  })
  return { releases }
}

function settingsFrom(fields: readonly Field[]): Release['settings'] {
  return new Map(fields.map(([name, type, value]) => [name, [shortened(value), plainType(type)]]))
}

/** `bool | None` is a truth that may be left out; what has several types is of none. */
function plainType(type: string): string {
  const bare = type.replace(/^Optional\[(.*)\]$/, '$1').replace(/ \| None$/, '')
  return /^(?:bool|int|float|str)$/.test(bare) ? bare : 'any'
}

/** Keys of all releases together, each with the releases that have it (a bit each) by default. */
function write(name: string, { releases, estimators }: List): void {
  const keys = new Map<string, Map<string, bigint>>()
  for (const [position, { settings }] of releases.entries()) {
    for (const [key, declared] of settings) {
      const byDefault = keys.get(key) ?? new Map<string, bigint>()
      const written = JSON.stringify(declared).slice(1, -1)
      byDefault.set(written, (byDefault.get(written) ?? 0n) | (1n << BigInt(position)))
      keys.set(key, byDefault)
    }
  }
  const lines = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, byDefault]) => {
      const all = [...byDefault].map(([declared, mask]) => `["${mask.toString(16)}",${declared}]`)
      return `${JSON.stringify(key)}:[${all.join(',')}]`
    })
  const text = [
    '{',
    `"releases":${JSON.stringify(releases.map(({ version, flavour }) => [version, flavour]))},`,
    ...(estimators === undefined ? [] : [`"estimators":${JSON.stringify(estimators)},`]),
    '"keys":{',
    lines.join(',\n'),
    '}}',
    '',
  ].join('\n')
  writeFileSync(join(lists, `${name}.json`), text)
  console.log(`${name}: ${releases.length} releases, ${keys.size} keys, ${text.length} bytes`)
}

/** The wheel's files, downloaded and unpacked once. */
function unpacked(name: string, version: string): string {
  const place = resolve(folder, `${name}-${version}`)
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  execFileSync('pip', ['download', '-q', '--no-deps', '--only-binary', ':all:', `${name}==${version}`, '-d', folder])
  const wheel = readdirSync(folder).find(file => file.startsWith(`${name}-${version}-`) && file.endsWith('.whl'))
  if (wheel === undefined) throw new Error(`pip gave no wheel of ${name} ${version}`)
  execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, wheel), place])
  return place
}

function python<Found>(...words: readonly string[]): Found {
  return JSON.parse(execFileSync('python3', [pythonSettings, ...words], { encoding: 'utf8' })) as Found
}
