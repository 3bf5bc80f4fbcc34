import { figure as short } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import { goalTags } from '../../analysis/goal.js'
import { type Block, code, heading, type Inline, list, paragraph, strong, table } from '../blocks.js'
import { goalBlocks } from '../goal.js'
import { changedBlocks, commandBlocks, type Frame, framed, type ReportContent } from '../report/frame.js'
import type { Memory } from '../report/memory.js'
import type { Speaker } from '../speaker.js'
import { type StudyFacts, scoresOf } from './facts.js'
import { column, doseBlocks, lineageBlocks, matrixBlocks, tradeBlocks, verdictBlocks } from './results.js'
import { dropText } from './words.js'

/**
 * A study for a colleague: the question and its answer with scope, the design as it was frozen, the matrix, what stability
 * and money the score costs, what was dropped, which setting to take with its config, and where every number comes from.
 */

const say = sentences({
  'report.study.title': { en: 'Study {name}', zh: '研究 {name}' },
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
    en: 'Undetermined for {arms}: these trials do not separate {arms} from {baseline}.',
    zh: '{arms} 无法判定：凭这些试验分不出它与 {baseline} 的优劣。',
  },
  'report.study.nothing': {
    en: 'No arm has all of its seeds yet, so there is no answer yet.',
    zh: '还没有一个实验组跑完全部种子，因此尚无答案。',
  },
  'report.study.scope': {
    en: 'Applies to these settings, by {seeds} seed{seeds||s} of each judged arm, on this data and training length.',
    zh: '结论针对这些配置：每种 {seeds} 个种子，限于此数据与训练长度。',
  },
  'report.study.scope-checkpoints': {
    en: 'Applies to these checkpoints, on prompts like these; a claim about the settings needs seeds.',
    zh: '结论只针对这些 checkpoint 与同类样本；要说明配置本身，需要更多种子。',
  },
  'report.study.looked': {
    en: 'It was resolved in {looks} planned interim {n|analysis|analyses}, with an error rate of 5 % over all of them together.',
    zh: '共按计划做了 {looks} 次期中分析，总错误风险为 5%。',
  },
  'report.study.looking': {
    en: 'Seeds are being added: {looks} planned interim {n|analysis|analyses} so far. A claim is made only if one of them passes its bound, which keeps the error rate at 5 % over all of them together.',
    zh: '正在追加种子：目前按计划做了 {looks} 次期中分析，只有通过其界限才下结论，因此总错误风险为 5%。',
  },
  'report.study.corrected': {
    en: 'The p-values are Holm-corrected for {n} {n|comparison|comparisons}.',
    zh: 'p 值已按 {n} 个比较做 Holm 校正。',
  },
  'report.study.head.question': { en: 'The question', zh: '问题' },
  'report.study.head.design': { en: 'The design', zh: '设计' },
  'report.study.judged': {
    en: 'Judged by {metric} ({direction}) at the last evaluation of each run; {margin}',
    zh: '以每个 run 最后一次验证的 {metric} 评判（{direction}）；{margin}',
  },
  'report.study.max': { en: 'higher is better', zh: '越高越好' },
  'report.study.min': { en: 'lower is better', zh: '越低越好' },
  'report.study.margin': { en: 'differences below {margin} do not matter', zh: '小于 {margin} 的差异无关紧要' },
  'report.study.no-margin': {
    en: 'without a margin, nothing can be called equivalent',
    zh: '没有给出等效界限，因此不会判为“相当”',
  },
  'report.study.expected': { en: 'Expected beforehand:', zh: '事先的预期：' },
  'report.study.frozen': {
    en: 'Frozen before the first result, with the hash {hash}. Not changed since.',
    zh: '在首个结果之前冻结，哈希 {hash}。此后没有改动。',
  },
  'report.study.frozen-changed': {
    en: 'Frozen before the first result, with the hash {hash}. Changed since, so these are not predictions:',
    zh: '在首个结果之前冻结，哈希 {hash}。此后有改动，改动之处不能算作预测：',
  },
  'report.study.not-frozen': { en: 'Not frozen: nothing has been trained.', zh: '尚未冻结：还没有训练。' },
  'report.study.change': { en: '{key}: was {before}, is {now}', zh: '{key}：原为 {before}，现为 {now}' },
  'report.study.head.dropped': { en: 'Dropped arms', zh: '放弃了什么' },
  'report.study.head.cost': { en: 'Cost', zh: '开销' },
  'report.study.none-dropped': { en: 'Nothing was dropped.', zh: '没有放弃任何实验组。' },
  'report.study.cost': {
    en: '{trials} {n|trial|trials} and {minutes} minutes of training.',
    zh: '{trials} 个试验，共训练 {minutes} 分钟。',
  },
  'report.study.fixed': {
    en: 'A fixed design with 80 % power would have taken {trials} trial{trials||s} and {minutes} minutes.',
    zh: '若用固定设计、以 80% 的把握得出任一结论，需 {trials} 个试验、{minutes} 分钟。',
  },
  'report.study.head.take': { en: 'Recommended setting', zh: '应采用的配置' },
  'report.study.take-better': {
    en: 'Use {arm}: it has the best mean among the arms shown to be better than {baseline}.',
    zh: '采用 {arm}：在被证明优于 {baseline} 的实验组中均值最好。',
  },
  'report.study.take-baseline': {
    en: 'Use {arm}, the baseline: no arm was shown to be better.',
    zh: '采用基线 {arm}：没有任何实验组被证明更好。',
  },
  'report.study.take-hash': {
    en: 'Its config is next to this report, with the hash {hash}, ready to launch:',
    zh: '其配置与本报告放在一起，哈希 {hash}，可直接启动：',
  },
})

