import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { writeFileAtomically } from '../../store/atomic.js'
import { cacheFolder, type Workspace } from '../../store/workspace.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import { canonicalJson } from '../../train/config/hash.js'
import { INTENTION_DEFAULTS } from '../../train/config/language-settings.js'
import type { ConfigReading, ConfigSources } from '../../train/config/read.js'
import { DEFAULT_CONFIG } from '../../train/config/selector-settings.js'

/**
 * The configs of a study's arms, remembered from the last time that somebody asked how it stands: to check the settings of
 * a hundred arms takes longer than all the rest of the answer. Only configs that hold are remembered, by all that they
 * were read from; whoever runs a study reads them anew.
 */
export interface RememberedConfigs {
  readonly read: ConfigReader
  /** To be called when all have been read. */
  save(): Promise<void>
}

export type ConfigReader = (sources: ConfigSources) => ConfigReading<AnyTrainConfig>

interface Cache {
  /** What decides a config beside what is written. */
  readonly around: string
  readonly configs: { readonly [sources: string]: AnyTrainConfig }
}

export async function rememberedConfigs(workspace: Workspace, study: string): Promise<RememberedConfigs> {
  const name = createHash('sha256').update(resolve(study)).digest('hex').slice(0, 16)
  const path = join(cacheFolder(workspace), `configs-${name}.json`)
  const around = hashOf(`${resolve('.')} ${canonicalJson(DEFAULT_CONFIG)} ${canonicalJson(INTENTION_DEFAULTS)}`)
  const before = await readCache(path, around)
  const used: { [sources: string]: AnyTrainConfig } = {}
  let isChanged = false
  return {
    read(sources) {
      const key = hashOf(JSON.stringify(sources))
      const known = before[key]
      const reading: ConfigReading<AnyTrainConfig> =
        known === undefined ? readAnyConfig(sources) : { kind: 'config', config: known }
      isChanged ||= known === undefined
      if (reading.kind === 'config') used[key] = reading.config
      return reading
    },
    async save() {
      if (!isChanged && Object.keys(used).length === Object.keys(before).length) return
      try {
        await mkdir(cacheFolder(workspace), { recursive: true })
        await writeFileAtomically(path, JSON.stringify({ around, configs: used } satisfies Cache))
      } catch {
        // A workspace that may only be read: the answer is right all the same.
      }
    },
  }
}

/** Disposable: one that cannot be read is as good as none. */
async function readCache(path: string, around: string): Promise<Cache['configs']> {
  try {
    const cache = JSON.parse(await readFile(path, 'utf8')) as Cache
    return cache.around === around ? cache.configs : {}
  } catch {
    return {}
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
