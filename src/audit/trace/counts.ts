import type { Slot } from './binding.js'
import type { PrintedFigure } from './figure.js'
import type { Log, LogRun } from './log.js'
import type { FigureReading } from './reading.js'

/** How many runs, seeds, steps or evaluations there are: by the word behind the figure. */
type Counted = 'runs' | 'seeds' | 'groups' | 'steps' | 'points' | 'every' | 'prompts' | 'samples' | 'batch'

// biome-ignore format: a table is read by its lines
const BEHIND: readonly (readonly [Counted, RegExp])[] = [
  ['seeds', /^\s?(?:random )?seeds?(?![a-z])|^\s?个?(?:随机)?种子/i],
  ['groups', /^\s?(?:groups|settings|configurations|arms|values)(?![a-z])|^\s?(?:组|种)(?:配置|设置|实验)?/i],
  ['runs', /^\s?(?:complete |full |training )?(?:runs|trainings|experiments)(?![a-z])|^\s?(?:个|次)?\s?(?:run(?!s?\w)|训练(?!步)|实验)/i],
  ['points', /^\s?(?:evaluations?|evals?|validations?|checkpoints?)(?![a-z])|^\s?次(?:验证|评测|评估)/i],
  ['steps', /^\s?(?:training |optimi[sz]er )?(?:steps?|epochs?|iterations?)(?![a-z])|^\s?(?:个\s?)?(?:步|轮|steps?|epochs?)/i],
  ['samples', /^\s?(?:responses?|samples?|rollouts?|completions?|generations?)(?: (?:per|for each|a) prompt)?(?![a-z])|^\s?(?:条|个)\s?(?:回复|样本|回答|采样)?/i],
  ['prompts', /^\s?(?:prompts?|questions?|problems?|examples?|items?|tasks?)(?![a-z])|^\s?(?:个\s?)?(?:题|道题|条|样本|prompts?|问题)/i],
]
const SETTINGS: { readonly [counted in Counted]?: RegExp } = {
  steps: /total_training_steps|max_steps|num_train_epochs|total_epochs|(?:^|\.)steps$/i,
  every: /test_freq|eval_steps|eval_freq|save_freq|logging_steps|interval/i,
  prompts: /val_size|eval_size|(?:^|[._])prompts?$|n_val|val_samples|test_size/i,
  batch: /train_batch_size|(?:^|[._])batch_size$/i,
  samples: /rollout[._]n$|num_generations|group_size|n_samples/i,
}

export function countReadings(
  log: Log,
  text: string,
  { quantity, from, to, isStep }: PrintedFigure,
  candidates: readonly Slot<readonly LogRun[]>[],
): readonly FigureReading[] {
  const { decimals, unit, signed, value } = quantity
  const isAmount = unit === '%' || unit === 'points' || unit === 'times'
  if (isStep || decimals > 0 || signed || isAmount || !Number.isInteger(value)) return []
  const digits = /^[\d,]+/.exec(text.slice(from, to))?.[0].length ?? to - from
  const behind = text.slice(from + digits, from + digits + 28)
  const before = text.slice(Math.max(0, from - 14), from)
  // "Its best after 40 steps" claims a step, "after 200 steps" is one: neither is how many there are.
  const isAfter = unit === 'step' && /(?:after|from|needs?|needed|took|用了|经过)\s?$/i.test(before)
  if (isAfter && /(?:best|peak|highest|lowest|最)[^,;，；。]*$/i.test(text.slice(0, from))) return []
  const every = /(?:every|each|每隔?)\s?$/i.test(before)
  const what =
    every && /^\s?(?:steps?|epochs?|步|轮|个?\s?epochs?)/i.test(behind)
      ? 'every'
      : /(?:seeds?|种子)(?:\s?[:=：]\s?|数为?)$/i.test(before) && !/^\s?\w/.test(behind)
        ? 'seeds'
        : BEHIND.find(([, pattern]) => pattern.test(behind))?.[0]
  if (what === undefined) return []
  if (what === 'samples' && !/采样|sampl|responses?|per prompt|rollout|generations?|completions?/i.test(text)) return []
  const asked: Counted = what === 'prompts' && /batch|每步|per step|一批/i.test(text) ? 'batch' : what
  const [own = log.runs] = candidates.filter(({ isSure }) => isSure).map(({ value: runs }) => runs)
  const values = countsOf(log, asked, own).map(count => ({ value: count, printed: count, step: null, run: null }))
  if (values.length === 0) return []
  const around = `${text.slice(Math.max(0, from - 12), from)} ${behind}`
  const isTotal =
    !isAfter && (what !== 'steps' || /per run|each|in all|total|all|for|trained|训练|共|均为|各/i.test(around))
  // "Above 0.5 on 36 steps" counts some of them.
  const isSome = /(?:(?<![a-z])(?:on|in)|连续|有|共有)\s?$/i.test(before)
  const isNamed =
    isTotal &&
    !isSome &&
    what !== 'groups' &&
    (what !== 'seeds' || isOneSize(log)) &&
    what !== 'prompts' &&
    what !== 'samples' &&
    (values.length === 1 || what === 'every' || what === 'runs')
  const metric = { name: what, spread: 1, distinct: 20 }
  return [{ metric, values, address: null, computed: null, rank: 0, isNamed, chance: 0, kind: 'count' }]
}

/** All groups have as many runs: of which of them a number of seeds is does not matter. */
const isOneSize = ({ groups }: Log): boolean => new Set([...groups.values()].map(({ length }) => length)).size === 1

const counted = new WeakMap<readonly LogRun[], Map<Counted, readonly number[]>>()

/** Counted once for some runs. */
function countsOf(log: Log, what: Counted, runs: readonly LogRun[]): readonly number[] {
  const own = counted.get(runs) ?? new Map<Counted, readonly number[]>()
  const found = own.get(what) ?? [...new Set(countAll(log, what, runs.length > 0 ? runs : log.runs))]
  counted.set(runs, own.set(what, found))
  return found
}

function countAll(log: Log, what: Counted, runs: readonly LogRun[]): readonly number[] {
  const setting = SETTINGS[what]
  const keys = setting === undefined ? [] : [...log.settings.keys()].filter(key => setting.test(key))
  const set = runs.flatMap(run => keys.flatMap(key => log.settingOf(run, key) ?? []))
  const series = runs.flatMap(run => [...log.metrics.keys()].flatMap(metric => log.seriesOf(run, metric) ?? []))
  const validated = series.filter(({ isValidation }) => isValidation).map(({ steps }) => steps)
  switch (what) {
    case 'runs':
      return [log.runs.length, runs.length]
    case 'seeds':
      return runs.map(({ group }) => log.groups.get(group)?.length ?? 0)
    case 'groups':
      return [log.groups.size]
    case 'steps':
      return [series.reduce((most, { steps }) => Math.max(most, steps.at(-1) ?? 0), 0), ...set]
    case 'points':
      return validated.flatMap(({ length, 0: first }) => (first === 0 ? [length, length - 1] : [length]))
    case 'every':
      return [...validated.flatMap(([, a, b]) => (a === undefined || b === undefined ? [] : [b - a])), ...set]
    default:
      return set
  }
}
