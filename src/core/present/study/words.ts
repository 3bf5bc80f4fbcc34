import { STATES, type TrialState } from '../../../logs/model/study/state.js'
import type { Design, Drop, FinalVerdict, StudyCost, WithinKl } from '../../../logs/model/study/terms.js'
import type { JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import type { Encoded } from '../../../text/encode.js'
import { chance, count, figure, percentage, signedFigure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import { goalTags } from '../../analysis/goal.js'
import { type Block, paragraph, section, table, toned } from '../blocks.js'
import { withinBlocks } from '../frontier.js'
import { goalBlocks } from '../goal.js'
import { type Speaker, saying } from '../speaker.js'

/** What every presentation of a study says alike: states, costs, the design, what was dropped. */

const words = sentences({
  'study.print.state.done': { en: 'done', zh: '完成' },
  'study.print.state.running': { en: 'running', zh: '运行中' },
  'study.print.state.pending': { en: 'pending', zh: '待运行' },
  'study.print.state.failed': { en: 'failed', zh: '失败' },
  'study.print.state.missing': { en: 'missing', zh: '缺数' },
  'study.print.state.suspicious': { en: 'suspicious', zh: '可疑' },
  'study.print.state.dropped': { en: 'dropped', zh: '放弃' },
  'study.print.states': { en: '{n} {state}', zh: '{state} {n}' },
  'study.print.verdict.better': { en: 'better', zh: '更好' },
  'study.print.verdict.worse': { en: 'worse', zh: '更差' },
  'study.print.verdict.same': { en: 'about the same', zh: '相当' },
  'study.print.verdict.undetermined': { en: 'undetermined', zh: '无法判定' },
  'study.print.verdict.dropped': { en: 'dropped', zh: '已放弃' },
  'study.print.against': {
    en: 'vs {baseline}, one score per seed; p Holm-corrected for {n} {n|comparison|comparisons}',
    zh: '与 {baseline} 相比，每个种子取一个分数；p 已按 {n} 个比较做 Holm 校正',
  },
  'study.print.against-interim': {
    en: 'vs {baseline}, one score per seed; while seeds are added, a claim needs an interim analysis that passes its bound',
    zh: '与 {baseline} 相比，每个种子取一个分数；追加种子期间，只有通过界限的期中分析才能下结论',
  },
  'study.print.verdict.seeds': { en: '{seeds} {seeds|seed|seeds} each', zh: '各 {seeds} 个种子' },
  'study.print.interim-seeds': {
    en: 'interim analysis at {size} seed{size||s} each: p {p}, claims below {bound}',
    zh: '期中分析（各 {size} 个种子）：p {p}，低于 {bound} 才下结论',
  },
  'study.print.interim-prompts': {
    en: 'interim analysis at {size} prompt{size||s}, about these checkpoints: evidence {evidence} : 1, claims from {bound}',
    zh: '期中分析（{size} 个样本，只针对这些检查点）：证据 {evidence} : 1，达到 {bound} 才下结论',
  },
  'study.print.frozen': { en: 'design {hash}, frozen before the first trial', zh: '设计 {hash}，在首个试验之前冻结' },
  'study.print.not-frozen': {
    en: 'design {hash}, not frozen yet: no trial has been trained',
    zh: '设计 {hash}，尚未冻结：还没有训练过',
  },
  'study.print.changed': {
    en: 'CHANGED after the first trial started: {key} was {before}, is {now}',
    zh: '首个试验开始后被改动：{key} 原为 {before}，现为 {now}',
  },
  'study.print.cost': {
    en: 'cost so far: {trials} {n|trial|trials}, {hours}',
    zh: '目前开销：{trials} 个试验，{hours}',
  },
  'study.print.hours': { en: '{value} h', zh: '{value} 小时' },
  'study.print.minutes': { en: '{value} min', zh: '{value} 分钟' },
  'study.print.seconds': { en: '{value} s', zh: '{value} 秒' },
  'study.print.stopped': {
    en: 'stopped; the same command continues from here',
    zh: '已停止；再次运行同一命令即可从此处继续',
  },
  'study.print.out-of-budget': { en: 'the budget is spent', zh: '预算已用完' },
  'study.print.drop': {
    en: '{arm} after {share} % of the run: {level} vs {leaderLevel} of {leader} ({seeds} and {leaderSeeds} seeds); by the finished runs here, more than {reach} behind is hopeless',
    zh: '{arm}，{share}% 处：{level}，而 {leader} 为 {leaderLevel}（{seeds} 与 {leaderSeeds} 个种子）；依本工作区已完成的 run，落后超过 {reach} 即无望',
  },
  'study.print.drop-dead': {
    en: '{arm} after {share} % of the run: none of its {seeds} run{seeds||s} has a finite score',
    zh: '{arm}，{share}% 处：其 {seeds} 个 run 均无有限分数',
  },
  'study.print.drop-person': { en: 'dropped {arm} manually', zh: '由人放弃 {arm}' },
})

export function stateText(state: TrialState, speaker: Speaker): string {
  return speaker.say(words(`study.print.state.${state}`, {}))
}

/** "3 done, 1 running". */
export function statesText(states: readonly TrialState[], speaker: Speaker): string {
  const counted = STATES.flatMap(state => {
    const n = states.filter(each => each === state).length
    const said = { n: count(n), state: stateText(state, speaker) }
    return n === 0 ? [] : [speaker.say(words('study.print.states', said))]
  })
  return counted.join(', ')
}

function verdictText({ verdict, isDropped }: Pick<FinalVerdict, 'verdict' | 'isDropped'>, speaker: Speaker) {
  return speaker.say(words(isDropped ? 'study.print.verdict.dropped' : `study.print.verdict.${verdict}`, {}))
}

/** Each arm against the baseline, a row each, the same wherever a study is told of; nothing where no arm can be judged yet. */
export function armVerdictBlocks(
  {
    baseline,
    verdicts,
    judgedBy,
    within,
  }: {
    readonly baseline: string
    readonly verdicts: readonly FinalVerdict[]
    readonly judgedBy: Encoded<JudgedBy> | null
    readonly within: WithinKl | null
  },
  speaker: Speaker,
): readonly Block[] {
  if (verdicts.every(({ estimate, interim }) => estimate === null && interim === null)) return []
  const isInterim = verdicts.some(({ interim }) => interim !== null)
  const say = saying(speaker, words)
  const rows = verdicts.map(verdict => {
    const { other, estimate, interval, p, seeds, interim } = verdict
    return [
      other,
      verdictText(verdict, speaker),
      estimate === null ? '' : signedFigure(estimate, 3),
      interval === null ? '' : interval.map(end => signedFigure(end, 3)).join(' … '),
      p === null ? '' : `p ${chance(p)}`,
      say('study.print.verdict.seeds', { seeds }),
      ...(isInterim ? [interim === null ? '' : interimText(interim.look, speaker)] : []),
    ]
  })
  const title = isInterim ? 'study.print.against-interim' : 'study.print.against'
  const by = judgedBy === null ? [] : goalBlocks({ judgedBy, tags: goalTags(judgedBy) }, speaker)
  return [
    section(say(title, { baseline, n: verdicts.length }), table([], rows), ...by),
    ...(within === null ? [] : withinBlocks(within, speaker)),
  ]
}

export function interimText(look: NonNullable<FinalVerdict['interim']>['look'], speaker: Speaker): string {
  const say = saying(speaker, words)
  if ('seeds' in look) {
    const { seeds: size, p, claimBound } = look
    return say('study.print.interim-seeds', { size, p: chance(p), bound: figure(claimBound, 2) })
  }
  const { prompts: size, evidence, claimAt: bound } = look
  return say('study.print.interim-prompts', { size, evidence: figure(evidence, 2), bound: figure(bound, 2) })
}

export function hoursText(hours: number, speaker: Speaker): string {
  const say = saying(speaker, words)
  if (hours >= 1) return say('study.print.hours', { value: figure(hours) })
  const minutes = 60 * hours
  return minutes < 1
    ? say('study.print.seconds', { value: figure(60 * minutes, 2) })
    : say('study.print.minutes', { value: figure(minutes, 2) })
}

export function costText({ trials, hours }: StudyCost, speaker: Speaker): string {
  const said = { trials: count(trials), n: trials, hours: hoursText(hours, speaker) }
  return speaker.say(words('study.print.cost', said))
}

export function stoppedText(stopped: 'asked' | 'out-of-budget', speaker: Speaker): string {
  return speaker.say(words(stopped === 'asked' ? 'study.print.stopped' : 'study.print.out-of-budget', {}))
}

/** Under which hash it was laid down, and what was changed since. */
export function designBlocks({ hash, frozen, changed }: Design, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const said =
    frozen === null
      ? say('study.print.not-frozen', { hash: shortHash(hash) })
      : say('study.print.frozen', { hash: shortHash(frozen.hash) })
  return [
    paragraph(toned(said, 'quiet')),
    ...changed.map(({ key, before, now }) => {
      const values = { before: JSON.stringify(before), now: JSON.stringify(now) }
      return paragraph(toned(say('study.print.changed', { key, ...values }), 'warning'))
    }),
  ]
}

/** On what evidence an arm was dropped, or would be. */
export function dropText({ arm, evidence }: Drop, speaker: Speaker): string {
  const say = saying(speaker, words)
  if (evidence === null) return say('study.print.drop-person', { arm })
  const { level, reach, leader, leaderLevel, seeds, leaderSeeds } = evidence
  const about = { arm, share: percentage(evidence.share), seeds }
  if (level === null || reach === null) return say('study.print.drop-dead', about)
  return say('study.print.drop', {
    ...about,
    level: figure(level, 4),
    leaderLevel: figure(leaderLevel, 4),
    leader,
    leaderSeeds,
    reach: figure(reach, 2),
  })
}
