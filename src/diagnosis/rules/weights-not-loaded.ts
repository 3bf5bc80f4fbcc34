import { runRule } from '../run-rule.js'
import { wholeRun } from '../subject.js'

export const weightsNotLoaded = runRule({
  id: 'weights-not-loaded',
  severity: 'error',
  about: {
    en: 'A loader printed that keys were missing or unexpected and went on: part of the model is not what the checkpoint holds.',
    zh: '加载时打印了缺失或意外的键却继续运行：模型的一部分并非 checkpoint 中的权重。',
  },
  needs: [],
  says: {
    'weights-not-loaded': {
      en: 'the console says that weights did not fit the model when they were loaded: {missing} missing, {unexpected} unexpected ({examples}); what is missing stayed as it was drawn, so the scores are not those of the checkpoint',
      zh: '控制台显示加载权重时与模型不符：缺失 {missing} 个键，意外 {unexpected} 个键（{examples}）；缺失的部分保持随机初始化，得到的分数并不属于这个 checkpoint',
    },
  },
  remedy: {
    en: 'load with strict=True, or give names that the model has (klens weights convert writes those of Lever-Plus); then evaluate again: docs/identical-results.md',
    zh: '用 strict=True 加载，或改用模型认识的名字（klens weights convert 会为 Lever-Plus 写出正确的名字），然后重新评测：见 docs/identical-results.md',
  },
  check(subject, { say }) {
    const keysIn = (setting: string): readonly string[] => {
      const said = subject.config[setting]
      return typeof said === 'string' ? said.split(' ') : []
    }
    const [missing, unexpected] = [keysIn('weights.missing_keys'), keysIn('weights.unexpected_keys')]
    if (missing.length + unexpected.length === 0) return
    const examples = [...missing.slice(0, 2), ...unexpected.slice(0, 1)].join(', ')
    const counts = { missing: missing.length, unexpected: unexpected.length }
    return {
      steps: wholeRun(subject),
      evidence: counts,
      message: say('weights-not-loaded', { ...counts, examples }),
    }
  },
})
