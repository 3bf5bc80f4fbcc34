import type { StudyDropAnswer, StudyRunAnswer } from '../../model/study/answers.js'
import { chance, figure, percentage, signedFigure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { alignTable, printable } from './style.js'

/** What was dropped and on what evidence, and what the arms of a study come to against the baseline. */

const say = sentences({
  'study.print.dropped-so': {
    en: 'dropped {evidence}; klens study keep FILE {arm} takes it back',
    zh: '放弃 {evidence}；用 klens study keep FILE {arm} 可撤回',
  },
  'study.print.drop': {
    en: '{arm} after {share} % of the run: {level} against {leaderLevel} of {leader} ({seeds} and {leaderSeeds} seeds); to be further behind than {reach} is hopeless by the finished runs here',
    zh: '{arm}，{share}% 处：{level}，而 {leader} 为 {leaderLevel}（{seeds} 与 {leaderSeeds} 个种子）；依本工作区已完成的 run，落后超过 {reach} 即无望',
  },
  'study.print.drop-dead': {
    en: '{arm} after {share} % of the run: none of its {seeds} runs has a finite score',
    zh: '{arm}，{share}% 处：其 {seeds} 个 run 均无有限分数',
  },
  'study.print.drop-person': { en: 'dropped {arm} by a person', zh: '由人放弃 {arm}' },
  'study.print.proposed': { en: 'the rule would drop now:', zh: '按规则现在会放弃：' },
  'study.print.kept': { en: 'never dropped by the rule: {arms}', zh: '规则不会放弃：{arms}' },
  'study.print.nothing-dropped': { en: 'nothing is dropped', zh: '没有放弃任何 arm' },
  'study.print.no-house': {
    en: 'the rule needs two settings with two finished runs each to know how far a run still comes; it drops only dead arms until then',
    zh: '规则需要两种设置各有两个已完成的 run，才知道 run 还会走多远；在此之前只放弃已失效的 arm',
  },
  'study.print.verdict.better': { en: 'better', zh: '更好' },
  'study.print.verdict.worse': { en: 'worse', zh: '更差' },
  'study.print.verdict.same': { en: 'about the same', zh: '相当' },
  'study.print.verdict.undetermined': { en: 'undetermined', zh: '无法判定' },
  'study.print.verdict.dropped': { en: 'dropped', zh: '已放弃' },
  'study.print.against': {
    en: 'against {baseline}, p for all {n} {n|arm|arms} together',
    zh: '与 {baseline} 相比，p 已按全部 {n} 个 arm 校正',
  },
})

type Drop = StudyDropAnswer['drops'][number]

export function printDrop(context: Context, drop: Drop): void {
  const arm = printable(drop.arm)
  const evidence = evidenceText(context, drop)
  context.print(
    context.render(
      evidence === null ? say('study.print.drop-person', { arm }) : say('study.print.dropped-so', { evidence, arm }),
    ),
  )
}

function evidenceText(context: Context, { arm, evidence }: Drop): string | null {
  if (evidence === null) return null
  const { level, reach, leaderLevel, seeds, leaderSeeds } = evidence
  const about = { arm: printable(arm), share: percentage(evidence.share), seeds }
  return context.render(
    level === null || reach === null
      ? say('study.print.drop-dead', about)
      : say('study.print.drop', {
          ...about,
          level: figure(level, 4),
          leaderLevel: figure(leaderLevel, 4),
          leader: printable(evidence.leader),
          leaderSeeds,
          reach: figure(reach, 2),
        }),
  )
}

export function printDropStand(context: Context, { drops, proposed, kept, hasHouse }: StudyDropAnswer): void {
  if (drops.length === 0) context.print(context.render(say('study.print.nothing-dropped', {})))
  for (const drop of drops) printDrop(context, drop)
  if (proposed.length > 0) context.print(context.render(say('study.print.proposed', {})))
  for (const drop of proposed) context.print(`  ${evidenceText(context, drop) ?? ''}`)
  if (kept.length > 0)
    context.print(context.render(say('study.print.kept', { arms: kept.map(arm => printable(arm)).join(', ') })))
  if (!hasHouse) context.print(context.paint('dim', context.render(say('study.print.no-house', {}))))
}

/** One line per arm; nothing where no arm can be judged yet. */
export function printVerdicts(context: Context, baseline: string, verdicts: StudyRunAnswer['verdicts']): void {
  if (verdicts.every(({ estimate }) => estimate === null)) return
  const against = say('study.print.against', { baseline: printable(baseline), n: verdicts.length })
  context.print(context.paint('dim', context.render(against)))
  const rows = verdicts.map(({ other, verdict, estimate, interval, p, isDropped }) => [
    `  ${printable(other, 60)}`,
    context.render(say(isDropped ? 'study.print.verdict.dropped' : `study.print.verdict.${verdict}`, {})),
    estimate === null ? '' : signedFigure(estimate, 3),
    interval === null ? '' : interval.map(end => signedFigure(end, 3)).join(' … '),
    p === null ? '' : `p ${chance(p)}`,
  ])
  for (const row of alignTable(rows)) context.print(row)
}
