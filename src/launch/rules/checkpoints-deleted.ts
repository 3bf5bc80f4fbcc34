import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.checkpoints-deleted.fork': {
    en: 'checkpoints are deleted: UserRL’s trainer keeps only the newest and the best of {saves} saves, so no other evaluation can ever be repeated, and "best" is the luckiest of {evaluations}',
    zh: 'checkpoint 会被删除：UserRL 的训练器在 {saves} 次保存中只留最新和最好的，其他验证无法重做，而“最好”只是 {evaluations} 次中运气最好的一次',
  },
  'launch.checkpoints-deleted': {
    en: 'checkpoints are deleted: {kept} of {saves} saves are kept, and the one to ship may not be among them',
    zh: 'checkpoint 会被删除：{saves} 次保存只保留 {kept} 个，最后要用的可能不在其中',
  },
  'launch.checkpoints-deleted.remedy.fork': {
    en: 'copy each folder away as it is saved (a hook, or a loop beside the training), or save only as often as copies can be kept',
    zh: '每次保存后立即把目录复制到别处（hook 或旁路脚本），或降低保存频率',
  },
  'launch.checkpoints-deleted.remedy': {
    en: 'keep as many as there are evaluations that you may want to go back to, or save less often',
    zh: '保留数应覆盖可能要回看的验证，或降低保存频率',
  },
})

/** UserRL's trainer removes all others. */
const KEPT_BY_FORK = 2

export const checkpointsDeleted: LaunchRule = {
  id: 'checkpoints-deleted',
  severity: 'warning',
  about: {
    en: 'Fewer checkpoints are kept than saved: those of earlier evaluations are gone when the best is known.',
    zh: '保留的 checkpoint 少于保存的：知道哪个最好时，较早的已经没有了。',
  },
  check(subject) {
    const { amounts, schema, setting } = subject
    if (amounts.saveEvery === null || amounts.saveEvery <= 0) return
    const isFork = schema?.version === 'userrl'
    const kept = isFork ? KEPT_BY_FORK : amounts.keep
    if (kept === null || (amounts.saves !== null && amounts.saves <= kept)) return
    const saves = amounts.saves ?? '?'
    if (isFork) {
      const evaluations = amounts.evaluationSteps?.length ?? '?'
      return {
        ...placeOf(subject, setting('save.every').written, 'trainer.save_freq'),
        message: say('launch.checkpoints-deleted.fork', { saves, evaluations }),
        remedy: say('launch.checkpoints-deleted.remedy.fork', {}),
      }
    }
    return {
      ...placeOf(subject, setting('save.keep').written, 'save.keep'),
      message: say('launch.checkpoints-deleted', { kept, saves }),
      remedy: say('launch.checkpoints-deleted.remedy', {}),
    }
  },
}
