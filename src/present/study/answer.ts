import { figure as short } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { type Block, type Inline, paragraph, strong } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { StudyFacts } from './facts.js'

/** The answer with its scope, which opens the report. */

const say = sentences({
  'report.study.better': {
    en: '{arms} scored better than {baseline} in {metric}.',
    zh: '{arms} 的 {metric} 优于 {baseline}。',
  },
  'report.study.worse': {
    en: '{arms} scored worse than {baseline} in {metric}.',
    zh: '{arms} 的 {metric} 劣于 {baseline}。',
  },
  'report.study.same': {
    en: '{arms} and {baseline} are about the same in {metric}, within {margin}.',
    zh: '{arms} 与 {baseline} 的 {metric} 相当（等效界限 {margin}）。',
  },
  'report.study.undetermined': {
    en: 'Undetermined for {arms}: these trials cannot tell {arms} from {baseline}.',
    zh: '{arms} 无法判定：凭这些试验分不出它与 {baseline} 的优劣。',
  },
  'report.study.nothing': {
    en: 'No arm has all of its seeds yet, so nothing is answered.',
    zh: '还没有一个 arm 跑完全部种子，因此尚无答案。',
  },
  'report.study.scope': {
    en: 'About these settings, by {seeds} seeds of each that was judged, on this data and at this length of training.',
    zh: '结论针对这些配置：每种 {seeds} 个种子，限于此数据与训练长度。',
  },
  'report.study.scope-checkpoints': {
    en: 'About these checkpoints, on prompts like those asked; the settings behind them need seeds.',
    zh: '结论只针对这些 checkpoint 与同类样本；要说明配置本身，需要更多种子。',
  },
  'report.study.looked': {
    en: 'It was settled in {looks} planned {n|look|looks}, with a risk of 5 % over all of them together.',
    zh: '共按计划查看 {looks} 次，总错误风险为 5%。',
  },
  'report.study.corrected': {
    en: 'The p-values are put right for all {n} {n|arm|arms} that were started (Holm).',
    zh: 'p 值已按全部 {n} 个启动过的 arm 校正（Holm）。',
  },
})

const ORDER = ['better', 'worse', 'same', 'undetermined'] as const

export function answerBlock(speaker: Speaker, { verdicts, baseline, metric, margin, settled }: StudyFacts): Block {
  const judged = verdicts.filter(({ estimate }) => estimate !== null)
  if (judged.length === 0) return paragraph(strong(speaker.say(say('report.study.nothing', {}))))
  const parts: Inline[] = ORDER.flatMap(verdict => {
    const arms = speaker.listed(judged.filter(each => each.verdict === verdict).map(({ other }) => other))
    if (arms === '') return []
    const named = { arms, baseline, metric }
    const said =
      verdict === 'same'
        ? say('report.study.same', { ...named, margin: short(margin ?? 0) })
        : verdict === 'undetermined'
          ? say('report.study.undetermined', named)
          : say(`report.study.${verdict}`, named)
    return [strong(speaker.say(said)), ' ']
  })
  const scope =
    settled?.by === 'prompts'
      ? say('report.study.scope-checkpoints', {})
      : say('report.study.scope', { seeds: Math.min(...judged.map(({ seeds }) => seeds)) })
  const how =
    settled === null
      ? say('report.study.corrected', { n: verdicts.length })
      : say('report.study.looked', { looks: settled.looks, n: settled.looks })
  return paragraph(...parts, speaker.say(scope), ' ', speaker.say(how))
}
