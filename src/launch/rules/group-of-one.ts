import { sentences } from '../../text/sentences.js'
import { isSettled, type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.group-of-one': {
    en: '{algorithm} compares the answers of one prompt, and there is only one: its advantage is the bare reward, without a baseline',
    zh: '{algorithm} 在同一问题的多个答案间比较，但这里只有一个：优势就是原始 reward，没有基线',
  },
  'launch.group-of-one.remedy': {
    en: 'sample several answers per prompt ({key}=8)',
    zh: '每个问题采样多个答案（{key}=8）',
  },
})

const GROUPED = /^(?:grpo\w*|rloo\w*|opo|gpg|gdpo|group_norm|dr_grpo|reinforce_plus_plus_baseline|reinforce_baseline)$/

export const groupOfOne: LaunchRule = {
  id: 'group-of-one',
  severity: 'warning',
  about: {
    en: 'A group-relative method with one answer per prompt.',
    zh: '组内相对的方法，却每个问题只采样一个答案。',
  },
  check(subject) {
    const { groupSize, setting, launch } = subject
    const named = setting('algorithm').value
    const algorithm =
      typeof named === 'string' ? named : launch.program.framework === 'trl' ? launch.program.flavour : ''
    if (groupSize !== 1 || !GROUPED.test(algorithm) || !isSettled(subject, 'group.size')) return
    const place = placeOf(
      subject,
      setting('group.size').written,
      launch.program.framework === 'verl' ? 'actor_rollout_ref.rollout.n' : 'num_generations',
    )
    return {
      ...place,
      message: say('launch.group-of-one', { algorithm }),
      remedy: say('launch.group-of-one.remedy', { key: place.key ?? '' }),
    }
  },
}
