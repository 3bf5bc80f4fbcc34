import { runRule, settingUnknown } from '../run-rule.js'
import { wholeRun } from '../subject.js'

const KEY = 'gym.show_reward'

export const trainEvalPromptMismatch = runRule({
  id: 'train-eval-prompt-mismatch',
  severity: 'warning',
  about: {
    en: 'What the policy reads differs between training and evaluation, by the config: in multi-turn gyms the usual one is a reward that is shown behind each answer in training only, as in UserRL. A policy that has learned to steer by it is blind where it is not there.',
    zh: '由配置可知，策略在训练与评测时读到的内容不同：多轮 gym 中常见的是只在训练时于每次回答后显示 reward（UserRL 即如此）。学会据此行动的策略，在看不到 reward 时就失去了依据。',
  },
  needs: [],
  says: {
    'train-eval-prompt-mismatch': {
      en: 'in training the policy reads its reward behind every answer ({key}={value}), in evaluation it does not: it is evaluated on prompts that it was not trained on',
      zh: '训练时策略能看到每次回答的 reward（{key}={value}），评测时却看不到：评测所用的 prompt 与训练时不同',
    },
  },
  remedy: {
    en: 'show the reward in both or in neither (klens: gym.show_reward=never), train anew, and do not compare this run with one that was trained otherwise',
    zh: '训练与评测要么都显示 reward，要么都不显示（klens：gym.show_reward=never），重新训练；不要与其他显示方式训练的 run 比较',
  },
  check(subject, { say }) {
    const shown = subject.settings.get(KEY)?.effective
    if (shown === undefined) return settingUnknown(KEY)
    if (shown !== 'training') return
    return {
      steps: wholeRun(subject),
      evidence: { [KEY]: shown },
      message: say('train-eval-prompt-mismatch', { key: KEY, value: shown }),
    }
  },
})
