import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.data-overlap': {
    en: '{shared} of {n} validation texts are also trained on: the score on them says nothing about new ones',
    zh: '{n} 条验证文本中有 {shared} 条也在训练集中：它们的得分不能说明对新问题的效果',
  },
  'launch.data-overlap.remedy': { en: 'take them out of the training data', zh: '从训练数据中去掉它们' },
  'launch.data-overlap.cannot.files': {
    en: 'whether validation texts are trained on: one of the two files cannot be read here',
    zh: '无法判断验证文本是否在训练集中：有一个数据文件读不到',
  },
})

export const dataOverlap: LaunchRule = {
  id: 'data-overlap',
  severity: 'warning',
  about: { en: 'Validation texts that are also in the training data.', zh: '验证文本同时出现在训练数据中。' },
  check(subject) {
    const { data, setting, launch } = subject
    if (launch.program.framework === 'klens') return
    if (data.shared === null || data.validation === null) {
      return { cannotTell: say('launch.data-overlap.cannot.files', {}) }
    }
    if (data.shared === 0) return
    return {
      ...placeOf(subject, setting('data.train').written, 'data.train'),
      message: say('launch.data-overlap', { shared: data.shared, n: data.validation.rows }),
      remedy: say('launch.data-overlap.remedy', {}),
    }
  },
}
