import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { isSettled, type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.clip-inert': {
    en: 'one update per step on fresh answers: the ratio is 1 and the clip ({range}) never acts',
    zh: '每步只用新采样的答案更新一次：比率恒为 1，clip（{range}）从不起作用',
  },
  'launch.clip-inert.remedy': {
    en: 'nothing to do if on-policy training is meant; the clip range is then no setting to tune or compare. A smaller mini-batch, or more inner epochs, would let it act',
    zh: '若本意就是 on-policy，则无需改动，但 clip 范围不值得调或比较；减小 mini-batch 或增加内层 epoch 才会让它起作用',
  },
})

export const clipInert: LaunchRule = {
  id: 'clip-inert',
  severity: 'note',
  about: {
    en: 'With one update per batch of fresh answers the clip never acts.',
    zh: '每批新答案只更新一次时，clip 从不起作用。',
  },
  check(subject) {
    const { clip, setting } = subject
    if (clip.inert !== true || !['batch.prompts', 'batch.mini'].every(key => isSettled(subject, key))) return
    const [low, high] = [clip.low, clip.high].map(each => (each === null ? '?' : figure(each)))
    return {
      ...placeOf(subject, setting('batch.mini').written ?? setting('epochs.inner').written, 'batch.mini'),
      message: say('launch.clip-inert', { range: low === high ? low : `${low}/${high}` }),
      remedy: say('launch.clip-inert.remedy', {}),
    }
  },
}
