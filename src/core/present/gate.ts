import type { z } from 'zod'
import { comparisonSentences } from '../../text/compare.js'
import type { Encoded } from '../../text/encode.js'
import { chance, figure, percentage, range, signedFigure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { GateResult, gateStatusAnswer } from '../analysis/gate/answer.js'
import { type Block, list, pairs, paragraph, section, strong, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'

/** A look at a candidate: the decision first, then the difference, what to run, and why. A loop: its keeps, then its tries. */

export type GateAnswer = Encoded<GateResult>
export type GateStatusAnswer = Encoded<z.infer<typeof gateStatusAnswer>>

export const gateWords = sentences({
  'gate.baseline': {
    en: 'runs of the incumbent, which candidates are compared with',
    zh: '当前基线的 run，候选与之相比',
  },
  'gate.candidate': { en: 'runs of the candidate', zh: '候选的 run' },
  'gate.option.goal': {
    en: 'metric to judge by, or max or min (default: as klens compare judges)',
    zh: '判定所用的指标，或 max、min（默认与 klens compare 相同）',
  },
  'gate.option.margin': {
    en: 'the smallest gain worth keeping: 0.02, or 0.5% of the incumbent',
    zh: '值得保留的最小提升：0.02，或基线的 0.5%',
  },
  'gate.option.loop': { en: 'name of the loop, whose tries share one error', zh: '循环的名称，其各次尝试共用一份误差' },
  'gate.status.about': {
    en: 'tries, keeps, error spent, and gains as claimed and as measured again',
    zh: '尝试、保留、已用误差，以及声称的提升与重测的提升',
  },
  'gate.keep': { en: 'KEEP', zh: '保留' },
  'gate.discard': { en: 'DISCARD', zh: '放弃' },
  'gate.more': { en: 'RUN MORE', zh: '继续跑' },
  'gate.head': { en: '{candidate} against {incumbent}', zh: '{candidate} 对比 {incumbent}' },
  'gate.difference': { en: 'difference', zh: '差值' },
  'gate.interval': { en: '{difference}   95 % CI {interval}', zh: '{difference}   95% 置信区间 {interval}' },
  'gate.needs': { en: 'evidence', zh: '证据' },
  'gate.p': { en: 'p {p}, needed p < {level}', zh: 'p {p}，要求 p < {level}' },
  'gate.compare': { en: 'klens compare', zh: 'klens compare' },
  'gate.next': { en: 'next', zh: '下一步' },
  'gate.run-candidate': {
    en: 'run {n} more {n|seed|seeds} of {candidate}, then ask again',
    zh: '再跑 {candidate} 的 {n} 个种子，然后再问一次',
  },
  'gate.run-baseline': {
    en: 'run {n} more {n|seed|seeds} of {incumbent}, then ask again',
    zh: '再跑 {incumbent} 的 {n} 个种子，然后再问一次',
  },
  'gate.run-steps': { en: 'let {candidate} go on, then ask again', zh: '让 {candidate} 继续训练，然后再问一次' },
  'gate.loop': { en: 'loop', zh: '循环' },
  'gate.try': {
    en: '{loop}: try {try}; {spent} % of the {error} % error spent',
    zh: '{loop}：第 {try} 次尝试；{error}% 误差已用 {spent}%',
  },
  'gate.no-loops': {
    en: 'there is no loop in this workspace yet: klens gate BASELINE CANDIDATE --loop NAME',
    zh: '此工作区还没有循环：klens gate BASELINE CANDIDATE --loop NAME',
  },
  'gate.summary': {
    en: '{tries} {tries|try|tries} with {runs} runs: {kept} kept, {discarded} discarded, {open} open; {spent} % of the {error} % error spent.',
    zh: '{tries} 次尝试，共 {runs} 个 run：保留 {kept}，放弃 {discarded}，未决 {open}；{error}% 误差已用 {spent}%。',
  },
  'gate.at': { en: 'the incumbent is {incumbent}', zh: '当前基线为 {incumbent}' },
  'gate.gains': {
    en: 'Gain in {metric}: {claimed} claimed, {remeasured} measured again.',
    zh: '{metric} 的提升：声称 {claimed}，重测 {remeasured}。',
  },
  'gate.not-again': { en: 'not all yet', zh: '尚未全部重测' },
  'gate.head.try': { en: 'try', zh: '尝试' },
  'gate.head.candidate': { en: 'candidate', zh: '候选' },
  'gate.head.replaced': { en: 'replaced', zh: '替换' },
  'gate.head.claimed': { en: 'gain claimed', zh: '声称的提升' },
  'gate.head.again': { en: 'measured again', zh: '重测的提升' },
  'gate.head.runs-again': { en: 'runs after the keep', zh: '保留后的 run 数' },
  'gate.head.decision': { en: 'decision', zh: '决定' },
  'gate.head.runs': { en: 'runs', zh: 'run 数' },
  'gate.head.difference': { en: 'difference', zh: '差值' },
  'gate.head.p': { en: 'p', zh: 'p' },
  'gate.head.level': { en: 'needed', zh: '要求' },
  'gate.kept': { en: 'Kept', zh: '保留' },
  'gate.tries': { en: 'Tries', zh: '尝试' },
})

const TONES = { keep: 'good', discard: 'neutral', more: 'warning' } as const

export function gateBlocks(answer: GateAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, gateWords)
  const { decision, more, difference, verdict, loop, spent, error, metric, reasons } = answer
  const [candidate, incumbent] = [answer.candidate.label, answer.incumbent.label]
  const rows: (readonly [string, string])[] = []
  if (difference !== null) {
    const size = `${signedFigure(difference.estimate, 3)} ${metric}`
    const { interval, p, level } = difference
    rows.push([
      say('gate.difference', {}),
      interval === null ? size : say('gate.interval', { difference: size, interval: range(interval) }),
    ])
    if (level > 0) rows.push([say('gate.needs', {}), say('gate.p', { p: chance(p), level: figure(level, 2) })])
  }
  if (verdict !== null)
    rows.push([say('gate.compare', {}), speaker.say(comparisonSentences(`answer.${verdict.answer}`, {}))])
  if (more !== null)
    rows.push([say('gate.next', {}), say(`gate.run-${more.what}`, { n: more.n, candidate, incumbent })])
  rows.push([say('gate.loop', {}), say('gate.try', { loop, try: answer.try, ...shares({ spent, error }) })])
  return [
    paragraph(
      toned(say(`gate.${decision}`, {}), TONES[decision]),
      '  ',
      strong(say('gate.head', { candidate, incumbent })),
    ),
    pairs(rows),
    list(reasons.map(reason => [speaker.sentence(reason)])),
  ]
}

function shares({ spent, error }: { readonly spent: number; readonly error: number }) {
  return { spent: figure((100 * spent) / error, 2), error: percentage(error) }
}

export function gateStatusBlocks({ loops }: GateStatusAnswer, speaker: Speaker): readonly Block[] {
  if (loops.length === 0) return [paragraph(speaker.say(gateWords('gate.no-loops', {})))]
  return loops.map(loop => section(loop.loop, ...loopBlocks(loop, speaker)))
}

function loopBlocks(loop: GateStatusAnswer['loops'][number], speaker: Speaker): readonly Block[] {
  const say = saying(speaker, gateWords)
  const { kept, history, tries, runs, discarded, open, metric, claimed, remeasured, incumbent } = loop
  const names = <Name extends string>(all: readonly Name[], text: (name: Name) => string): string[] => all.map(text)
  const gain = (size: number | null): string => (size === null ? '–' : signedFigure(size, 3))
  return [
    paragraph(
      say('gate.summary', { tries, runs, kept: kept.length, discarded, open, ...shares(loop) }),
      ` ${speaker.sentence(say('gate.at', { incumbent }))}`,
    ),
    ...(kept.length === 0
      ? []
      : [
          paragraph(
            say('gate.gains', {
              metric,
              claimed: gain(claimed),
              remeasured: remeasured === null ? say('gate.not-again', {}) : gain(remeasured),
            }),
          ),
          section(
            say('gate.kept', {}),
            table(
              names(['try', 'candidate', 'replaced', 'claimed', 'again', 'runs-again'] as const, name =>
                say(`gate.head.${name}`, {}),
              ),
              kept.map(each => [
                String(each.try),
                each.label,
                each.replaced,
                gain(each.claimed),
                gain(each.remeasured),
                String(each.runsAgain),
              ]),
            ),
          ),
        ]),
    section(
      say('gate.tries', {}),
      table(
        names(['try', 'candidate', 'decision', 'runs', 'difference', 'p', 'level'] as const, name =>
          say(`gate.head.${name}`, {}),
        ),
        history.map(each => [
          String(each.try),
          each.candidate,
          toned(say(`gate.${each.decision}`, {}), TONES[each.decision]),
          String(each.runs),
          gain(each.estimate),
          each.p === null ? '–' : shortNumber(each.p),
          each.level > 0 ? shortNumber(each.level) : '–',
        ]),
      ),
    ),
  ]
}
