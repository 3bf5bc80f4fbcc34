import type { StudyRunAnswer } from '../../ask/study-run.js'
import type { StudySettleAnswer } from '../../ask/study-settle.js'
import type { DesignAnswer, StudyStatusAnswer } from '../../ask/study-status.js'
import { chance, figure, percentage, signedFigure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { alignTable, count, printable } from './style.js'

/** Studies on a terminal: what is planned, how it stands, what each look said and what it all cost. */

const say = sentences({
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
  'study.print.look': {
    en: 'look at {seeds} seeds a side: difference {estimate} ({low} to {high}), p {p} (claims below {bound})',
    zh: '每侧 {seeds} 个种子：差 {estimate}（{low} 至 {high}），p {p}（低于 {bound} 才下结论）',
  },
  'study.print.look-same': { en: 'same: p {p} (below {bound})', zh: '相同：p {p}（须低于 {bound}）' },
  'study.print.better': {
    en: 'settled: {other} is better than {baseline} in {metric}',
    zh: '定论：{other} 的 {metric} 优于 {baseline}',
  },
  'study.print.worse': {
    en: 'settled: {other} is worse than {baseline} in {metric}',
    zh: '定论：{other} 的 {metric} 劣于 {baseline}',
  },
  'study.print.same': {
    en: 'settled: {other} and {baseline} are the same in {metric}, within {margin}',
    zh: '定论：{other} 与 {baseline} 的 {metric} 相同（相差不超过 {margin}）',
  },
  'study.print.futile': {
    en: 'undetermined: the chance that the planned seeds would still settle it is {chance}, so no more are bought',
    zh: '无法确定：按计划买完种子仍能定论的可能仅 {chance}，不再购买',
  },
  'study.print.last-look': {
    en: 'undetermined: the last planned look did not settle it',
    zh: '无法确定：计划内最后一次查看仍未定论',
  },
  'study.print.unsettled': {
    en: 'not settled: the next look is at {look} seeds a side and needs {trials} more {n|trial|trials}',
    zh: '尚无定论：下一次查看需每侧 {look} 个种子，还差 {trials} 个试验',
  },
  'study.print.fixed-margin': {
    en: 'a single look that settles it either way in 80 % would have taken {seeds} seeds a side: {trials} trials, {hours}',
    zh: '若只看一次、以 80 % 的把握得出任一结论，需每侧 {seeds} 个种子：{trials} 个试验，{hours}',
  },
  'study.print.fixed-most': {
    en: 'all planned seeds at once would have been {seeds} a side: {trials} trials, {hours}',
    zh: '若一次买完计划内的种子，则为每侧 {seeds} 个：{trials} 个试验，{hours}',
  },
})

export function printStudyRun(context: Context, answer: StudyRunAnswer): void {
  const { dryRun, trials, arms, design, stopped, cost } = answer
  if (dryRun) {
    const rows = trials.map(({ trial, state, id, run }) => [
      `  ${printable(trial, 60)}`,
      id.slice(0, 12),
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
  printCost(context, cost)
}

export function printLook(context: Context, look: StudySettleAnswer['looks'][number]): void {
  const { seeds, estimate, interval, p, claimBound, pSame, sameBound } = look
  const [low, high] = interval.map(end => signedFigure(end, 3))
  const bound = figure(claimBound, 2)
  const said = say('study.print.look', { seeds, estimate: signedFigure(estimate, 3), low, high, p: chance(p), bound })
  const same =
    pSame === null
      ? []
      : [context.render(say('study.print.look-same', { p: chance(pSame), bound: figure(sameBound, 2) }))]
  context.print([context.render(said), ...same].join(context.language === 'zh' ? '；' : '; '))
}

export function printSettled(context: Context, answer: StudySettleAnswer): void {
  const { design, cost, fixedDesignCost, stopped, next } = answer
  printDesign(context, design)
  if (stopped !== null) context.remark(context.render(stoppedText(stopped)))
  if (answer.answer !== null) context.print(context.paint('bold', verdictText(context, answer, answer.answer)))
  else if (next !== null) {
    const { look, trials } = next
    context.print(context.render(say('study.print.unsettled', { look, trials: count(trials), n: trials })))
  }
  printCost(context, cost)
  if (fixedDesignCost === null) return
  const { seeds, trials, hours, by } = fixedDesignCost
  const fixed = { seeds: count(seeds), trials: count(trials), hours: hoursText(context, hours) }
  context.print(
    context.render(by === 'margin' ? say('study.print.fixed-margin', fixed) : say('study.print.fixed-most', fixed)),
  )
}

function verdictText(
  context: Context,
  { baseline, other, metric, margin, looks }: StudySettleAnswer,
  { verdict, why }: NonNullable<StudySettleAnswer['answer']>,
): string {
  const said = { baseline: printable(baseline), other: printable(other), metric }
  switch (verdict) {
    case 'better':
      return context.render(say('study.print.better', said))
    case 'worse':
      return context.render(say('study.print.worse', said))
    case 'same':
      return context.render(say('study.print.same', { ...said, margin: figure(margin ?? 0) }))
    case 'undetermined':
      return why === 'futile'
        ? context.render(say('study.print.futile', { chance: percentage(looks.at(-1)?.chance ?? 0) }))
        : context.render(say('study.print.last-look', {}))
  }
}

export function printDesign(context: Context, { hash, frozen, changed }: DesignAnswer): void {
  const said =
    frozen === null
      ? say('study.print.not-frozen', { hash: hash.slice(0, 12) })
      : say('study.print.frozen', { hash: frozen.hash.slice(0, 12) })
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
  const counted = STATES.flatMap(state => {
    const n = cells.filter(cell => cell.state === state).length
    return n === 0 ? [] : [context.render(say('study.print.states', { n: count(n), state: stateText(context, state) }))]
  })
  context.print(counted.join(', '))
}

function stoppedText(stopped: 'asked' | 'out-of-budget') {
  return stopped === 'asked' ? say('study.print.stopped', {}) : say('study.print.out-of-budget', {})
}

export function printCost(context: Context, { trials, hours }: StudyStatusAnswer['cost']): void {
  const said = say('study.print.cost', { trials: count(trials), n: trials, hours: hoursText(context, hours) })
  context.print(context.render(said))
}

function hoursText(context: Context, hours: number): string {
  return context.render(
    hours < 1
      ? say('study.print.minutes', { value: figure(60 * hours, 2) })
      : say('study.print.hours', { value: figure(hours) }),
  )
}
