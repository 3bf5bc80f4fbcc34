import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { composeConfig } from '../hydra/compose.js'
import { configOf, type Launch } from '../launch.js'
import { bundledSchemas, bundledVersions } from './bundled.js'
import { type DeclaredSetting, makeSchema, refusedBy, type Schema } from './schema.js'

/**
 * Which release a launch is checked against: the one that the user names, the verl that lies where the launch would find
 * it, else the one of the bundled lists that refuses least of what is set.
 */

const say = sentences({
  'schema.no-verl': {
    en: '--verl is "{given}": there is no verl at that path (a folder with verl/trainer/config in it), and the versions that klens knows are {known}',
    zh: '--verl 是“{given}”：该路径下没有 verl（应有 verl/trainer/config 目录）；klens 内置的版本有 {known}',
  },
  'schema.no-flavour': {
    en: 'the verl at "{given}" has no settings for {flavour}: this release does not have that trainer; set --verl to one of {known}',
    zh: '“{given}”处的 verl 没有 {flavour} 的配置：该版本已不提供或尚未提供这个训练器；请用 --verl 指定 {known} 之一',
  },
})

export interface SchemaWish {
  /** A version, or a path: a checkout, a virtual environment, site-packages. */
  readonly named: string | null
  /** Folders in which, and above which, an installed verl may lie. */
  readonly near: readonly string[]
  readonly pythonPath: readonly string[]
}

export async function chooseSchema(launch: Launch, { named, near, pythonPath }: SchemaWish): Promise<Schema | null> {
  const { framework, flavour } = launch.program
  const bundled = await bundledSchemas(framework, flavour)
  if (named !== null && framework === 'verl') {
    const version = named.replace(/^v(?:erl)?[- ]?/i, '')
    const listed = bundled.find(schema => schema.version === version)
    const own =
      listed === undefined ? installedVerl([resolve(named)], flavour, bundled) : { ...listed, origin: 'named' as const }
    if (own !== null) return own
    const known = (await bundledVersions(framework)).join(', ')
    const isThere = packagesIn(resolve(named)).length > 0
    throw new Problem(
      'not-found',
      isThere
        ? say('schema.no-flavour', { given: named, flavour, known })
        : say('schema.no-verl', { given: named, known }),
    )
  }
  const places = [...pythonPath, ...near.flatMap(withParents)]
  const installed = framework === 'verl' ? installedVerl(places, flavour, bundled) : null
  return installed ?? fitting(launch, bundled)
}

/** The first, which is the newest, of those that refuse least. */
function fitting(launch: Launch, schemas: readonly Schema[]): Schema | null {
  const estimator = configOf(launch)['algorithm.adv_estimator']
  let best: { readonly schema: Schema; readonly refused: number } | null = null
  for (const schema of schemas) {
    const isStrange = typeof estimator === 'string' && schema.estimators?.includes(estimator) === false
    const refused = refusedBy(launch, schema).length + (isStrange ? 1 : 0)
    if (best === null || refused < best.refused) best = { schema, refused }
  }
  return best?.schema ?? null
}

const MOST_PARENTS = 6

function withParents(folder: string): readonly string[] {
  const folders: string[] = []
  for (let at = folder; folders.length < MOST_PARENTS; at = dirname(at)) {
    folders.push(at)
    if (dirname(at) === at) break
  }
  return folders
}

/** verl ships its whole tree of settings as one file; before 0.5 the config itself is that tree. */
function installedVerl(places: readonly string[], flavour: string, bundled: readonly Schema[]): Schema | null {
  for (const root of places.flatMap(packagesIn)) {
    const config = join(root, 'trainer/config')
    const read = (path: string): string | null => readText(join(config, `${path}.yaml`))
    const tree = composeConfig(read, `_generated_${flavour}`) ?? composeConfig(read, flavour)
    if (tree === null) continue
    const version = (readText(join(root, 'version/version')) ?? '').trim() || root
    const settings = new Map<string, DeclaredSetting>()
    collect(tree, '', settings)
    const alike = bundled.find(schema => schema.version === version)
    const estimators = estimatorsIn(root) ?? alike?.estimators ?? null
    const isFork = estimators?.includes('grpo_multiturn') === true
    const about = { framework: 'verl', version: isFork ? 'userrl' : version, origin: 'installed', estimators } as const
    return makeSchema(about, settings)
  }
  return null
}

/** A checkout, site-packages itself, or a virtual environment around one. */
function packagesIn(folder: string): readonly string[] {
  const environments = [folder, join(folder, '.venv'), join(folder, 'venv')].flatMap(place =>
    names(join(place, 'lib'))
      .filter(name => name.startsWith('python'))
      .map(name => join(place, 'lib', name, 'site-packages')),
  )
  return [folder, ...environments]
    .flatMap(place => [place, join(place, 'verl'), join(place, 'verl/verl')])
    .filter(place => isFile(join(place, 'trainer/config/ppo_trainer.yaml')))
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

const LARGEST = 1 << 21

function readText(path: string): string | null {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY
  return size > LARGEST ? null : readFileSync(path, 'utf8')
}

function collect(tree: Json, prefix: string, settings: Map<string, DeclaredSetting>): void {
  if (isJsonObject(tree) && (prefix === '' || Object.keys(tree).length > 0)) {
    for (const [name, child] of Object.entries(tree))
      collect(child, prefix === '' ? name : `${prefix}.${name}`, settings)
  } else settings.set(prefix, { value: tree, type: null })
}

/** The names stand in an enumeration, `GRPO = "grpo"`; a decorator may add more. */
function estimatorsIn(root: string): readonly string[] | null {
  const found = ['trainer/ppo/core_algos.py', 'trainer/ppo/ray_trainer.py'].flatMap(path => {
    const text = readText(join(root, path)) ?? ''
    const [, members = ''] = /^class AdvantageEstimator\b[^\n]*\n((?:[ \t]+[^\n]*\n|\n)*)/m.exec(text) ?? []
    const listed = [...members.matchAll(/^[ \t]+[A-Z_]+ = ["']([\w-]+)["']/gm)]
    return [...listed, ...text.matchAll(/register_adv_est\(["']([\w-]+)["']\)/g)].map(([, name]) => name)
  })
  return found.length === 0 ? null : [...new Set(found)].sort()
}
