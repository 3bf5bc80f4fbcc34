import { objectiveCard } from '../../core/analysis/objective/card.js'
import type { Json } from '../../logs/model/json.js'
import type { Message } from '../../logs/model/run.js'
import { effectiveKl } from '../../logs/model/vocabulary/effective-kl.js'
import { sentences } from '../../text/sentences.js'
import type { Experiment } from './experiment.js'
import { settingIn } from './launch.js'
import { bundledSchemas } from './schema/bundled.js'

/** The objective card of a launch, with what hangs on the release where only a guess tells which one will run. */

const say = sentences({
  'launch-objective.own': {
    en: 'what your own config or script sets besides: it was not read, and defaults are taken',
    zh: '自己的配置或脚本中的其他设置：未能读取，按默认值计',
  },
  'launch-objective.default': {
    en: '{key} is left to its default, which depends on the release: {defaults}',
    zh: '{key} 取默认值，而默认值因版本而异：{defaults}',
  },
})

export async function launchObjective(experiment: Experiment) {
  const { launch, schema, config, setting } = experiment
  const { framework } = launch.program
  // UserRL's fork is told by its own estimator; any other release that only fits may not be the one that runs.
  const version = schema?.version === 'userrl' ? '0.4' : schema?.origin === 'fitting' ? null : (schema?.version ?? null)
  const isOpen = (canonical: string): boolean => {
    const { value, written } = setting(canonical)
    return written !== null && value === undefined
  }
  return objectiveCard(
    {
      framework,
      version,
      config,
      setting: canonical => setting(canonical).value,
      kl: effectiveKl(config, framework),
      isKlens: framework === 'klens',
      isOpen,
    },
    [
      ...(launch.program.isOwn ? [say('launch-objective.own', {})] : []),
      ...(version === null ? await changedDefaults(experiment) : []),
    ],
  )
}

/** What decides about the objective. */
const DECISIVE = [
  ...['loss.type', 'loss.aggregation', 'adv.scale', 'clip.range', 'clip.low', 'clip.high', 'epochs.inner'],
  ...['kl.loss.on', 'kl.loss.coef', 'kl.loss.estimator', 'kl.reward.on', 'kl.reward.coef', 'kl.reward.estimator'],
  ...['kl.loss.bias_correction', 'entropy.coef'],
]

async function changedDefaults({ launch, setting }: Experiment): Promise<readonly Message[]> {
  const { framework, flavour } = launch.program
  const releases = await bundledSchemas(framework, flavour)
  return DECISIVE.flatMap(canonical => {
    const key = settingIn(framework, canonical)
    if (key === null || setting(canonical).written !== null) return []
    const values = new Map<string, readonly string[]>()
    for (const { settings, version } of releases) {
      const declared = settings.get(key)
      if (declared === undefined) continue
      const shown = shownDefault(declared.value)
      values.set(shown, [...(values.get(shown) ?? []), version])
    }
    if (values.size < 2) return []
    const defaults = [...values].map(([value, versions]) => `${value} (${spanOf(versions)})`).join(', ')
    return [say('launch-objective.default', { key, defaults })]
  })
}

function shownDefault(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Newest first, as releases are listed. */
function spanOf(versions: readonly string[]): string {
  const [newest, oldest] = [versions[0], versions.at(-1)]
  return newest === oldest ? `${newest}` : `${oldest} … ${newest}`
}
