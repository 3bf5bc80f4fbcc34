import { sentences } from '../../text/sentences.js'
import { isSettled, type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.no-checkpoints': {
    en: 'no checkpoint is saved: when the training ends there is nothing to ship and nothing to evaluate again',
    zh: '不保存任何 checkpoint：训练结束后没有可用的模型，也无法重新评估',
  },
  'launch.no-checkpoints.remedy': {
    en: 'save as often as you evaluate ({key}={every})',
    zh: '保存频率与验证一致（{key}={every}）',
  },
})

export const noCheckpoints: LaunchRule = {
  id: 'no-checkpoints',
  severity: 'note',
  about: { en: 'The training saves nothing.', zh: '训练不保存任何 checkpoint。' },
  check(subject) {
    const { amounts, launch } = subject
    if (
      amounts.saveEvery !== 0 ||
      !isSettled(subject, 'save.every') ||
      launch.program.framework !== 'verl' ||
      /sft/.test(launch.program.flavour)
    )
      return
    const place = placeOf(subject, subject.setting('save.every').written, 'trainer.save_freq')
    const every = amounts.evaluateEvery === null || amounts.evaluateEvery === 0 ? 20 : amounts.evaluateEvery
    return {
      ...place,
      message: say('launch.no-checkpoints', {}),
      remedy: say('launch.no-checkpoints.remedy', { key: place.key ?? '', every }),
    }
  },
}
