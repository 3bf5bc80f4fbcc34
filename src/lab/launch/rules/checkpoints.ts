import { isSettled, launchRule, placeOf } from '../rule.js'

/** UserRL's trainer removes all others. */
const KEPT_BY_FORK = 2

export const checkpointsDeleted = launchRule({
  id: 'checkpoints-deleted',
  severity: 'warning',
  about: {
    en: 'Fewer checkpoints are kept than saved: those of earlier evaluations are gone when the best is known.',
    zh: '保留的 checkpoint 少于保存的：知道哪个最好时，较早的已经没有了。',
  },
  says: {
    'launch.checkpoints-deleted.fork': {
      en: 'checkpoints are deleted: UserRL’s trainer keeps only the newest and the best of {saves} saves, so no other evaluation can be repeated, and "best" is the luckiest of {evaluations}',
      zh: 'checkpoint 会被删除：UserRL 的训练器在 {saves} 次保存中只留最新和最好的，其他验证无法重做，而“最好”只是 {evaluations} 次中运气最好的一次',
    },
    'launch.checkpoints-deleted': {
      en: 'checkpoints are deleted: {kept} of {saves} saves are kept, and the one to ship may not be among them',
      zh: 'checkpoint 会被删除：{saves} 次保存只保留 {kept} 个，最后要用的可能不在其中',
    },
    'launch.checkpoints-deleted.remedy.fork': {
      en: 'copy each folder as it is saved (a hook, or a loop next to the training), or save only as often as copies can be kept',
      zh: '每次保存后立即把目录复制到别处（hook 或旁路脚本），或降低保存频率',
    },
  },
  remedy: {
    en: 'keep as many as there are evaluations you may want to return to, or save less often',
    zh: '保留数应覆盖可能要回看的验证，或降低保存频率',
  },
  check(subject, { say }) {
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
    }
  },
})

export const noCheckpoints = launchRule({
  id: 'no-checkpoints',
  severity: 'note',
  about: { en: 'The training saves nothing.', zh: '训练不保存任何 checkpoint。' },
  says: {
    'launch.no-checkpoints': {
      en: 'no checkpoint is saved: when the training ends there is nothing to ship and nothing to evaluate again',
      zh: '不保存任何 checkpoint：训练结束后没有可用的模型，也无法重新评估',
    },
    'launch.no-checkpoints.remedy': {
      en: 'save as often as you evaluate ({key}={every})',
      zh: '保存频率与验证一致（{key}={every}）',
    },
  },
  check(subject, { say }) {
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
})
