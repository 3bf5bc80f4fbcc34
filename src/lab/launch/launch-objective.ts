import { objectiveCard } from '../../core/analysis/objective/card.js'
import type { Json } from '../../logs/model/json.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { effectiveKl } from '../../logs/model/vocabulary/effective-kl.js'
import { sentences } from '../../text/sentences.js'
import { readAnyConfig } from '../train/config/any.js'
import { type Experiment, klensConfig } from './experiment.js'
import { settingIn } from './launch.js'
import { bundledSchemas } from './schema/bundled.js'

/** The objective card of a launch, with what hangs on the release where only a guess tells which one will run. */

const say = sentences({
  'launch-objective.own': {
    en: 'what your own config or script sets besides: it was not read, and defaults are assumed',
    zh: '自己的配置或脚本中的其他设置：未能读取，按默认值计',
  },
  'launch-objective.default': {
    en: '{key} is left to its default, which depends on the release: {defaults}',
    zh: '{key} 取默认值，而默认值因版本而异：{defaults}',
  },
})

export async function launchObjective(experiment: Experiment) {
  const { launch, schema, setting } = experiment
  const { framework } = launch.program
  const isKlens = framework === 'klens'
  const config = isKlens ? klensConfig(launch, readAnyConfig) : experiment.config
  // UserRL's fork is told by its own estimator; any other release that only fits may not be the one that runs.
  const version = schema?.version === 'userrl' ? '0.4' : schema?.origin === 'fitting' ? null : (schema?.version ?? null)
  const changed = version === null ? await changedDefaults(experiment) : []
  const hangsOnRelease = changed.some(({ canonical }) => canonical === RATIO_ON_KL)
  return objectiveCard(
    {
      framework,
      version,
      config,
      setting: canonical =>
        isKlens
          ? config[canonical]
          : canonical === RATIO_ON_KL && hangsOnRelease
            ? undefined
            : setting(canonical).value,
      kl: effectiveKl(config, framework),
      isKlens,
      isOpen: canonical => setting(canonical).written !== null && setting(canonical).value === undefined,
    },
    [
      ...(launch.program.isOwn ? [say('launch-objective.own', {})] : []),
      ...changed.map(({ key, defaults }) => say('launch-objective.default', { key, defaults })),
    ],
  )
}

/** No other row of the answer speaks of it, so that it can stay unknown; the rest is taken as the release that fits has it. */
const RATIO_ON_KL = 'kl.loss.bias_correction'

/** What decides about the objective. */
const DECISIVE = [
  ...['loss.type', 'loss.aggregation', 'adv.scale', 'clip.range', 'clip.low', 'clip.high', 'epochs.inner'],
  ...['kl.loss.on', 'kl.loss.coef', 'kl.loss.estimator', 'kl.reward.on', 'kl.reward.coef', 'kl.reward.estimator'],
  ...[RATIO_ON_KL, 'entropy.coef'],
]

interface ChangedDefault {
  readonly canonical: string
  readonly key: string
  readonly defaults: string
}

async function changedDefaults({ launch, setting }: Experiment): Promise<readonly ChangedDefault[]> {
  const { framework, flavour } = launch.program
  const releases = await bundledSchemas(framework, flavour)
  return DECISIVE.flatMap(canonical => {
    const key = settingIn(framework, canonical)
    if (key === null || setting(canonical).written !== null) return []
    const declared = releases.flatMap(({ settings, version }) => {
      const found = settings.get(key)
      return found === undefined ? [] : [{ value: shownDefault(key, found.value), version }]
    })
    const values = groupBy(declared, ({ value }) => value)
    if (values.size < 2) return []
    const spans = [...values].map(([value, alike]) => `${value} (${spanOf(alike.map(({ version }) => version))})`)
    return [{ canonical, key, defaults: spans.join(', ') }]
  })
}

/** TRL's `scale_rewards: true` has become `group`. */
function shownDefault(key: string, value: Json): string {
  if (key === 'scale_rewards' && value === true) return 'group'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Newest first, as releases are listed. */
function spanOf(versions: readonly string[]): string {
  const [newest, oldest] = [versions[0], versions.at(-1)]
  return newest === oldest ? `${newest}` : `${oldest} … ${newest}`
}
