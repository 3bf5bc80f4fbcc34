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
  ['runs', /^\s?(?:complete |full |training )?(?:runs|trainings|experiments)(?![a-z])|^\s?(?:个|次)?\s?(?:run(?!s?\w)|训练|实验)/i],
  ['points', /^\s?(?:evaluations?|evals?|validations?|checkpoints?)(?![a-z])|^\s?次(?:验证|评测|评估)/i],
  ['steps', /^\s?(?:training |optimi[sz]er )?(?:steps?|epochs?|iterations?)(?![a-z])|^\s?(?:个\s?)?(?:步|轮|steps?|epochs?)/i],
  ['samples', /^\s?(?:responses?|samples?|rollouts?|completions?|generations?)(?: (?:per|for each|a) prompt)?(?![a-z])|^\s?(?:条|个)\s?(?:回复|样本|回答|采样)?/i],
  ['prompts', /^\s?(?:prompts?|questions?|problems?|examples?|items?|tasks?)(?![a-z])|^\s?(?:个\s?)?(?:题|道题|条|样本|prompts?|问题)/i],
]
const SETTINGS: { readonly [counted in Counted]?: RegExp } = {
  steps: /total_training_steps|max_steps|num_train_epochs|total_epochs|(?:^|[._])steps$/i,
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
  if (
    isStep ||
    decimals > 0 ||
    signed ||
    unit === '%' ||
    unit === 'points' ||
    unit === 'times' ||
    !Number.isInteger(value)
  )
    return []
  const digits = /^[\d,]+/.exec(text.slice(from, to))?.[0].length ?? to - from
  const behind = text.slice(from + digits, from + digits + 28)
  const before = text.slice(Math.max(0, from - 14), from)
  // "Its best after 40 steps" claims a step, "after 200 steps" is one: neither is how many there are.
  const isAfter = unit === 'step' && /(?:after|needs?|needed|took|用了|经过)\s?$/i.test(before)
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
  const named = candidates.filter(({ isSure }) => isSure).map(({ value: runs }) => runs)
  const [own = log.runs] = named
  const counts = countsOf(log, asked, own)
  const values = [...new Set(counts)].map(count => ({ value: count, printed: count, step: null, run: null }))
  if (values.length === 0) return []
  const metric = { name: what, spread: 1, distinct: 20 }
  const around = `${text.slice(Math.max(0, from - 12), from)} ${behind}`
  const isTotal =
    !isAfter && (what !== 'steps' || /per run|each|in all|total|all|for|trained|训练|共|均为|各/i.test(around))
  const isNamed = isTotal && (values.length === 1 || what === 'every' || what === 'runs')
  const kind = 'count' as const
  const first: FigureReading = {
    metric,
    values,
    address: null,
    computed: null,
    rank: 0,
    isNamed: isNamed && what !== 'groups',
    chance: 0,
    kind,
  }
  return [first]
}

const counted = new WeakMap<readonly LogRun[], Map<Counted, readonly number[]>>()

/** Counted once for some runs. */
function countsOf(log: Log, what: Counted, runs: readonly LogRun[]): readonly number[] {
  const own = counted.get(runs) ?? new Map<Counted, readonly number[]>()
  const found = own.get(what) ?? countAll(log, what, runs)
  counted.set(runs, own.set(what, found))
  return found
}

function countAll(log: Log, what: Counted, runs: readonly LogRun[]): readonly number[] {
  const all = runs.length > 0 ? runs : log.runs
  const setting = SETTINGS[what]
  const set =
    setting === undefined
      ? []
      : all.flatMap(run =>
          [...log.settings.keys()].filter(key => setting.test(key)).flatMap(key => log.settingOf(run, key) ?? []),
        )
  const series = all.flatMap(run => [...log.metrics.values()].flatMap(metric => log.seriesOf(run, metric.name) ?? []))
  switch (what) {
    case 'runs':
      return [log.runs.length, all.length]
    case 'seeds': {
      const sizes = [...new Set(all.map(({ group }) => log.groups.get(group)?.length ?? 0))]
      return sizes
    }
    case 'groups':
      return [log.groups.size]
    case 'steps':
      return [
        ...new Set([
          ...series.map(({ steps }) => steps.at(-1) ?? 0).filter((last, _, lasts) => last === Math.max(...lasts)),
          ...set,
        ]),
      ]
    case 'points':
      return [
        ...new Set(
          series
            .filter(({ isValidation }) => isValidation)
            .flatMap(({ steps }) => (steps[0] === 0 ? [steps.length, steps.length - 1] : [steps.length])),
        ),
      ]
    case 'every':
      return [
        ...new Set([
          ...series
            .filter(({ isValidation, steps }) => isValidation && steps.length > 2)
            .map(({ steps }) => (steps[2] ?? 0) - (steps[1] ?? 0)),
          ...set,
        ]),
      ]
    default:
      return [...new Set(set)]
  }
}
