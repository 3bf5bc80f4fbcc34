import { sentences } from '../../text/sentences.js'
import { type Block, heading, paragraph, strong } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { StudyFacts } from './facts.js'

/** Which setting to take, with the config that launches it. */

const say = sentences({
  'report.study.head.take': { en: 'The setting to take', zh: '应采用的配置' },
  'report.study.take-better': {
    en: 'Take {arm}: of the arms that were shown to be better than {baseline} it has the best mean.',
    zh: '采用 {arm}：在被证明优于 {baseline} 的 arm 中均值最好。',
  },
  'report.study.take-baseline': {
    en: 'Take {arm}, the baseline: no arm was shown to be better.',
    zh: '采用基线 {arm}：没有任何 arm 被证明更好。',
  },
  'report.study.take-hash': {
    en: 'Its config lies beside this report, with the hash {hash}, ready to launch:',
    zh: '其配置与本报告放在一起，哈希 {hash}，可直接启动：',
  },
})

export function takeBlocks(speaker: Speaker, { take, baseline }: StudyFacts): readonly Block[] {
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
