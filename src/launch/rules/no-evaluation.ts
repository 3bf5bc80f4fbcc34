import { sentences } from '../../text/sentences.js'
import { isSettled, type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.no-evaluation': {
    en: 'no validation is planned while it trains: only the training reward will tell how it goes, and that is what reward hacking fools',
    zh: '训练期间不做验证：只能看训练 reward，而 reward hacking 骗过的正是它',
  },
  'launch.no-evaluation.remedy': { en: 'validate every few steps ({key}=10)', zh: '每隔若干步验证一次（{key}=10）' },
})

export const noEvaluation: LaunchRule = {
  id: 'no-evaluation',
  severity: 'warning',
  about: { en: 'No validation during the training of a policy.', zh: '策略训练期间没有验证。' },
  check(subject) {
    const { amounts, launch } = subject
    const isSupervised = /sft/.test(launch.program.flavour)
    if (
      amounts.evaluateEvery !== 0 ||
      !isSettled(subject, 'eval.every') ||
      isSupervised ||
      launch.program.framework === 'klens'
    )
      return
    const place = placeOf(
      subject,
      subject.setting('eval.every').written,
      launch.program.framework === 'verl' ? 'trainer.test_freq' : 'eval_steps',
    )
    return {
      ...place,
      message: say('launch.no-evaluation', {}),
      remedy: say('launch.no-evaluation.remedy', { key: place.key ?? '' }),
    }
  },
}
