import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.eval-small': {
    en: 'a validation asks n = {n} prompts: its standard error is {error}, and two checkpoints must differ by {difference} to be told apart ({assumption})',
    zh: '一次验证只有 n = {n} 个样本：标准误 {error}，两个 checkpoint 相差 {difference} 以上才能区分（{assumption}）',
  },
  'launch.eval-small.remedy': {
    en: 'validate on more prompts: {prompts} would show half that difference; klens plan reckons for others',
    zh: '用更多样本验证：{prompts} 个可分辨一半的差异；其他情形可用 klens plan 计算',
  },
  'launch.eval-small.cannot.rows': {
    en: 'how many prompts a validation asks, and so which difference it can show: the validation data cannot be read ({files})',
    zh: '无法得知一次验证的样本数，也就无法得知能分辨的差异：读不到验证数据（{files}）',
  },
})

/** Below it, even a pass rate has a standard error of 3.5 points and more. */
const SMALL = 200

export const evalSmall: LaunchRule = {
  id: 'eval-small',
  severity: 'warning',
  about: {
    en: 'A validation asks fewer than 200 prompts; with the smallest difference that it can show.',
    zh: '一次验证的样本少于 200 个，并给出能分辨的最小差异。',
  },
  check(subject) {
    const { detectable, amounts, setting } = subject
    if (amounts.evaluateEvery === 0 || subject.launch.program.framework === 'klens') return
    const files = setting('data.val')
    if (detectable === null) {
      const named =
        files.value === undefined || files.value === null
          ? '–'
          : typeof files.value === 'string'
            ? files.value
            : JSON.stringify(files.value)
      return {
        cannotTell: say('launch.eval-small.cannot.rows', { files: named.replaceAll('\uE000', '…').slice(0, 120) }),
      }
    }
    const { n, difference, standardError, assumption } = detectable
    if (n >= SMALL) return
    return {
      ...placeOf(subject, files.written, 'data.val'),
      message: say('launch.eval-small', {
        n,
        error: figure(standardError, 2),
        difference: figure(difference, 2),
        assumption,
      }),
      remedy: say('launch.eval-small.remedy', { prompts: 4 * n }),
    }
  },
}
