import { numberOf } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.turns-off-by-one': {
    en: 'a limit of {turns} turns means {executed} executed calls: the loop ends before the last call is carried out, and its turn counts as a reward of 0',
    zh: '上限 {turns} 轮意味着只执行 {executed} 次调用：循环在执行最后一次调用前结束，该轮 reward 记为 0',
  },
  'launch.turns-off-by-one.remedy': {
    en: 'set {more} if {turns} questions are meant',
    zh: '若要执行 {turns} 次提问，设为 {more}',
  },
})

export const turnsOffByOne: LaunchRule = {
  id: 'turns-off-by-one',
  severity: 'note',
  about: {
    en: 'UserRL’s rollout (verl 0.4) counts a turn before it carries out its call: one call less than the limit.',
    zh: 'UserRL 的 rollout（verl 0.4）先计轮数再执行调用：执行次数比上限少一。',
  },
  check({ launch, schema }) {
    const written = launch.settings.findLast(({ key }) => key.endsWith('.multi_turn.max_turns'))
    const turns = numberOf(written?.value)
    if (written === undefined || turns === null || schema?.version !== 'userrl') return
    return {
      key: written.key,
      line: written.line,
      message: say('launch.turns-off-by-one', { turns, executed: turns - 1 }),
      remedy: say('launch.turns-off-by-one.remedy', { turns, more: turns + 1 }),
    }
  },
}
