import { Document, visit } from 'yaml'
import type { RunView } from '../../../core/analysis/run-view.js'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Config } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { isIdentityKey, isSeedKey } from '../../../logs/model/vocabulary/identity.js'
import { harmless } from '../../../text/harmless.js'
import { type Language, listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { bundledSchemas } from '../../launch/schema/bundled.js'
import type { Schema } from '../../launch/schema/schema.js'
import { readAnyConfig } from '../../train/config/any.js'
import { canonicalJson, flatConfig } from '../../train/config/hash.js'
import { SOURCE } from '../../train/run/lineage.js'
import { labelOf } from '../plan/arms.js'
import { PRESETS } from '../program/presets.js'
import type { PresetName } from '../program/schema.js'

/** A study file to begin with: every member that klens acts on, and a study that runs as it is within minutes. */

const TEMPLATE_NOTES = {
  en: {
    question:
      'What is asked, and how it will be judged. Frozen when the first trial begins; what changes later is shown.',
    margin:
      "Differences smaller than this do not matter, in the metric's own unit. Left out: nothing can be called the same.",
    expectations: 'What you expect, written down before there are results.',
    base: 'Settings that all trials share, as for `klens train`; or the path of a config file, from where this file lies.',
    arms: 'What differs. An arm is settings, or a list of arms and settings to stack, of which later ones win.',
    vary: 'Instead of arms: each combination of the values of several settings, or points of your own.',
    seeds: 'How many, or a list. Every arm is trained with each.',
    settle: '`klens study settle` looks at 5, 6, 8, … seeds a side and buys more until it is settled, up to `most`.',
    budget: 'Trials at most, and hours that all epochs together may take.',
  },
  zh: {
    question: '要问什么、如何评判。首个试验开始时冻结；之后的改动会被标出。',
    margin: '小于此值的差异无关紧要（以指标自身的单位计）。不写则永远不会判为“相同”。',
    expectations: '在看到结果之前写下你的预期。',
    base: '所有试验共用的设置，与 `klens train` 相同；也可以是配置文件路径（相对于本文件）。',
    arms: '不同之处。arm 是设置，或由要叠加的 arm 与设置组成的列表，后者优先。',
    vary: '也可以不用 arms：多个设置取值的所有组合，或自己列出的点。',
    seeds: '个数，或列表。每个 arm 用每个种子各训练一次。',
    settle: '`klens study settle` 在每侧 5、6、8……个种子时查看，未有定论就继续购买，最多到 `most`。',
    budget: '最多多少个试验，以及所有 epoch 总共可用的小时数。',
  },
} as const satisfies { readonly [language in Language]: { readonly [note: string]: string } }

export function studyTemplate(language: Language): string {
  const notes = TEMPLATE_NOTES[language]
  return `# ${notes.question}
question: Does the KL term change what the selector learns on digits?
metric: val.score
direction: max
# ${notes.margin}
margin: 0.02
# ${notes.expectations}
expectations:
  - Without the KL term the score is higher, because nothing holds the policy back.

# ${notes.base}
base:
  task: digits
  epochs: {rce: 1, grpo: 4}

# ${notes.arms}
arms:
  kl: {kl.loss.coef: 0.1}
  no-kl: {kl.loss.coef: 0}
# ${notes.vary}
# vary:
#   kl.loss.coef: [0, 0.1, 0.3]
#   lr.grpo: {log-uniform: [1e-5, 1e-3], count: 4}
#   clip.high: {random: [0.1, 0.3], count: 2}

# ${notes.seeds}
seeds: 3
# ${notes.settle}
settle: {arms: [kl, no-kl], most: 20}
# ${notes.budget}
budget: {trials: 40, hours: 2}

engine: builtin
executor: local
`
}

/**
 * A study file out of runs that are there: what varies between them, what they share beyond the defaults of their
 * framework, which seeds there are, and how each is adopted. What it asks, and by which margin, a person has to say.
 */

const say = sentences({
  'study.from-runs.none': { en: 'name the runs to make the study from', zh: '请给出用来生成研究的 run' },
  'study.from-runs.mixed': {
    en: 'these runs are from different programs ({programs}); a study has one engine',
    zh: '这些 run 来自不同的程序（{programs}）；一个研究只有一个引擎',
  },
})

const RUN_NOTES = {
  en: {
    question: 'What do you want to know? Written for you from {runs} runs; read it before you run it.',
    margin:
      "Differences smaller than this do not matter, in the metric's own unit. Without it nothing can be called the same.",
    base: 'What all of them share beyond the defaults.',
    left: '{count} further shared settings are those of the framework, names or places, and left out.',
    varies: 'What varies between them.',
    alike: 'Nothing that klens knows of varies between them: say what should.',
    seeds: 'The seeds that were found.',
    noSeeds: 'Their configs tell no seeds.',
    command: 'klens does not know what trained them: say how it is started, and where its metrics appear.',
    adopt: 'To put the runs that are there into their cells:',
  },
  zh: {
    question: '想知道什么？本文件由 {runs} 个 run 生成，运行前请先阅读。',
    margin: '小于此值的差异无关紧要（以指标自身的单位计）。不写则永远不会判为“相同”。',
    base: '它们在默认值之外共有的设置。',
    left: '另有 {count} 个共有设置为框架默认值、名字或路径，未列出。',
    varies: '它们之间的不同之处。',
    alike: 'klens 没有发现它们之间的不同：请写明什么应当变化。',
    seeds: '找到的种子。',
    noSeeds: '它们的配置没有说明种子。',
    command: 'klens 不知道它们由什么程序训练：请写明如何启动，以及指标出现在哪里。',
    adopt: '将已有的 run 放入单元格：',
  },
} as const satisfies { readonly [language in Language]: { readonly [note: string]: string } }

export async function studyFromRuns(runs: readonly RunView[], file: string, language: Language): Promise<string> {
  if (runs.length === 0) throw new Problem('bad-request', say('study.from-runs.none', {}))
  const notes = RUN_NOTES[language]
  const { engine, defaults, isOwnNote } = await engineOf(runs)
  const settings = runs.map(({ config }) => experimentIn(config))
  const keys = [...new Set(settings.flatMap(each => Object.keys(each)))].sort()
  const varied = keys.filter(key => new Set(settings.map(each => canonicalJson(each[key] ?? null))).size > 1)
  const shared = keys.filter(key => !varied.includes(key) && !isDefault(defaults, key, settings[0][key]))
  const points = settings.map(each =>
    Object.fromEntries(varied.flatMap(key => (each[key] === undefined ? [] : [[key, each[key]]]))),
  )
  const seeds = runs.map(seedOf)
  const cells = runs.map(({ manifest: { id } }, i) => `${id}=${labelOf(points[i])}/${seeds[i] ?? i + 1}`).sort(byCell)
  const arms = new Map(points.map(point => [labelOf(point), point]))
  const left = keys.length - varied.length - shared.length
  const known = [...new Set(seeds.filter(seed => seed !== null))].sort((a, b) => a - b)
  const [only] = varied
  const isOneKnob = varied.length === 1 && points.every(point => point[only] !== undefined)
  const whatVaries = isOneKnob ? { vary: { [only]: valuesOf(points, only) } } : { arms: Object.fromEntries(arms) }
  return [
    `# ${notes.question.replace('{runs}', String(runs.length))}`,
    yaml({ question: questionOf(varied, language), metric: 'val.score', direction: 'max' }),
    `# ${notes.margin}`,
    '# margin: 0.02',
    '',
    `# ${notes.base}`,
    ...(left > 0 ? [`# ${notes.left.replace('{count}', String(left))}`] : []),
    yaml({ base: Object.fromEntries(shared.map(key => [key, settings[0][key]])) }),
    '',
    `# ${varied.length === 0 ? notes.alike : notes.varies}`,
    yaml(whatVaries),
    '',
    `# ${known.length === 0 ? notes.noSeeds : notes.seeds}`,
    yaml({ seeds: known.length === 0 ? 3 : known }),
    '',
    ...(isOwnNote ? [`# ${notes.command}`] : []),
    yaml({ engine }),
    '',
    `# ${notes.adopt}`,
    // Names and settings come from logs; nothing of them may begin a line.
    harmless(`#   klens study adopt ${quoted(file)} ${cells.map(quoted).join(' ')}`),
    '',
  ].join('\n')
}

function questionOf(varied: readonly string[], language: Language): string {
  const keys = varied.length === 0 ? '…' : listed(varied)
  return language === 'zh' ? `${keys} 对 val.score 有影响吗？` : `Does ${keys} make a difference to val.score?`
}

/** Lists on one line, as people write them. */
function yaml(value: object): string {
  const document = new Document(value)
  visit(document, {
    Seq(_, node) {
      node.flow = true
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()
}

function byCell(one: string, other: string): number {
  const [a, b] = [one, other].map(each => each.slice(each.indexOf('=')))
  return a < b ? -1 : 1
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Without what tells runs apart and makes no other experiment of them. */
function experimentIn(config: Config): { readonly [key: string]: Json } {
  return Object.fromEntries(
    Object.entries(config).filter(
      ([key, value]) =>
        value !== null && !isJsonObject(value) && !isIdentityKey(key) && !isSeedKey(key) && !key.startsWith('_'),
    ),
  )
}

function isDefault(defaults: ReadonlyMap<string, Json>, key: string, value: Json | undefined): boolean {
  return value === undefined || canonicalJson(defaults.get(key) ?? null) === canonicalJson(value)
}

function valuesOf(points: readonly { readonly [key: string]: Json }[], key: string): readonly Json[] {
  const values = [...new Map(points.map(point => [canonicalJson(point[key]), point[key]])).values()]
  return values.toSorted((a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : 0))
}

function seedOf({ settings, config }: RunView): number | null {
  const named = settings.get('seed')?.effective ?? Object.entries(config).find(([key]) => isSeedKey(key))?.[1]
  const seed = numberOf(named)
  return seed !== null && Number.isInteger(seed) && seed >= 0 ? seed : null
}

interface FoundEngine {
  readonly engine: Json
  readonly defaults: ReadonlyMap<string, Json>
  /** A person has to say how it is started. */
  readonly isOwnNote: boolean
}

const PRESET_OF: { readonly [framework: string]: PresetName } = {
  verl: 'verl',
  trl: 'trl',
  openrlhf: 'openrlhf',
  'lever-plus': 'lever-plus',
}

async function engineOf(runs: readonly RunView[]): Promise<FoundEngine> {
  const [first] = runs
  const programs = [
    ...new Set(runs.map(({ manifest, framework }) => (manifest.source === SOURCE ? SOURCE : (framework ?? '?')))),
  ]
  if (programs.length > 1)
    throw new Problem('bad-request', say('study.from-runs.mixed', { programs: programs.join(', ') }))
  if (first.manifest.source === SOURCE) {
    const { task } = first.config
    const read = readAnyConfig({ base: task === undefined ? {} : { task } })
    const { task: _, ...defaults } = read.kind === 'config' ? flatConfig(read.config) : {}
    return { engine: 'builtin', defaults: new Map(Object.entries(defaults)), isOwnNote: false }
  }
  const preset = PRESET_OF[first.framework ?? '']
  if (preset === undefined) {
    const command = ['python3', 'train.py', '--out', '{folder}', '--seed', '{seed}', '{overrides}']
    return { engine: { command, metrics: 'metrics.jsonl' }, defaults: new Map(), isOwnNote: true }
  }
  const schema = await closestRelease(preset, Object.keys(first.config))
  if (schema === null) return { engine: preset, defaults: new Map(), isOwnNote: false }
  const isFork = schema.version === 'userrl'
  return {
    engine: isFork ? 'userrl' : { preset, release: schema.version },
    defaults: new Map([...schema.settings].map(([key, { value }]) => [key, value])),
    isOwnNote: false,
  }
}

/** The release that knows most of the keys; of several the newest. */
async function closestRelease(preset: PresetName, keys: readonly string[]): Promise<Schema | null> {
  const { framework, flavour } = PRESETS[preset]
  if (framework === 'lever-plus') return null
  let best: { readonly schema: Schema; readonly known: number } | null = null
  for (const schema of await bundledSchemas(framework, flavour)) {
    const known = keys.filter(key => schema.settings.has(key)).length
    if (best === null || known > best.known) best = { schema, known }
  }
  return best?.schema ?? null
}