export function studyReport(speaker: Speaker, input: StudyFacts & Frame): ReportContent {
  const memory = memoryOf(input)
  return framed(speaker, input, {
    title: speaker.say(say('report.study.title', { name: input.name })),
    memory,
    blocks: [
      answerBlock(speaker, input),
      ...changedBlocks(speaker, input.before, memory),
      ...questionBlocks(speaker, input),
      ...frozenBlocks(speaker, input),
      ...matrixBlocks(speaker, input),
      ...verdictBlocks(speaker, input),
      ...doseBlocks(speaker, input),
      ...tradeBlocks(speaker, input),
      ...savingBlocks(speaker, input),
      ...costBlocks(speaker, input),
      ...takeBlocks(speaker, input),
      ...lineageBlocks(speaker, input),
      ...commandBlocks(speaker, input.provenance),
    ],
  })
}

function memoryOf({ arms, metric, verdicts }: StudyFacts): Memory {
  return {
    runs: arms.flatMap(({ trials }) => trials.flatMap(trial => trial?.run ?? [])).sort(),
    metric,
    evaluations: arms.flatMap(scoresOf).length,
    verdicts: verdicts.map(({ other, verdict }) => ({ question: 'study', other, answer: verdict })),
    findings: [],
  }
}

const ORDER = ['better', 'worse', 'same', 'undetermined'] as const

function answerBlock(speaker: Speaker, { verdicts, baseline, metric, margin, settled }: StudyFacts): Block {
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
      : say(settled.isOpen ? 'report.study.looking' : 'report.study.looked', { looks: settled.looks, n: settled.looks })
  return paragraph(...parts, speaker.say(scope), ' ', speaker.say(how))
}

function questionBlocks(
  speaker: Speaker,
  { question, metric, direction, margin, expectations, judgedBy }: StudyFacts,
): readonly Block[] {
  const judged = say('report.study.judged', {
    metric,
    direction: speaker.say(say(`report.study.${direction}`, {})),
    margin: speaker.say(
      margin === null ? say('report.study.no-margin', {}) : say('report.study.margin', { margin: short(margin) }),
    ),
  })
  return [
    heading(speaker.say(say('report.study.head.question', {}))),
    paragraph(question),
    paragraph(speaker.sentence(speaker.say(judged))),
    ...(judgedBy === null ? [] : goalBlocks({ judgedBy, tags: goalTags(judgedBy) }, speaker)),
    ...(expectations.length === 0
      ? []
      : [paragraph(speaker.say(say('report.study.expected', {}))), list(expectations.map(each => [each]))]),
  ]
}

function frozenBlocks(speaker: Speaker, { design: { frozen, changed }, arms }: StudyFacts): readonly Block[] {
  const hash = frozen === null ? '' : shortHash(frozen.hash)
  const said =
    frozen === null
      ? say('report.study.not-frozen', {})
      : changed.length === 0
        ? say('report.study.frozen', { hash })
        : say('report.study.frozen-changed', { hash })
  const changes = changed.map(({ key, before, now }): Inline[] => [
    speaker.say(say('report.study.change', { key, before: JSON.stringify(before), now: JSON.stringify(now) })),
  ])
  return [
    heading(speaker.say(say('report.study.head.design', {}))),
    paragraph(speaker.say(said)),
    ...(changes.length === 0 ? [] : [list(changes)]),
    table(
      [column(speaker, 'arm'), column(speaker, 'settings')],
      arms.map(({ name, settings }) => [
        name,
        code(
          Object.entries(settings)
            .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' ') || '–',
        ),
      ]),
    ),
  ]
}

function savingBlocks(speaker: Speaker, { drops }: StudyFacts): readonly Block[] {
  const head = heading(speaker.say(say('report.study.head.dropped', {})))
  if (drops.length === 0) return [head, paragraph(speaker.say(say('report.study.none-dropped', {})))]
  return [head, list(drops.map(drop => [speaker.sentence(dropText(drop, speaker))]))]
}

function costBlocks(speaker: Speaker, { cost, settled }: StudyFacts): readonly Block[] {
  const minutes = (hours: number): string => short(60 * hours, 2)
  const said = say('report.study.cost', { trials: cost.trials, n: cost.trials, minutes: minutes(cost.hours) })
  const fixed = settled?.fixed ?? null
  const instead =
    fixed === null || fixed.prompts !== null
      ? []
      : [' ', speaker.say(say('report.study.fixed', { trials: fixed.trials, minutes: minutes(fixed.hours) }))]
  return [heading(speaker.say(say('report.study.head.cost', {}))), paragraph(speaker.say(said), ...instead)]
}

function takeBlocks(speaker: Speaker, { take, baseline }: StudyFacts): readonly Block[] {
  const { arm, why, hash, config, file, verb } = take
  const said =
    why === 'better' ? say('report.study.take-better', { arm, baseline }) : say('report.study.take-baseline', { arm })
  return [
    heading(speaker.say(say('report.study.head.take', {}))),
    paragraph(strong(speaker.say(said)), ' ', speaker.say(say('report.study.take-hash', { hash }))),
    { kind: 'command', text: `klens ${verb} ${file}` },
    { kind: 'command', text: config.trimEnd() },
  ]
}
