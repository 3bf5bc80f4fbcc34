import { numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { figure } from '../../../text/numbers.js'
import { settingIn } from '../launch.js'
import { isSettled, launchRule, placeOf } from '../rule.js'

export const batchRefused = launchRule({
  id: 'batch-refused',
  severity: 'error',
  about: { en: 'Batch sizes that verl refuses when it starts.', zh: 'verl 启动时会拒绝的 batch 大小。' },
  says: {
    'launch.batch-refused.gpus': {
      en: '{prompts} prompt{prompts||s} × {group} response{group||s} = {answers} is not divisible by {gpus} GPU{gpus||s}: verl refuses to start',
      zh: '{prompts} 个问题 × {group} 个答案 = {answers}，不能被 {gpus} 张卡整除：verl 会拒绝启动',
    },
    'launch.batch-refused.mini': {
      en: 'a mini-batch of {mini} prompt{mini||s} is larger than the batch of {prompts}: verl refuses to start',
      zh: 'mini-batch（{mini} 个问题）大于 batch（{prompts} 个）：verl 会拒绝启动',
    },
    'launch.batch-refused.rows': {
      en: 'a batch of {prompts} prompt{prompts||s} is larger than the training data ({rows} row{rows||s}): there would not be a single step',
      zh: 'batch（{prompts} 个问题）大于训练数据（{rows} 行）：一步也走不了',
    },
  },
  remedy: {
    en: 'choose a batch that is a multiple of the GPUs, and a mini-batch that divides it',
    zh: 'batch 取卡数的倍数，mini-batch 取 batch 的约数',
  },
  check(subject, { say }) {
    const { launch, amounts, groupSize, setting, config, data } = subject
    const { promptsPerStep: prompts, gpus } = amounts
    if (launch.program.framework !== 'verl' || launch.program.flavour !== 'ppo_trainer' || prompts === null) return
    const rows = data.train?.rows ?? null
    if (rows !== null && rows < prompts) {
      const place = placeOf(subject, setting('batch.prompts').written, 'data.train_batch_size')
      return { ...place, message: say('launch.batch-refused.rows', { prompts, rows }) }
    }
    if (!['batch.mini', 'group.size', 'gpus'].every(key => isSettled(subject, key))) return
    // With batches cut by tokens verl checks neither.
    if (truthOf(config['actor_rollout_ref.actor.use_dynamic_bsz']) === true) return
    const mini = numberOf(setting('batch.mini').value)
    if (mini !== null && mini > prompts) {
      const place = placeOf(subject, setting('batch.mini').written, 'actor_rollout_ref.actor.ppo_mini_batch_size')
      return { ...place, message: say('launch.batch-refused.mini', { mini, prompts }) }
    }
    if (gpus === null || groupSize === null || (prompts * groupSize) % gpus === 0) return
    const said = { prompts, group: groupSize, answers: prompts * groupSize, gpus }
    const place = placeOf(subject, setting('batch.prompts').written, 'data.train_batch_size')
    return { ...place, message: say('launch.batch-refused.gpus', said) }
  },
})

export const clipInert = launchRule({
  id: 'clip-inert',
  severity: 'note',
  about: {
    en: 'With one update per batch of fresh answers the clip never acts.',
    zh: '每批新答案只更新一次时，clip 从不起作用。',
  },
  says: {
    'launch.clip-inert': {
      en: 'one update per step on fresh responses: the ratio is 1 and the clip ({range}) has no effect',
      zh: '每步只用新采样的答案更新一次：比率恒为 1，clip（{range}）从不起作用',
    },
  },
  remedy: {
    en: 'nothing to do if on-policy training is intended; the clip range is then not a setting to tune or compare. A smaller mini-batch, or more inner epochs, would give it an effect',
    zh: '若本意就是 on-policy，则无需改动，但 clip 范围不值得调或比较；减小 mini-batch 或增加内层 epoch 才会让它起作用',
  },
  check(subject, { say }) {
    const { clip, setting } = subject
    if (clip.inert !== true || !['batch.prompts', 'batch.mini'].every(key => isSettled(subject, key))) return
    const [low, high] = [clip.low, clip.high].map(each => (each === null ? '?' : figure(each)))
    return {
      ...placeOf(subject, setting('batch.mini').written ?? setting('epochs.inner').written, 'batch.mini'),
      message: say('launch.clip-inert', { range: low === high ? low : `${low}/${high}` }),
    }
  },
})

const GROUPED = /^(?:grpo\w*|rloo\w*|opo|gpg|gdpo|group_norm|dr_grpo|reinforce_plus_plus_baseline|reinforce_baseline)$/

export const groupOfOne = launchRule({
  id: 'group-of-one',
  severity: 'warning',
  about: {
    en: 'A group-relative method with one answer per prompt.',
    zh: '组内相对的方法，却每个问题只采样一个答案。',
  },
  says: {
    'launch.group-of-one': {
      en: '{algorithm} compares the responses to one prompt, and there is only one: its advantage is the bare reward, without a baseline',
      zh: '{algorithm} 在同一问题的多个答案间比较，但这里只有一个：优势就是原始 reward，没有基线',
    },
    'launch.group-of-one.remedy': {
      en: 'sample several responses per prompt ({key}=8)',
      zh: '每个问题采样多个答案（{key}=8）',
    },
  },
  check(subject, { say }) {
    const { groupSize, setting, launch } = subject
    const named = setting('algorithm').value
    const algorithm =
      typeof named === 'string' ? named : launch.program.framework === 'trl' ? launch.program.flavour : ''
    if (groupSize !== 1 || !GROUPED.test(algorithm) || !isSettled(subject, 'group.size')) return
    const place = placeOf(
      subject,
      setting('group.size').written,
      settingIn(launch.program.framework, 'group.size') ?? 'num_generations',
    )
    return {
      ...place,
      message: say('launch.group-of-one', { algorithm }),
      remedy: say('launch.group-of-one.remedy', { key: place.key ?? '' }),
    }
  },
})
