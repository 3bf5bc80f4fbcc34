import { numberOf, truthOf } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import { isSettled, type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.batch-refused.gpus': {
    en: '{prompts} prompts × {group} answers = {answers} do not divide by {gpus} GPUs: verl refuses to start',
    zh: '{prompts} 个问题 × {group} 个答案 = {answers}，不能被 {gpus} 张卡整除：verl 会拒绝启动',
  },
  'launch.batch-refused.mini': {
    en: 'a mini-batch of {mini} prompts is larger than the batch of {prompts}: verl refuses to start',
    zh: 'mini-batch（{mini} 个问题）大于 batch（{prompts} 个）：verl 会拒绝启动',
  },
  'launch.batch-refused.rows': {
    en: 'a batch of {prompts} prompts is larger than the training data ({rows} rows): not a single step would be made',
    zh: 'batch（{prompts} 个问题）大于训练数据（{rows} 行）：一步也走不了',
  },
  'launch.batch-refused.remedy': {
    en: 'choose a batch that is a multiple of the GPUs, and a mini-batch that divides it',
    zh: 'batch 取卡数的倍数，mini-batch 取 batch 的约数',
  },
})

export const batchRefused: LaunchRule = {
  id: 'batch-refused',
  severity: 'error',
  about: { en: 'Batch sizes that verl refuses when it starts.', zh: 'verl 启动时会拒绝的 batch 大小。' },
  check(subject) {
    const { launch, amounts, groupSize, setting, config, data } = subject
    const { promptsPerStep: prompts, gpus } = amounts
    if (launch.program.framework !== 'verl' || launch.program.flavour !== 'ppo_trainer' || prompts === null) return
    const remedy = say('launch.batch-refused.remedy', {})
    const rows = data.train?.rows ?? null
    if (rows !== null && rows < prompts) {
      const place = placeOf(subject, setting('batch.prompts').written, 'data.train_batch_size')
      return { ...place, message: say('launch.batch-refused.rows', { prompts, rows }), remedy }
    }
    if (!['batch.mini', 'group.size', 'gpus'].every(key => isSettled(subject, key))) return
    // With batches cut by tokens verl checks neither.
    if (truthOf(config['actor_rollout_ref.actor.use_dynamic_bsz']) === true) return
    const mini = numberOf(setting('batch.mini').value)
    if (mini !== null && mini > prompts) {
      const place = placeOf(subject, setting('batch.mini').written, 'actor_rollout_ref.actor.ppo_mini_batch_size')
      return { ...place, message: say('launch.batch-refused.mini', { mini, prompts }), remedy }
    }
    if (gpus === null || groupSize === null || (prompts * groupSize) % gpus === 0) return
    const said = { prompts, group: groupSize, answers: prompts * groupSize, gpus }
    const place = placeOf(subject, setting('batch.prompts').written, 'data.train_batch_size')
    return { ...place, message: say('launch.batch-refused.gpus', said), remedy }
  },
}
