import type { KlPoint } from '../../core/analysis/frontier/legs.js'
import { pathOf } from '../../core/analysis/frontier/paths.js'
import { passesPeak, type SeenPeak } from '../../core/analysis/frontier/seen-peak.js'
import type { Evidence, Finding } from '../../logs/model/finding.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import type { Goal } from '../../logs/model/vocabulary/metric.js'
import { liveFall } from '../../stats/live-fall.js'
import { figure, percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'

/** What one look at a growing run sees, as far as a decision to stop may rest on it. */
export interface StopInput {
  /** The last step that anything was logged at. */
  readonly step: number
  readonly hours: number | null
  /** The score that the run is judged by; null where it has none, or it is not known which direction is good. */
  readonly score: ScoreCourse | null
  readonly findings: readonly Finding[]
  /** How far it has gone from the reference, and what the workspace knows of runs that went far. */
  readonly distance?: Distance | null
}

export interface Distance {
  readonly kl: readonly KlPoint[]
  /** Whether the score is a validation; else it is the reward of training, which says nothing of a peak. */
  readonly isValidated: boolean
  readonly peak: SeenPeak
}

export interface ScoreCourse {
  readonly metric: string
  readonly goal: Goal
  readonly steps: readonly number[]
  readonly values: readonly number[]
  /** Prompts behind one evaluation, where known. */
  readonly prompts: number | null
}

/** A reason to stop, with the numbers it rests on and how often it would have stopped a healthy run. */
export interface StopDecision {
  readonly rule: string
  readonly step: number
  readonly message: Message
  readonly evidence: Evidence
  readonly falseStops: Message
}

export interface StopRule {
  readonly id: string
  readonly decide: (look: StopInput) => StopDecision | null
}

/** As if higher were better, so that rules need to know one direction only. */
function upward({ goal, values }: ScoreCourse): readonly number[] {
  return goal === 'max' ? values : values.map(value => -value)
}

function downward({ goal }: ScoreCourse, value: number): number {
  return goal === 'max' ? value : -value
}

/** The score has collapsed: far below the level it held, not once only, and beyond all that it ever came back from. */

const say = sentences({
  'stop.collapse': {
    en: '{metric} has collapsed: {now} over the last evaluations, after {held} ({lost} % lost; error of one evaluation ±{noise})',
    zh: '{metric} 已崩塌：最近几次验证为 {now}，此前保持在 {held}（损失 {lost}%；单次验证的波动约 ±{noise}）',
  },
  'stop.collapse.false': {
    en: 'stopped none of 106 healthy runs of two labs, half of them not used for tuning; in simulations under 1 % of healthy runs if the std of one evaluation is at most a tenth of the score (autocorrelation up to 0.9) or at most a third (up to 0.6); up to {worst} % with heavy tails or outliers, up to {wander} % for policies that drift by a third of their score (docs/statistics.md)',
    zh: '两个实验室的 106 个健康 run 中无一被误停，其中一半未用于调整规则；模拟中，单次验证的波动不超过水平的十分之一（自相关至 0.9）或不超过三分之一（自相关至 0.6）时，健康 run 被误停的比例低于 1%；有厚尾或离群值时至多 {worst}%，策略本身以水平的三分之一缓慢游走时至多 {wander}%（docs/statistics.md）',
  },
  'stop.frontier': {
    en: 'KL is {kl}, above {limit}: all {beyond} run{beyond||s} here that went so far ended below the starting score, and none of the {good} others did; {metric} is at {now}, also below {floor}',
    zh: 'KL 已到 {kl}，超过 {limit}：此处走到这么远的 {beyond} 个 run 最终都低于训练起点，其余 {good} 个则没有；{metric} 现为 {now}，也低于 {floor}',
  },
  'stop.frontier.kl': {
    en: 'KL is {kl}, above {limit}: by {metric}, all {beyond} run{beyond||s} here that went so far ended below the starting score, and none of the {good} others did; this run is not validated',
    zh: 'KL 已到 {kl}，超过 {limit}：按 {metric}，此处走到这么远的 {beyond} 个 run 最终都低于训练起点，其余 {good} 个则没有；该 run 没有验证',
  },
  'stop.frontier.false': {
    en: 'stopped {stopped} of {healthy} healthy run{healthy||s} of three labs, each judged by all other runs of its lab (docs/statistics/stopping.md)',
    zh: '三个实验室的 {healthy} 个健康 run 中误停 {stopped} 个，每个都由同一实验室的其他 run 判断（docs/statistics/stopping.md）',
  },
  'stop.patience': {
    en: 'no evaluation of {metric} since step {best} ({value}) was better: {count} in a row',
    zh: '自 step {best}（{value}）以来，{metric} 连续 {count} 次验证没有更好',
  },
  'stop.drop': {
    en: '{metric} is at {now}, {drop} below its best ({value} at step {best})',
    zh: '{metric} 现为 {now}，比最好的一次（step {best} 的 {value}）低 {drop}',
  },
  'stop.steps': { en: 'step {step}: the budget of {limit} steps is spent', zh: 'step {step}：{limit} 步的预算已用完' },
  'stop.hours': {
    en: '{hours} hour{hours||s}: the budget of {limit} is spent',
    zh: '已用 {hours} 小时：{limit} 小时的预算已用完',
  },
  'stop.budget.false': { en: 'a budget: not a judgement of the run', zh: '这是预算，不是对该 run 的判断' },
  'stop.habit.false': {
    en: 'a heuristic, not a test: patience of 10 would have stopped {patience} % of the healthy runs of two labs, a drop of 10 % {drop} % (docs/statistics/stopping.md)',
    zh: '这是习惯做法，不是检验：在两个实验室的健康 run 中，耐心 10 次会误停 {patience}%，下降 10% 会误停 {drop}%（docs/statistics/stopping.md）',
  },
  'stop.finding.false': {
    en: 'checked four to eight times during training, errors of diagnosis stopped none of {healthy} healthy runs of three labs (docs/statistics/stopping.md)',
    zh: '在训练过程中检查四到八次，三个实验室的 {healthy} 个健康 run 无一因诊断错误被误停（docs/statistics/stopping.md）',
  },
  'stop.unknown': {
    en: 'there is no stop rule "{rule}"; the rules are {rules}, and patience=N, drop=N%, steps=N, hours=N',
    zh: '没有停止规则“{rule}”；可用的有 {rules}，以及 patience=N、drop=N%、steps=N、hours=N',
  },
  'stop.bad-number': {
    en: '"{rule}" needs a number above 0, such as patience=10, drop=20%, steps=400 or hours=12',
    zh: '“{rule}”需要一个大于 0 的数，例如 patience=10、drop=20%、steps=400 或 hours=12',
  },
  'stop.study': {
    en: 'the stop rule "{rule}" could favour an arm; a study accepts {rules}, or none',
    zh: '停止规则“{rule}”可能偏袒某个实验组；研究只接受 {rules}，或 none',
  },
})

/** Measured by `npm run calibrate`, false-stops: the worst cells, in per cent. */
const SIMULATED = { worst: '1.6', wander: '9' }

/** Over a whole run. */
const FALSE_STOPS = 0.01

const collapse: StopRule = {
  id: 'collapse',
  decide({ step, score }) {
    if (score === null) return null
    const values = upward(score)
    const fall = liveFall(values, { alpha: FALSE_STOPS, floor: floorOf(score), knownNoise: samplingNoise(score) })
    if (fall === null) return null
    const [held, now] = [downward(score, fall.held), downward(score, fall.now)]
    const lost = (fall.held - fall.now) / (fall.held - floorOf(score))
    return {
      rule: 'collapse',
      step,
      message: say('stop.collapse', {
        metric: score.metric,
        now: figure(now),
        held: figure(held),
        lost: percentage(Math.min(1, lost)),
        noise: figure(fall.noise),
      }),
      evidence: { metric: score.metric, held, now, noise: fall.noise, evaluations: score.values.length },
      falseStops: say('stop.collapse.false', SIMULATED),
    }
  },
}

/** The worst that can be: nothing for scores, and for what may be negative or should be small, where it began, and below. */
function floorOf(score: ScoreCourse): number {
  const values = upward(score)
  return values.every(value => value >= 0) ? 0 : Math.min(...values.slice(0, 3))
}

function samplingNoise({ prompts, values }: ScoreCourse): number {
  if (prompts === null || values.some(value => value < 0 || value > 1)) return 0
  const share = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt((share * (1 - share)) / prompts)
}

/** Limits that a person sets. They are habits and not tests: how often they stop a healthy run depends on its noise. */

/** Measured by `npm run bench -- stops`. */
const HABIT = { patience: 82, drop: 20 }

function patience(evaluations: number): StopRule {
  return {
    id: 'patience',
    decide(look) {
      const best = bestOf(look)
      if (best === null || best.score.values.length - 1 - best.at < evaluations) return null
      const { metric, steps, values } = best.score
      const count = values.length - 1 - best.at
      const params = { metric, best: steps[best.at], value: figure(values[best.at]), count }
      return {
        rule: 'patience',
        step: look.step,
        message: say('stop.patience', params),
        evidence: { metric, best: values[best.at], bestStep: steps[best.at], count },
        falseStops: say('stop.habit.false', HABIT),
      }
    },
  }
}

/** By a share of the best, or by so much. */
function drop(size: { readonly share: number } | { readonly absolute: number }): StopRule {
  return {
    id: 'drop',
    decide(look) {
      const best = bestOf(look)
      if (best === null) return null
      const { metric, steps, values } = best.score
      const [highest, last] = [values[best.at], values[values.length - 1]]
      const limit = 'share' in size ? size.share * Math.abs(highest) : size.absolute
      const fallen = Math.abs(highest - last)
      if (fallen < limit || limit === 0) return null
      return {
        rule: 'drop',
        step: look.step,
        message: say('stop.drop', {
          metric,
          now: figure(last),
          drop: figure(fallen),
          value: figure(highest),
          best: steps[best.at],
        }),
        evidence: { metric, best: highest, bestStep: steps[best.at], last },
        falseStops: say('stop.habit.false', HABIT),
      }
    },
  }
}

function budget(limit: { readonly steps: number } | { readonly hours: number }): StopRule {
  return {
    id: 'budget',
    decide({ step, hours }): StopDecision | null {
      const falseStops = say('stop.budget.false', {})
      if ('steps' in limit) {
        if (step < limit.steps) return null
        const message = say('stop.steps', { step, limit: limit.steps })
        return { rule: 'budget', step, message, evidence: { step, limit: limit.steps }, falseStops }
      }
      if (hours === null || hours < limit.hours) return null
      const message = say('stop.hours', { hours: figure(hours), limit: figure(limit.hours) })
      return { rule: 'budget', step, message, evidence: { hours, limit: limit.hours }, falseStops }
    },
  }
}

function bestOf({ score }: StopInput) {
  if (score === null || score.values.length === 0) return null
  const values = upward(score)
  const at = values.indexOf(Math.max(...values))
  return at < 0 ? null : { score, at, value: downward(score, values[at]) }
}

/** What diagnosis calls an error, and what no further step will mend. */

/**
 * The rule of `klens diagnose` behind each. An outage is an outage: the training did nothing wrong. What falls before the
 * first evaluation has no level to fall from, and `collapse` never sees it: a reversed reward or a wrong temperature shows
 * in validation that is gone, in a reward that parts from the score, or in answers that shrink to nothing.
 */
const FINDINGS = {
  dead: 'run-dead',
  'kl-runaway': 'kl-runaway',
  outage: 'environment-outage',
  'non-finite': 'non-finite',
  'validation-collapse': 'validation-collapse',
  overoptimised: 'overoptimised',
  'reward-hacking': 'reward-hacking',
  'length-collapse': 'length-collapse',
} as const

/** Runs of three labs that were made healthy, of which whole logs are at hand. */
const HEALTHY = 146

const byFinding: readonly StopRule[] = Object.entries(FINDINGS).map(([id, rule]) => ({
  id,
  decide({ step, findings }) {
    const found = findings.find(finding => finding.rule === rule && finding.severity === 'error')
    if (found === undefined) return null
    const { message, evidence } = found
    return { rule: id, step, message, evidence, falseStops: say('stop.finding.false', { healthy: HEALTHY }) }
  },
}))

/**
 * When a training should stop. A person names rules in one line, `collapse,dead,patience=10,drop=20%,hours=12`; those
 * that test or diagnose stand without being named, since they hardly ever stop what is healthy.
 */

/** Gone so far from the reference that every run of this workspace that did ended below where training starts. */
const frontier: StopRule = {
  id: 'frontier',
  decide({ step, score, distance }) {
    if (distance == null) return null
    const { kl, isValidated, peak } = distance
    const isScored = isValidated && score !== null
    const path = isScored ? pathOf(pointsOf(score), kl) : pathOf(evenly(step, peak.every), kl)
    if (!passesPeak(path, peak, { isScored })) return null
    const last = path[path.length - 1]
    const evidence = { kl: last.kl, limit: peak.kl, good: peak.good, beyond: peak.beyond }
    const figures = { kl: figure(last.kl), limit: figure(peak.kl), good: peak.good, beyond: peak.beyond }
    return {
      rule: 'frontier',
      step,
      message: isScored
        ? say('stop.frontier', { ...figures, metric: score.metric, now: figure(last.score), floor: figure(peak.floor) })
        : say('stop.frontier.kl', { ...figures, metric: peak.metric }),
      evidence: isScored ? { ...evidence, metric: score.metric, score: last.score } : evidence,
      falseStops: say('stop.frontier.false', FRONTIER_LABS),
    }
  },
}

function pointsOf({ steps, values }: ScoreCourse): ReadonlyMap<number, number> {
  return new Map(steps.flatMap((step, i) => (step > 0 ? [[step, values[i]] as const] : [])))
}

/** Where nothing is validated, KL is averaged as it is between the evaluations of others. */
function evenly(step: number, every: number): ReadonlyMap<number, number> {
  return new Map(Array.from({ length: Math.floor(step / every) }, (_, i) => [(i + 1) * every, 0]))
}

/** Each healthy run of three labs against all other runs of its lab, with and without those of its own setting. */
const FRONTIER_LABS = { stopped: 0, healthy: 211 }

const PROVEN: readonly StopRule[] = [collapse, frontier, ...byFinding]

const LIMITS: { readonly [name: string]: (value: number, isShare: boolean) => StopRule } = {
  patience,
  drop: (value, isShare) => drop(isShare ? { share: value / 100 } : { absolute: value }),
  steps: value => budget({ steps: value }),
  hours: value => budget({ hours: value }),
}

/** For somebody who only wants to see. */
const NONE = 'none'

/** Without a line, those that test. */
export function stopRules(line: string | null): readonly StopRule[] {
  if (line === null) return PROVEN
  if (line === NONE) return []
  return line.split(',').map(part => ruleNamed(part.trim()))
}

function ruleNamed(text: string): StopRule {
  const [name, value] = text.split('=', 2)
  const proven = PROVEN.find(({ id }) => id === name)
  if (proven !== undefined && value === undefined) return proven
  const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined
  if (limit === undefined) {
    const rules = PROVEN.map(({ id }) => id).join(', ')
    throw new Problem('bad-request', say('stop.unknown', { rule: text, rules }))
  }
  const isShare = value?.endsWith('%') === true
  const number = Number((value ?? '').replace(/%$/, '') || Number.NaN)
  if (!(number > 0)) throw new Problem('bad-request', say('stop.bad-number', { rule: text }))
  return limit(number, isShare)
}

/** The first rule that has a reason; an outage before all others, since it explains what the others see. */
export function decideStop(rules: readonly StopRule[], look: StopInput): StopDecision | null {
  const ordered = [...rules].sort((a, b) => Number(b.id === 'outage') - Number(a.id === 'outage'))
  for (const rule of ordered) {
    const decision = rule.decide(look)
    if (decision !== null) return decision
  }
  return null
}

/**
 * The stop rules that a study may have: those that cannot favour an arm (docs/verbs/study.md). A trial that has collapsed
 * or is dead keeps the score it has come down to; one whose environment was away has told nothing about its arm and is
 * tried again. Patience, a drop or hours would end trials by noise or by the speed of an arm; a KL or a value that runs
 * away is ended before its score has shown what it does.
 */

/** After which a trial is done, with its last score. */
export const COUNTED: ReadonlySet<string> = new Set(['collapse', 'dead'])
const UNBIASED: readonly string[] = [...COUNTED, 'outage']

/** `none`, or a list such as `collapse,dead,outage`. */
export function studyStopRules(line: string): readonly StopRule[] {
  const rules = stopRules(line)
  for (const { id } of rules) {
    if (!UNBIASED.includes(id)) {
      throw new Problem('bad-request', say('stop.study', { rule: id, rules: UNBIASED.join(', ') }))
    }
  }
  return rules
}
