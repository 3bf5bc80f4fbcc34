import type { ArmAnswer, Offer, StudySettleAnswer } from '../../../logs/model/study/answers.js'
import type { ArmLook, PromptLook, SeedLook, Settling } from '../../../logs/model/study/terms.js'
import { chance, count, figure, percentage, signedFigure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { intervalsChart } from '../../charts/intervals.js'
import { type Block, note, paragraph, strong, table, toned } from '../blocks.js'
import { type Speaker, saying } from '../speaker.js'
import { armVerdictBlocks, costText, designBlocks, hoursText, stoppedText } from './words.js'

/** How a study is being resolved: what each interim analysis said, what is run next and why, the verdicts and what it all cost. */

const words = sentences({
  'study.print.look': {
    en: '{other}, {seeds} seed{seeds||s} each: difference {estimate} ({low} to {high}), p {p} (claims below {bound})',
    zh: '{other}，每侧 {seeds} 个种子：差 {estimate}（{low} 至 {high}），p {p}（低于 {bound} 才下结论）',
  },
  'study.print.look-same': { en: 'equivalence: p {p} (below {bound})', zh: '相同：p {p}（须低于 {bound}）' },
  'study.print.prompt-look': {
    en: '{other}, {prompts} prompt{prompts||s}: difference {estimate}, better on {up}, worse on {down}; evidence {evidence} to 1 (claims from {bound})',
    zh: '{other}，{prompts} 个样本：差 {estimate}，{up} 个更好、{down} 个更差；证据 {evidence} 比 1（达到 {bound} 才下结论）',
  },
  'study.print.prompt-same': {
    en: 'equivalence: {evidence} to 1 (from {bound})',
    zh: '相同：{evidence} 比 1（须达到 {bound}）',
  },
  'study.print.offer-seeds': {
    en: 'next: {count} seed{count||s} each, about {hours}, for a standard error of {error}',
    zh: '下一步：每侧 {count} 个种子，约 {hours}，误差降至 {error}',
  },
  'study.print.offer-prompts': {
    en: 'next: {count} prompt{count||s} per run, about {hours}, for a standard error of {error}',
    zh: '下一步：每个 run {count} 个样本，约 {hours}，误差降至 {error}',
  },
  'study.print.offer-why': {
    en: 'std {seeds} between seeds; {asked} prompt{asked||s} add {prompts}',
    zh: '种子间波动 {seeds}，{asked} 个样本再带来 {prompts}',
  },
  'study.print.offer-instead': {
    en: 'rather than {what} {count}, {hours}, for {error}',
    zh: '而不是 {what} {count}（{hours}，误差 {error}）',
  },
  'study.print.seeds': { en: 'seeds', zh: '种子' },
  'study.print.prompts': { en: 'prompts', zh: '样本' },
  'study.print.better': {
    en: 'resolved: {other} is better than {baseline} in {metric}',
    zh: '定论：{other} 的 {metric} 优于 {baseline}',
  },
  'study.print.worse': {
    en: 'resolved: {other} is worse than {baseline} in {metric}',
    zh: '定论：{other} 的 {metric} 劣于 {baseline}',
  },
  'study.print.same': {
    en: 'resolved: {other} and {baseline} are about the same in {metric}, within {margin}',
    zh: '定论：{other} 与 {baseline} 的 {metric} 相同（相差不超过 {margin}）',
  },
  'study.print.futile': {
    en: '{other}: undetermined: the planned seeds would resolve it with a probability of only {chance} %, so no more are run',
    zh: '{other}：无法判定：按计划追加完种子仍能定论的可能仅 {chance}%，不再追加',
  },
  'study.print.last-look': {
    en: '{other}: undetermined: the last planned interim analysis did not resolve it',
    zh: '{other}：无法判定：计划内最后一次期中分析仍未定论',
  },
  'study.print.dropped': {
    en: '{other}: dropped, so nothing is claimed about it',
    zh: '{other}：已放弃，不对其下结论',
  },
  'study.looks.open': {
    en: 'No interim analysis resolves {other} vs {baseline} yet.',
    zh: '期中分析尚未得出 {other} 对比 {baseline} 的定论。',
  },
  'study.looks.undetermined': {
    en: 'Undetermined: the planned seeds do not resolve {other} vs {baseline}.',
    zh: '无法判定：计划内的种子不足以判定 {other} 与 {baseline}。',
  },
  'study.looks.prompts-undetermined': {
    en: 'Undetermined: all prompts were used and do not resolve {other} vs {baseline}.',
    zh: '无法判定：全部样本都问过，仍不足以判定 {other} 与 {baseline}。',
  },
  'study.print.scope-checkpoints': {
    en: 'applies to these checkpoints, on prompts like these; a claim about the settings needs seeds',
    zh: '此结论只针对这些检查点与同类样本；要说明设置本身，需要更多种子',
  },
  'study.print.unsettled': {
    en: 'not resolved: the next interim analysis is at {look} seed{look||s} each and needs {trials} more {n|trial|trials}',
    zh: '尚无定论：下一次期中分析需每侧 {look} 个种子，还差 {trials} 个试验',
  },
  'study.print.fixed-margin': {
    en: 'a single analysis with 80 % power would have taken {seeds} seed{seeds||s} per arm: {trials} trial{trials||s}, {hours}',
    zh: '若只看一次、以 80 % 的把握得出任一结论，每个实验组需 {seeds} 个种子：{trials} 个试验，{hours}',
  },
  'study.print.fixed-prompts': {
    en: 'a single analysis with 80 % power would have taken {prompts} prompt{prompts||s}',
    zh: '若只看一次、以 80 % 的把握得出任一结论，需 {prompts} 个样本',
  },
  'study.print.fixed-most': {
    en: 'all planned seeds at once would have been {seeds} per arm: {trials} trial{trials||s}, {hours}',
    zh: '若一次跑完计划内的种子，则每个实验组 {seeds} 个：{trials} 个试验，{hours}',
  },
  'study.print.answers': { en: '{n} response{n||s} of runs to prompts', zh: '共对样本作答 {n} 次' },
  'study.looks': { en: 'Interim analyses', zh: '期中分析' },
  'study.looks.seeds': { en: '{seeds} seed{seeds||s} each', zh: '每侧 {seeds} 个种子' },
  'study.looks.prompts': { en: '{prompts} prompt{prompts||s}', zh: '{prompts} 个样本' },
  'study.looks.p': { en: 'p', zh: 'p' },
  'study.looks.bound': { en: 'claims below', zh: '下结论界限' },
  'study.looks.p-same': { en: 'p of a difference', zh: '有差异的 p' },
  'study.looks.bound-same': { en: 'equivalent below', zh: '判相同界限' },
  'study.looks.chance': { en: 'probability of an answer', zh: '得出结论的概率' },
  'study.looks.difference': { en: 'difference', zh: '差' },
  'study.looks.for-baseline': { en: 'baseline higher', zh: '基线更高' },
  'study.looks.for-arm': { en: 'arm higher', zh: '实验组更高' },
  'study.looks.evidence': { en: 'evidence', zh: '证据' },
  'study.looks.claim-at': { en: 'claims at', zh: '下结论所需' },
  'study.looks.evidence-same': { en: 'evidence for equivalence', zh: '相同的证据' },
  'study.looks.same-at': { en: 'equivalent at', zh: '判相同所需' },
  'study.looks.to-one': { en: '{n} to 1', zh: '{n} 比 1' },
  'study.looks.chart': {
    en: 'Each arm minus {baseline} at each interim analysis, with its 95 % interval.',
    zh: '每次期中分析时各实验组减去 {baseline}，附 95% 置信区间。',
  },
  'study.looks.about': {
    en: 'Seeds are added up to planned interim analyses; each may claim only below its own bound, which keeps the error rate at 5 % over all of them.',
    zh: '种子按计划逐次追加；每次期中分析只有低于自己的界限才能下结论，多做几次也不会更容易误判。',
  },
  'study.looks.prompts-about': {
    en: 'The last checkpoints are evaluated on the same prompts, a batch at a time, until the evidence is strong enough. This says nothing about the settings behind them.',
    zh: '对最后的 checkpoint 逐批询问同样的样本，直到证据足够。它不说明背后的配置。',
  },
  'study.looks.planned': {
    en: '`klens study settle FILE` runs more seeds up to the next interim analyses, at {seeds} seed{seeds||s} each.',
    zh: '`klens study settle FILE` 追加种子，直到之后的期中分析：每侧 {seeds} 个。',
  },
  'study.looks.prompts-planned': {
    en: 'The next interim analyses are at {prompts} prompt{prompts||s}.',
    zh: '之后的期中分析：{prompts} 个样本。',
  },
})

/** What one look said of one arm, as soon as it was made. */
export function lookText(look: ArmLook, speaker: Speaker): string {
  const say = saying(speaker, words)
  const about = { other: look.other, estimate: signedFigure(look.estimate, 3) }
  if ('seeds' in look) {
    const { seeds, interval, p, claimBound, pSame, sameBound } = look
    const [low, high] = interval.map(end => signedFigure(end, 3))
    const said = say('study.print.look', { ...about, seeds, low, high, p: chance(p), bound: figure(claimBound, 2) })
    const same = { p: chance(pSame ?? 1), bound: figure(sameBound, 2) }
    return speaker.clauses([said, ...(pSame === null ? [] : [say('study.print.look-same', same)])])
  }
  const { prompts, forArm, forBaseline, evidence, claimAt, evidenceSame, sameAt } = look
  const numbers = { prompts, up: forArm, down: forBaseline, evidence: figure(evidence, 2), bound: claimAt }
  const same = { evidence: figure(evidenceSame ?? 0, 2), bound: sameAt }
  return speaker.clauses([
    say('study.print.prompt-look', { ...about, ...numbers }),
    ...(evidenceSame === null ? [] : [say('study.print.prompt-same', same)]),
  ])
}

interface Offers {
  /** Variances between seeds and between prompts; null where prompts are not bought. */
  readonly components: { readonly seeds: number; readonly prompts: number; readonly asked: number } | null
  readonly offers: readonly Offer[]
}

/** What is bought next, and what instead would have narrowed the difference less for the money; null: nothing. */
export function offersText({ components, offers }: Offers, speaker: Speaker): string | null {
  const say = saying(speaker, words)
  const [best, other] = offers
  if (best === undefined) return null
  const priced = ({ count: n, seconds, error }: Offer) => ({
    count: count(n),
    hours: hoursText(seconds / 3600, speaker),
    error: figure(error, 2),
  })
  const said = [say(best.kind === 'seeds' ? 'study.print.offer-seeds' : 'study.print.offer-prompts', priced(best))]
  if (other !== undefined) {
    const what = say(other.kind === 'seeds' ? 'study.print.seeds' : 'study.print.prompts', {})
    said.push(say('study.print.offer-instead', { what, ...priced(other) }))
  }
  if (components !== null) {
    const { seeds, prompts, asked } = components
    const scatter = { seeds: figure(Math.sqrt(seeds), 2), prompts: figure(Math.sqrt(prompts / asked), 2) }
    said.push(say('study.print.offer-why', { ...scatter, asked: count(asked) }))
  }
  return speaker.clauses(said)
}

export function settledBlocks(answer: StudySettleAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { design, cost, stopped, next, answers, scope, looks } = answer
  const isOfCheckpoints = scope === 'checkpoints' && answers.length > 0
  return [
    ...designBlocks(design, speaker),
    ...(stopped === null ? [] : [note('info', stoppedText(stopped, speaker))]),
    ...answers.map(each => {
      const own = looks.filter(({ other }) => other === each.other)
      return paragraph(strong(armText(each, { ...answer, looks: own }, speaker)))
    }),
    ...armVerdictBlocks(answer, speaker),
    ...(isOfCheckpoints ? [paragraph(say('study.print.scope-checkpoints', {}))] : []),
    ...(next === null
      ? []
      : [paragraph(say('study.print.unsettled', { look: next.look, trials: count(next.trials), n: next.trials }))]),
    paragraph(costText(cost, speaker)),
    ...(cost.answers === 0 ? [] : [paragraph(say('study.print.answers', { n: count(cost.answers) }))]),
    ...fixedBlocks(answer, speaker),
  ]
}

function fixedBlocks({ fixedDesignCost }: StudySettleAnswer, speaker: Speaker): readonly Block[] {
  if (fixedDesignCost === null) return []
  const say = saying(speaker, words)
  const { seeds, prompts, trials, hours, by } = fixedDesignCost
  if (prompts !== null) return [paragraph(say('study.print.fixed-prompts', { prompts: count(prompts) }))]
  const fixed = { seeds: count(seeds), trials: count(trials), hours: hoursText(hours, speaker) }
  return [paragraph(say(by === 'margin' ? 'study.print.fixed-margin' : 'study.print.fixed-most', fixed))]
}

interface Judged {
  readonly baseline: string
  readonly metric: string
  readonly margin: number | null
  /** Of the arm. */
  readonly looks: readonly (SeedLook | PromptLook)[]
}

function armText(
  { other, verdict, why }: ArmAnswer,
  { baseline, metric, margin, looks }: Judged,
  speaker: Speaker,
): string {
  const say = saying(speaker, words)
  const said = { baseline, other, metric }
  switch (verdict) {
    case 'better':
      return say('study.print.better', said)
    case 'worse':
      return say('study.print.worse', said)
    case 'same':
      return say('study.print.same', { ...said, margin: figure(margin ?? 0) })
    case 'undetermined': {
      if (why === 'dropped') return say('study.print.dropped', said)
      const last = looks.at(-1)
      return why === 'futile' && last !== undefined && 'chance' in last
        ? say('study.print.futile', { ...said, chance: percentage(last.chance) })
        : say('study.print.last-look', said)
    }
  }
}

/** How far settling has come: what is settled of each arm, every look beside the bounds that it is compared with, what is next. */
export function settlingBlocks(
  { by, baseline, others, planned }: Settling,
  {
    metric,
    margin,
    direction,
  }: { readonly metric: string; readonly margin: number | null; readonly direction: 'max' | 'min' },
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  const made = Math.max(...others.map(({ looks }) => looks.length))
  const begun = others.filter(({ looks }) => looks.length > 0)
  const isOpen = others.some(({ verdict }) => verdict === null)
  const next = planned.slice(made).join(', ')
  const rows = others.flatMap(({ arm, looks, verdict }) =>
    looks.map((look, i) => ({ arm, look, verdict: i === looks.length - 1 ? verdict : null })),
  )
  const nameOf = ({ arm, look }: (typeof rows)[number]): string => {
    const size =
      'seeds' in look
        ? say('study.looks.seeds', { seeds: look.seeds })
        : say('study.looks.prompts', { prompts: count(look.prompts) })
    return others.length > 1 ? `${arm}, ${size}` : size
  }
  const bySeeds = rows.flatMap(row => ('seeds' in row.look ? [{ ...row, look: row.look }] : []))
  return [
    ...begun.map(({ arm: other, looks, verdict }) => {
      if (verdict === null) return paragraph(say('study.looks.open', { other, baseline }))
      const undetermined = by === 'seeds' ? 'study.looks.undetermined' : 'study.looks.prompts-undetermined'
      const said =
        verdict === 'undetermined'
          ? say(undetermined, { other, baseline })
          : armText({ other, verdict, why: 'claim' }, { baseline, metric, margin, looks }, speaker)
      return paragraph(strong(speaker.sentence(said)))
    }),
    paragraph(say(by === 'seeds' ? 'study.looks.about' : 'study.looks.prompts-about', {})),
    ...(bySeeds.length === 0
      ? []
      : [
          {
            kind: 'chart' as const,
            id: 'looks',
            caption: say('study.looks.chart', { baseline }),
            definition: intervalsChart({
              language: speaker.language,
              metric: { name: metric, goal: direction },
              rows: bySeeds.map(row => ({
                label: nameOf(row),
                estimate: row.look.estimate,
                interval: row.look.interval,
                margin,
                answer: row.verdict ?? 'undetermined',
              })),
            }),
          },
        ]),
    ...(rows.length === 0
      ? []
      : [
          lookTable(
            rows.map(row => ({ name: nameOf(row), look: row.look })),
            speaker,
          ),
        ]),
    ...(isOpen && next !== ''
      ? [
          paragraph(
            toned(
              by === 'seeds'
                ? say('study.looks.planned', { seeds: next })
                : say('study.looks.prompts-planned', { prompts: next }),
              'quiet',
            ),
          ),
        ]
      : []),
  ]
}

const SEED_COLUMNS = ['p', 'bound', 'p-same', 'bound-same', 'chance'] as const
const PROMPT_COLUMNS = [
  'difference',
  'for-baseline',
  'for-arm',
  'evidence',
  'claim-at',
  'evidence-same',
  'same-at',
] as const

function lookTable(
  rows: readonly { readonly name: string; readonly look: SeedLook | PromptLook }[],
  speaker: Speaker,
): Block {
  const say = saying(speaker, words)
  const toOne = (evidence: number): string => say('study.looks.to-one', { n: figure(evidence, 2) })
  const cellsOf = (look: SeedLook | PromptLook): readonly string[] => {
    if ('seeds' in look) {
      const { p, claimBound, pSame, sameBound, chance: left } = look
      const same = pSame === null ? ['–', '–'] : [figure(pSame, 2), figure(sameBound, 2)]
      return [figure(p, 2), figure(claimBound, 2), ...same, `${percentage(left)} %`]
    }
    const { estimate, forBaseline, forArm, evidence, claimAt, evidenceSame, sameAt } = look
    const same = evidenceSame === null ? ['–', '–'] : [toOne(evidenceSame), toOne(sameAt)]
    return [signedFigure(estimate, 3), count(forBaseline), count(forArm), toOne(evidence), toOne(claimAt), ...same]
  }
  const columns = rows.some(({ look }) => 'seeds' in look) ? SEED_COLUMNS : PROMPT_COLUMNS
  return table(
    [say('study.looks', {}), ...columns.map(column => say(`study.looks.${column}`, {}))],
    rows.map(({ name, look }) => [name, ...cellsOf(look)]),
  )
}
