import type { EvaluationEvent } from '../../ask/study-run.js'
import type { StudyRunAnswer, StudyStatusAnswer } from '../../model/study/answers.js'
import type { Design } from '../../model/study/terms.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import type { Context } from '../context.js'
import { printVerdicts } from './study-drop.js'
import { alignTable, count, printable } from './style.js'

/** Studies on a terminal: what is planned, how it stands and what it cost. */

const say = sentences({
  'study.eval.line': {
    en: '{done}/{total}  {trial}@{step}  {evaluation}{shots}  {value}',
    zh: '{done}/{total}  {trial}@{step}  {evaluation}{shots}  {value}',
  },
  'study.eval.value': { en: '{value} on {n}', zh: '{value}（{n} 个样本）' },
  'study.eval.missing': {
    en: 'no score: {missing} of {all} samples are missing',
    zh: '无分数：{all} 个样本中缺 {missing} 个',
  },
  'study.eval.failed': { en: 'no score', zh: '无分数' },
  'study.print.state.done': { en: 'done', zh: '完成' },
  'study.print.state.running': { en: 'running', zh: '运行中' },
  'study.print.state.pending': { en: 'pending', zh: '待运行' },
  'study.print.state.failed': { en: 'failed', zh: '失败' },
  'study.print.state.missing': { en: 'missing', zh: '缺数' },
  'study.print.state.suspicious': { en: 'suspicious', zh: '可疑' },
  'study.print.state.dropped': { en: 'dropped', zh: '放弃' },
  'study.print.states': { en: '{n} {state}', zh: '{state} {n}' },
  'study.print.frozen': { en: 'design {hash}, frozen before the first trial', zh: '设计 {hash}，在首个试验之前冻结' },
  'study.print.not-frozen': {
    en: 'design {hash}, not frozen yet: nothing has been trained',
    zh: '设计 {hash}，尚未冻结：还没有训练过',
  },
  'study.print.changed': {
    en: 'CHANGED after the first trial began: {key} was {before}, is {now}',
    zh: '首个试验开始后被改动：{key} 原为 {before}，现为 {now}',
  },
  'study.print.cost': {
    en: 'cost so far: {trials} {n|trial|trials}, {hours}',
    zh: '目前开销：{trials} 个试验，{hours}',
  },
  'study.print.hours': { en: '{value} h', zh: '{value} 小时' },
  'study.print.minutes': { en: '{value} min', zh: '{value} 分钟' },
  'study.print.seconds': { en: '{value} s', zh: '{value} 秒' },
  'study.print.evaluated': { en: '{count} {n|evaluation|evaluations} made', zh: '完成 {count} 项评估' },
  'study.print.left': {
    en: '{count} {n|evaluation has|evaluations have} no score of every sample yet; klens study status says why, klens study eval tries again',
    zh: '{count} 项评估尚未取得全部样本的分数；klens study status 说明原因，klens study eval 会再试',
  },
  'study.print.plan': { en: '{trials} {n|trial|trials} planned', zh: '计划 {trials} 个试验' },
  'study.print.stopped': {
    en: 'stopped; the same command goes on where this one was',
    zh: '已停止；再次运行同一命令即可从此处继续',
  },
  'study.print.out-of-budget': { en: 'the budget is spent', zh: '预算已用完' },
})

export function printStudyRun(context: Context, answer: StudyRunAnswer): void {
  const { dryRun, trials, arms, design, stopped, cost, baseline, verdicts } = answer
  if (dryRun) {
    const rows = trials.map(({ trial, state, id, run }) => [
      `  ${printable(trial, 60)}`,
      shortHash(id),
      stateText(context, state),
      run ?? '',
    ])
    context.print(context.render(say('study.print.plan', { trials: count(trials.length), n: trials.length })))
    for (const row of alignTable(rows)) context.print(row)
    for (const { arm, byConstruction } of arms) {
      for (const said of byConstruction) context.print(`  ${printable(arm, 60)}: ${said}`)
    }
  }
  printDesign(context, design)
  printStates(context, trials)
  printEvaluated(context, answer)
  if (stopped !== null) context.remark(context.render(stoppedText(stopped)))
  printVerdicts(context, baseline, verdicts)
  printCost(context, cost)
}

export function printDesign(context: Context, { hash, frozen, changed }: Design): void {
  const said =
    frozen === null
      ? say('study.print.not-frozen', { hash: shortHash(hash) })
      : say('study.print.frozen', { hash: shortHash(frozen.hash) })
  context.print(context.paint('dim', context.render(said)))
  for (const { key, before, now } of changed) {
    const values = { before: printable(JSON.stringify(before), 120), now: printable(JSON.stringify(now), 120) }
    context.print(
      context.paint('yellow', context.render(say('study.print.changed', { key: printable(key), ...values }))),
    )
  }
}

/** Of a study without evaluations nothing is said. */
export function printEvaluated(
  context: Context,
  { evaluated, left }: { readonly evaluated: number; readonly left: number },
): void {
  if (evaluated > 0)
    context.print(context.render(say('study.print.evaluated', { n: evaluated, count: count(evaluated) })))
  if (left > 0)
    context.print(context.paint('yellow', context.render(say('study.print.left', { n: left, count: count(left) }))))
}

type State = StudyStatusAnswer['cells'][number]['state']

export function stateText(context: Context, state: State): string {
  return context.render(say(`study.print.state.${state}`, {}))
}

const STATES: readonly State[] = ['done', 'running', 'pending', 'failed', 'dropped', 'missing', 'suspicious']

export function printStates(context: Context, cells: readonly { readonly state: State }[]): void {
  context.print(statesText(context, cells))
}

export function statesText(context: Context, cells: readonly { readonly state: State }[]): string {
  const counted = STATES.flatMap(state => {
    const n = cells.filter(cell => cell.state === state).length
    return n === 0 ? [] : [context.render(say('study.print.states', { n: count(n), state: stateText(context, state) }))]
  })
  return counted.join(', ')
}

export function stoppedText(stopped: 'asked' | 'out-of-budget') {
  return stopped === 'asked' ? say('study.print.stopped', {}) : say('study.print.out-of-budget', {})
}

export function printCost(context: Context, { trials, hours }: StudyStatusAnswer['cost']): void {
  const said = say('study.print.cost', { trials: count(trials), n: trials, hours: hoursText(context, hours) })
  context.print(context.render(said))
}

export function hoursText(context: Context, hours: number): string {
  if (hours >= 1) return context.render(say('study.print.hours', { value: figure(hours) }))
  const minutes = 60 * hours
  return context.render(
    minutes < 1
      ? say('study.print.seconds', { value: figure(60 * minutes, 2) })
      : say('study.print.minutes', { value: figure(minutes, 2) }),
  )
}

/** One evaluation of a study, as soon as it was made. */
export function printEvaluation(context: Context, told: EvaluationEvent): void {
  const { trial, evaluation, step, shots, done, total } = told
  const where = { trial: printable(trial, 60), evaluation: printable(evaluation, 40), step }
  const at = shots === null ? '' : `/shots=${shots}`
  context.print(context.render(say('study.eval.line', { done, total, ...where, shots: at, value: valueText(told) })))
}

function valueText({ value, n, missing }: EvaluationEvent) {
  if (missing > 0) return say('study.eval.missing', { missing: count(missing), all: count(n + missing) })
  return value === null
    ? say('study.eval.failed', {})
    : say('study.eval.value', { value: figure(value, 4), n: count(n) })
}
