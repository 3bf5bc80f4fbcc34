import type { Config } from '../../logs/model/run.js'
import { once } from '../../logs/model/util/memo.js'
import { settingNamed } from '../../logs/model/vocabulary/config-lookup.js'
import { type EffectiveKl, effectiveKl } from '../../logs/model/vocabulary/effective-kl.js'
import type { Framework } from '../../logs/model/vocabulary/framework.js'
import type { MetricMeaning } from '../../logs/model/vocabulary/metric.js'
import { meaningOf } from '../../logs/model/vocabulary/resolve.js'
import type { RunGoal } from '../../logs/model/vocabulary/run-goal.js'
import { type RunSetting, settingsOf, validationSize } from '../../logs/model/vocabulary/settings.js'
import { wholeConfig } from '../store/manifest.js'
import type { LoadedRun } from '../store/series.js'
import {
  carriersAmong,
  frameworkOf,
  goalOf,
  metricsNamed,
  vocabularyOf,
  type WorkspaceVocabulary,
} from '../store/vocabulary.js'

/**
 * A run as every question receives it: what the store holds, and what its settings and metrics mean in the words of
 * klens and of the user's vocabulary.yaml. Nobody puts these together by hand, so an alias that works in one verb works
 * in all. Settings are worked out when first asked for: a list of runs rarely asks.
 */
export interface RunView extends LoadedRun {
  readonly config: Config
  readonly framework: Framework | null
  /** By canonical key, in the order of the table; a setting that nothing tells is not in it. */
  readonly settings: ReadonlyMap<string, RunSetting>
  readonly kl: EffectiveKl
  /** How many prompts one validation asks, where the config says so. */
  readonly validationSize: number | null
  /** What it is judged by, and the role of every validation series. */
  readonly goal: RunGoal
  readonly meaningOf: (metric: string) => MetricMeaning
  /** The canonical setting that a key of the config stands for; null where nothing knows it. */
  readonly settingNamed: (key: string) => string | null
  /** A name of which the user said that it needs no meaning. */
  readonly isIgnored: (name: string) => boolean
  /** Which of its metrics a person means by a name: the one of that very name, else all that carry the meaning. */
  readonly metricsNamed: (name: string) => readonly string[]
  /** Of some names, those that carry a meaning, the best carrier first. */
  readonly carriersAmong: (names: readonly string[], canonical: string) => readonly string[]
}

export function viewRun(run: LoadedRun, words: WorkspaceVocabulary): RunView {
  const before = views.get(run)
  if (before !== undefined && before.words === words) return before.view
  const view = makeView(run, words)
  views.set(run, { words, view })
  views.set(view, { words, view })
  return view
}

const views = new WeakMap<LoadedRun, { readonly words: WorkspaceVocabulary; readonly view: RunView }>()

function makeView(run: LoadedRun, words: WorkspaceVocabulary): RunView {
  const { manifest } = run
  const config = wholeConfig(manifest)
  const framework = frameworkOf(manifest)
  const vocabulary = vocabularyOf(manifest, words)
  const settings = once(
    () => new Map(settingsOf(config, framework, words.user).map(setting => [setting.key, setting] as const)),
  )
  const kl = once(() => effectiveKl(config, framework, words.user))
  const goal = once(() => goalOf(manifest, words))
  const size = once(() => validationSize(config, framework, words.user))
  return {
    ...run,
    config,
    framework,
    get settings() {
      return settings()
    },
    get kl() {
      return kl()
    },
    get validationSize() {
      return size()
    },
    get goal() {
      return goal()
    },
    meaningOf: metric => withGoal(meaningOf(metric, vocabulary), metric, goal()),
    settingNamed: key => settingNamed(key, framework, words.user),
    isIgnored: name => words.user?.ignored?.has(name) ?? false,
    metricsNamed: name => metricsNamed(manifest, name, words),
    carriersAmong: (names, canonical) => carriersAmong(manifest, names, canonical, words),
  }
}

/** With the direction that the user gave to the metric that runs are judged by. */
function withGoal(meaning: MetricMeaning, metric: string, { source, yardsticks }: RunGoal): MetricMeaning {
  const given = source === 'user' ? yardsticks.find(yardstick => yardstick.metric === metric) : undefined
  return given === undefined ? meaning : { ...meaning, goal: given.goal }
}

/**
 * The same score on every validation set. A log that validates on three data sets writes one metric for each, alike but
 * for the name of the set; a question about one of them concerns all, and none is picked in silence.
 */

/** The metric itself first, then those of other data sets: what the run is judged by there, else of the same form. */
export function onEverySet(run: RunView, metric: string): readonly string[] {
  const judges = run.goal.yardsticks.map(yardstick => yardstick.metric)
  if (judges.includes(metric)) return [metric, ...judges.filter(name => name !== metric)]
  const form = formOf(run, metric)
  if (form === null) return [metric]
  const likes = [...run.manifest.metrics.keys()].filter(name => name !== metric && formOf(run, name) === form)
  return [metric, ...likes]
}

/** The name with a blank for the data set; null where it names none. */
function formOf(run: RunView, metric: string): string | null {
  const { validation, condition } = run.meaningOf(metric)
  if (!validation || condition.dataset === undefined) return null
  const at = metric.indexOf(condition.dataset)
  return at < 0 ? null : `${metric.slice(0, at)}\u0000${metric.slice(at + condition.dataset.length)}`
}
