import type { Message } from '../../model/run.js'
import { figure as short } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { type Block, heading, list, paragraph } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { StudyFacts } from './facts.js'

/** What the study cost, and what it saved itself by dropping arms. */

const say = sentences({
  'report.study.head.dropped': { en: 'What was dropped', zh: '放弃了什么' },
  'report.study.head.cost': { en: 'What it cost', zh: '开销' },
  'report.study.drop': {
    en: '{arm}, after {share} % of the run: {level} against {leaderLevel} of {leader}; further behind than {reach} is hopeless by the finished runs.',
    zh: '{arm}，进行到 {share}% 时：{level}，而 {leader} 为 {leaderLevel}；依已完成的 run，落后超过 {reach} 即无望。',
  },
  'report.study.drop-dead': {
    en: '{arm}: none of its runs had a finite score.',
    zh: '{arm}：其所有 run 均无有限分数。',
  },
  'report.study.drop-person': { en: '{arm}: by a person.', zh: '{arm}：由人放弃。' },
  'report.study.none-dropped': { en: 'Nothing was dropped.', zh: '没有放弃任何 arm。' },
  'report.study.cost': {
    en: '{trials} {n|trial|trials} and {minutes} minutes of training.',
    zh: '{trials} 个试验，共训练 {minutes} 分钟。',
  },
  'report.study.fixed': {
    en: 'A fixed design that settles it either way in 80 % would have taken {trials} trials and {minutes} minutes.',
    zh: '若用固定设计、以 80% 的把握得出任一结论，需 {trials} 个试验、{minutes} 分钟。',
  },
})

export function dropBlocks(speaker: Speaker, { drops }: StudyFacts): readonly Block[] {
  const head = heading(speaker.say(say('report.study.head.dropped', {})))
  if (drops.length === 0) return [head, paragraph(speaker.say(say('report.study.none-dropped', {})))]
  return [head, list(drops.map(drop => [speaker.say(dropSentence(drop))]))]
}

/** Who dropped an arm, and on what evidence. */
export function dropSentence({ arm, by, evidence }: StudyFacts['drops'][number]): Message {
  if (by === 'person' || evidence === null) return say('report.study.drop-person', { arm })
  const { share, leader, level, leaderLevel, reach } = evidence
  if (level === null || reach === null) return say('report.study.drop-dead', { arm })
  return say('report.study.drop', {
    arm,
    share: short(100 * share),
    level: short(level, 4),
    leader,
    leaderLevel: short(leaderLevel, 4),
    reach: short(reach, 2),
  })
}

export function costBlocks(speaker: Speaker, { cost, settled }: StudyFacts): readonly Block[] {
  const minutes = (hours: number): string => short(60 * hours, 2)
  const said = say('report.study.cost', { trials: cost.trials, n: cost.trials, minutes: minutes(cost.hours) })
  const fixed = settled?.fixed ?? null
  const instead =
    fixed === null || fixed.prompts !== null
      ? []
      : [' ', speaker.say(say('report.study.fixed', { trials: fixed.trials, minutes: minutes(fixed.hours) }))]
  return [heading(speaker.say(say('report.study.head.cost', {}))), paragraph(speaker.say(said), ...instead)]
}
