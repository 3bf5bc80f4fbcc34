import { z } from 'zod'
import type { Json } from '../../../logs/model/json.js'
import type { LaunchFramework } from '../launch.js'
import { type DeclaredSetting, makeSchema, type Schema } from './schema.js'

/**
 * The key lists that klens brings along, made by `npm run schemas` of the packages on PyPI. A list holds all releases of
 * one framework together: a key once, with the releases that have it (a bit each) and what it is by default in them.
 */

const listSchema = z.object({
  releases: z.array(z.tuple([z.string(), z.string()])),
  estimators: z.record(z.string(), z.array(z.string())).optional(),
  keys: z.record(z.string(), z.array(z.tuple([z.string(), z.json()], z.string()))),
})

type KeyList = z.infer<typeof listSchema>

async function listOf(framework: LaunchFramework): Promise<KeyList | null> {
  switch (framework) {
    case 'verl':
      return listSchema.parse((await import('./lists/verl.json', { with: { type: 'json' } })).default)
    case 'trl':
    case 'trl-ppo':
    case 'hf':
      return listSchema.parse((await import('./lists/trl.json', { with: { type: 'json' } })).default)
    case 'openrlhf':
      return listSchema.parse((await import('./lists/openrlhf.json', { with: { type: 'json' } })).default)
    default:
      return null
  }
}

/** Newest first, with what stands outside of the numbered releases where it belongs in time, forks last. */
const VERL_ORDER = ['0.9.1', '0.8.0', '0.7.1', '2026-01', '0.6.1', '0.5.0', '0.4.1', '0.4.0', 'userrl']

/** The releases that have this flavour of settings, newest first. Made once: a study asks for each of its arms. */
export function bundledSchemas(framework: LaunchFramework, flavour: string): Promise<readonly Schema[]> {
  const key = `${framework} ${flavour}`
  const known = made.get(key) ?? makeSchemas(framework, flavour)
  made.set(key, known)
  return known
}

const made = new Map<string, Promise<readonly Schema[]>>()

async function makeSchemas(framework: LaunchFramework, flavour: string): Promise<readonly Schema[]> {
  const list = await listOf(framework)
  if (list === null) return []
  const found = list.releases.flatMap(([version, name], position) =>
    name === flavour ? [schemaAt(list, position, framework, version)] : [],
  )
  if (framework !== 'verl') return found.toReversed()
  return found.toSorted((a, b) => VERL_ORDER.indexOf(a.version) - VERL_ORDER.indexOf(b.version))
}

function schemaAt(list: KeyList, position: number, framework: LaunchFramework, version: string): Schema {
  const bit = 1n << BigInt(position)
  const settings = new Map<string, DeclaredSetting>()
  for (const [key, declared] of Object.entries(list.keys)) {
    const own = declared.find(([mask]) => (BigInt(`0x${mask}`) & bit) !== 0n)
    if (own !== undefined) settings.set(key, { value: own[1] satisfies Json, type: own[2] ?? null })
  }
  const estimators = list.estimators?.[version] ?? null
  return makeSchema({ framework, version, origin: 'fitting', estimators }, settings)
}

/** Versions of a framework that can be named. */
export async function bundledVersions(framework: LaunchFramework): Promise<readonly string[]> {
  return [...new Set((await listOf(framework))?.releases.map(([version]) => version) ?? [])]
}
