import type { StudyEvent } from '../../ask/study-run.js'
import type { StudySettleAnswer } from '../../model/study/answers.js'
import type { ArmLook } from '../../model/study/terms.js'
import { chance, figure, percentage, signedFigure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { hoursText, printCost, printDesign, stoppedText } from './study.js'
import { count, printable } from './style.js'

/** How a study is being settled: what each look said, what is bought next and why, the verdicts and what it all cost. */

const say = sentences({
  'study.print.look': {
    en: '{other}, {seeds} seeds a side: difference {estimate} ({low} to {high}), p {p} (claims below {bound})',
    zh: '{other}，每侧 {seeds} 个种子：差 {estimate}（{low} 至 {high}），p {p}（低于 {bound} 才下结论）',
  },
  'study.print.look-same': { en: 'same: p {p} (below {bound})', zh: '相同：p {p}（须低于 {bound}）' },
  'study.print.prompt-look': {
    en: '{other}, {prompts} prompts: difference {estimate}, better on {up}, worse on {down}; evidence {evidence} to 1 (claims from {bound})',
    zh: '{other}，{prompts} 个样本：差 {estimate}，{up} 个更好、{down} 个更差；证据 {evidence} 比 1（达到 {bound} 才下结论）',
  },
  'study.print.prompt-same': {
    en: 'same: {evidence} to 1 (from {bound})',
    zh: '相同：{evidence} 比 1（须达到 {bound}）',
  },
  'study.print.offer-seeds': {
    en: 'next: {count} seeds a side, about {hours}, for an error of {error}',
    zh: '下一步：每侧 {count} 个种子，约 {hours}，误差降至 {error}',
  },
  'study.print.offer-prompts': {
    en: 'next: {count} prompts a run, about {hours}, for an error of {error}',
    zh: '下一步：每个 run {count} 个样本，约 {hours}，误差降至 {error}',
  },
  'study.print.offer-why': {
    en: 'seeds scatter by {seeds}, {asked} prompts add {prompts}',
    zh: '种子间波动 {seeds}，{asked} 个样本再带来 {prompts}',
  },
  'study.print.offer-instead': {
    en: 'rather than {what} {count}, {hours}, for {error}',
    zh: '而不是 {what} {count}（{hours}，误差 {error}）',
  },
  'study.print.seeds': { en: 'seeds', zh: '种子' },
  'study.print.prompts': { en: 'prompts', zh: '样本' },
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
    en: '{other}: undetermined: the chance that the planned seeds would still settle it is {chance} %, so no more are bought',
    zh: '{other}：无法确定：按计划买完种子仍能定论的可能仅 {chance}%，不再购买',
  },
  'study.print.last-look': {
    en: '{other}: undetermined: the last planned look did not settle it',
    zh: '{other}：无法确定：计划内最后一次查看仍未定论',
  },
  'study.print.dropped': {
    en: '{other}: dropped, so that nothing is claimed of it',
    zh: '{other}：已放弃，不对其下结论',
  },
  'study.print.scope-checkpoints': {
    en: 'this is about these checkpoints, on prompts like those asked; the settings behind them need seeds',
    zh: '此结论只针对这些检查点与同类样本；要说明设置本身，需要更多种子',
  },
  'study.print.unsettled': {
    en: 'not settled: the next look is at {look} seeds a side and needs {trials} more {n|trial|trials}',
    zh: '尚无定论：下一次查看需每侧 {look} 个种子，还差 {trials} 个试验',
  },
  'study.print.fixed-margin': {
    en: 'a single look that settles it either way in 80 % would have taken {seeds} seeds an arm: {trials} trials, {hours}',
    zh: '若只看一次、以 80 % 的把握得出任一结论，每个 arm 需 {seeds} 个种子：{trials} 个试验，{hours}',
  },
  'study.print.fixed-prompts': {
    en: 'a single look that settles it either way in 80 % would have taken {prompts} prompts',
    zh: '若只看一次、以 80 % 的把握得出任一结论，需 {prompts} 个样本',
  },
  'study.print.fixed-most': {
    en: 'all planned seeds at once would have been {seeds} an arm: {trials} trials, {hours}',
    zh: '若一次买完计划内的种子，则每个 arm {seeds} 个：{trials} 个试验，{hours}',
  },
  'study.print.answers': { en: '{n} answers of runs to prompts were bought', zh: '共对样本作答 {n} 次' },
})

export function printLook(context: Context, look: ArmLook): void {
  const between = context.language === 'zh' ? '；' : '; '
  const about = { other: printable(look.other), estimate: signedFigure(look.estimate, 3) }
  if ('seeds' in look) {
    const { seeds, interval, p, claimBound, pSame, sameBound } = look
    const [low, high] = interval.map(end => signedFigure(end, 3))
    const said = say('study.print.look', { ...about, seeds, low, high, p: chance(p), bound: figure(claimBound, 2) })
    const same = pSame === null ? [] : [say('study.print.look-same', { p: chance(pSame), bound: figure(sameBound, 2) })]
    context.print([said, ...same].map(context.render).join(between))
    return
  }
  const { prompts, forArm, forBaseline, evidence, claimAt, evidenceSame, sameAt } = look
  const numbers = { prompts, up: forArm, down: forBaseline, evidence: figure(evidence, 2), bound: claimAt }
  const said = say('study.print.prompt-look', { ...about, ...numbers })
  const same =
    evidenceSame === null ? [] : [say('study.print.prompt-same', { evidence: figure(evidenceSame, 2), bound: sameAt })]
  context.print([said, ...same].map(context.render).join(between))
}

/** What is bought next, and what instead would have narrowed the difference less for the money. */
export function printOffers(context: Context, { components, offers }: Extract<StudyEvent, { event: 'offers' }>): void {
  const [best, other] = offers
  if (best === undefined) return
  const priced = ({ count: n, seconds, error }: typeof best) => ({
    count: count(n),
    hours: hoursText(context, seconds / 3600),
    error: figure(error, 2),
  })
  const said = [say(best.kind === 'seeds' ? 'study.print.offer-seeds' : 'study.print.offer-prompts', priced(best))]
  if (other !== undefined) {
    const what = context.render(say(other.kind === 'seeds' ? 'study.print.seeds' : 'study.print.prompts', {}))
    said.push(say('study.print.offer-instead', { what, ...priced(other) }))
  }
  if (components !== null) {
    const { seeds, prompts, asked } = components
    const scatter = { seeds: figure(Math.sqrt(seeds), 2), prompts: figure(Math.sqrt(prompts / asked), 2) }
    said.push(say('study.print.offer-why', { ...scatter, asked: count(asked) }))
  }
  context.print(`  ${said.map(context.render).join(context.language === 'zh' ? '；' : '; ')}`)
}

export function printSettled(context: Context, answer: StudySettleAnswer): void {
  const { design, cost, fixedDesignCost, stopped, next, answers, scope } = answer
  printDesign(context, design)
  if (stopped !== null) context.remark(context.render(stoppedText(stopped)))
  for (const each of answers) context.print(context.paint('bold', verdictText(context, answer, each)))
  if (scope === 'checkpoints' && answers.length > 0) {
    context.print(context.render(say('study.print.scope-checkpoints', {})))
  }
  if (next !== null) {
    const { look, trials } = next
    context.print(context.render(say('study.print.unsettled', { look, trials: count(trials), n: trials })))
  }
  printCost(context, cost)
  if (cost.answers > 0) context.print(context.render(say('study.print.answers', { n: count(cost.answers) })))
  if (fixedDesignCost === null) return
  const { seeds, prompts, trials, hours, by } = fixedDesignCost
  const fixed = { seeds: count(seeds), trials: count(trials), hours: hoursText(context, hours) }
  const said =
    prompts !== null
      ? say('study.print.fixed-prompts', { prompts: count(prompts) })
      : by === 'margin'
        ? say('study.print.fixed-margin', fixed)
        : say('study.print.fixed-most', fixed)
  context.print(context.render(said))
}

function verdictText(
  context: Context,
  { baseline, metric, margin, looks }: StudySettleAnswer,
  { other, verdict, why }: StudySettleAnswer['answers'][number],
): string {
  const said = { baseline: printable(baseline), other: printable(other), metric }
  switch (verdict) {
    case 'better':
      return context.render(say('study.print.better', said))
    case 'worse':
      return context.render(say('study.print.worse', said))
    case 'same':
      return context.render(say('study.print.same', { ...said, margin: figure(margin ?? 0) }))
    case 'undetermined': {
      if (why === 'dropped') return context.render(say('study.print.dropped', said))
      const last = looks.findLast(look => look.other === other)
      return why === 'futile' && last !== undefined && 'chance' in last
        ? context.render(say('study.print.futile', { ...said, chance: percentage(last.chance) }))
        : context.render(say('study.print.last-look', said))
    }
  }
}
