import { figure, percentage } from '../../../text/numbers.js'
import { settingIn } from '../launch.js'
import { meanFactor } from '../rate.js'
import { cannotSay, isSettled, launchRule, placeOf, threshold } from '../rule.js'
import { UNKNOWN } from '../shell/values.js'

export const evalsInWarmup = launchRule({
  id: 'evals-in-warmup',
  severity: 'warning',
  about: {
    en: 'Three or more planned evaluations fall into the learning-rate warm-up; with `--until`, those up to that step.',
    zh: '有三次或更多计划中的验证落在学习率 warmup 内；给定 `--until` 时只看到该步为止的验证。',
  },
  thresholds: {
    FEWEST: threshold(3, {
      en: 'One or two evaluations at a lower rate are what a warm-up is for.',
      zh: '一两次验证处于较低学习率，正是 warmup 的本意。',
    }),
  },
  says: {
    'launch.evals-in-warmup': {
      en: 'the warm-up lasts {warmup} of {total} step{total||s} and covers the first {n} evaluation{n||s} (steps {first}–{last}): until then the mean learning rate is {rate}, {share} % of the peak. A comparison that stops before step {warmup} compares runs at that rate',
      zh: 'warmup 占 {total} 步中的 {warmup} 步，覆盖前 {n} 次验证（step {first}–{last}）：其间平均学习率为 {rate}，是峰值的 {share}%。在 step {warmup} 之前停下的对比，比的就是这个学习率下的 run',
    },
    'launch.evals-in-warmup.all': {
      en: 'all {n} compared evaluation{n||s} (steps {first}–{last}) are inside the warm-up of {warmup} step{warmup||s}: the mean learning rate until then is {rate}, {share} % of the peak',
      zh: '要比较的全部 {n} 次验证（step {first}–{last}）都在 {warmup} 步的 warmup 内：其间平均学习率为 {rate}，是峰值的 {share}%',
    },
    'launch.evals-in-warmup.remedy': {
      en: 'shorten the warm-up (10 steps are enough), or compare only evaluations well after step {warmup}',
      zh: '缩短 warmup（10 步足够），或只比较 step {warmup} 之后足够远的验证',
    },
    'launch.evals-in-warmup.cannot.length': {
      en: 'the length of the training and its warm-up: needs the rows of the training data, or a number of steps',
      zh: '无法得知训练及 warmup 的步数：需要训练数据的行数，或给定步数',
    },
  },
  check(subject, { say, FEWEST }) {
    const { rate, amounts, until, setting } = subject
    if (rate === null || rate.warmupSteps === 0 || amounts.evaluateEvery === 0) return
    const { warmupSteps, factorAt, peak } = rate
    if (warmupSteps === null || factorAt === null || amounts.evaluationSteps === null || amounts.totalSteps === null) {
      return cannotSay(say('launch.evals-in-warmup.cannot.length', {}))
    }
    const compared = amounts.evaluationSteps.filter(step => step > 0 && step <= (until ?? Number.POSITIVE_INFINITY))
    const inside = compared.filter(step => step <= warmupSteps)
    if (inside.length < FEWEST) return
    const [first, last] = [inside[0], inside[inside.length - 1]]
    const share = meanFactor(factorAt, last)
    const said = {
      n: inside.length,
      first,
      last,
      warmup: warmupSteps,
      rate: figure(share * peak, 2),
      share: percentage(share),
    }
    const steps = setting('lr.warmup.steps')
    const isBySteps = typeof steps.value === 'number' && steps.value > 0
    return {
      ...placeOf(subject, isBySteps ? steps.written : setting('lr.warmup.ratio').written, 'lr.warmup'),
      message:
        inside.length === compared.length
          ? say('launch.evals-in-warmup.all', said)
          : say('launch.evals-in-warmup', { ...said, total: amounts.totalSteps }),
      remedy: say('launch.evals-in-warmup.remedy', { warmup: warmupSteps }),
    }
  },
})

export const noEvaluation = launchRule({
  id: 'no-evaluation',
  severity: 'warning',
  about: { en: 'No validation during the training of a policy.', zh: '策略训练期间没有验证。' },
  says: {
    'launch.no-evaluation': {
      en: 'no validation is planned during training: only the training reward will show progress, and reward hacking fools exactly that',
      zh: '训练期间不做验证：只能看训练 reward，而 reward hacking 骗过的正是它',
    },
    'launch.no-evaluation.remedy': { en: 'validate every few steps ({key}=10)', zh: '每隔若干步验证一次（{key}=10）' },
    'launch.no-evaluation.strategy.remedy': {
      en: 'switch validation on: eval_strategy=steps, with eval_steps={every}; without eval_strategy eval_steps does nothing',
      zh: '开启验证：eval_strategy=steps，并设 eval_steps={every}；不设 eval_strategy 时 eval_steps 不起作用',
    },
  },
  check(subject, { say }) {
    const { amounts, launch } = subject
    const isSupervised = /sft/.test(launch.program.flavour)
    if (
      amounts.evaluateEvery !== 0 ||
      !isSettled(subject, 'eval.every') ||
      isSupervised ||
      launch.program.framework === 'klens'
    )
      return
    const { written, value } = subject.setting('eval.every')
    if (launch.program.framework === 'trl' || launch.program.framework === 'trl-ppo') {
      const every = typeof value === 'number' && value > 0 ? value : 10
      return {
        ...placeOf(subject, subject.setting('eval.strategy').written ?? written, 'eval_strategy'),
        message: say('launch.no-evaluation', {}),
        remedy: say('launch.no-evaluation.strategy.remedy', { every }),
      }
    }
    const place = placeOf(subject, written, settingIn(launch.program.framework, 'eval.every') ?? 'eval_steps')
    return {
      ...place,
      message: say('launch.no-evaluation', {}),
      remedy: say('launch.no-evaluation.remedy', { key: place.key ?? '' }),
    }
  },
})

export const noStartEvaluation = launchRule({
  id: 'no-start-evaluation',
  severity: 'note',
  about: {
    en: 'The model that training starts from is not evaluated.',
    zh: '训练的起点模型没有验证。',
  },
  says: {
    'launch.no-start-evaluation': {
      en: 'the starting model is not evaluated: the first evaluation is at step {step}, and harm before it (a reversed reward, a wrong temperature, overoptimisation) leaves no trace; no stop rule can see it',
      zh: '起点模型不做验证：首次验证在 step {step}，此前造成的损害（奖励符号反了、温度设错、过度优化）不留痕迹，停止规则也看不到',
    },
    'launch.no-start-evaluation.remedy': {
      en: 'evaluate at step 0 ({key}=True)',
      zh: '在 step 0 也做验证（{key}=True）',
    },
  },
  check(subject, { say }) {
    const { amounts, launch } = subject
    const first = amounts.evaluationSteps?.[0]
    if (first === undefined || first === 0 || launch.program.framework === 'klens') return
    const key = settingIn(launch.program.framework, 'eval.first')
    // Without one it is not known whether the trainer evaluates first.
    if (key === null) return
    return {
      ...placeOf(subject, subject.setting('eval.first').written, key),
      message: say('launch.no-start-evaluation', { step: first }),
      remedy: say('launch.no-start-evaluation.remedy', { key }),
    }
  },
})

export const evalSmall = launchRule({
  id: 'eval-small',
  severity: 'warning',
  about: {
    en: 'A validation asks fewer than 200 prompts; with the smallest difference that it can show.',
    zh: '一次验证的样本少于 200 个，并给出能分辨的最小差异。',
  },
  thresholds: {
    SMALL: threshold(200, {
      en: 'Below it, even a pass rate has a standard error of 3.5 points and more.',
      zh: '低于此数，即使是通过率，标准误也在 3.5 个百分点以上。',
    }),
  },
  says: {
    'launch.eval-small': {
      en: 'a validation has n = {n} prompt{n||s}: its standard error is {error}, and two checkpoints must differ by {difference} to be significantly different ({assumption})',
      zh: '一次验证只有 n = {n} 个样本：标准误 {error}，两个 checkpoint 相差 {difference} 以上才能区分（{assumption}）',
    },
    'launch.eval-small.remedy': {
      en: 'validate on more prompts: {prompts} would detect half that difference; klens plan computes others',
      zh: '用更多样本验证：{prompts} 个可分辨一半的差异；其他情形可用 klens plan 计算',
    },
    'launch.eval-small.cannot.rows': {
      en: 'the number of validation prompts, and so the detectable difference: the validation data cannot be read ({files})',
      zh: '无法得知一次验证的样本数，也就无法得知能分辨的差异：读不到验证数据（{files}）',
    },
  },
  check(subject, { say, SMALL }) {
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
      return cannotSay(say('launch.eval-small.cannot.rows', { files: named.replaceAll(UNKNOWN, '…').slice(0, 120) }))
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
})

export const dataOverlap = launchRule({
  id: 'data-overlap',
  severity: 'warning',
  about: { en: 'Validation texts that are also in the training data.', zh: '验证文本同时出现在训练数据中。' },
  says: {
    'launch.data-overlap': {
      en: '{shared} of {n} validation texts are also in the training data: their score says nothing about new prompts',
      zh: '{n} 条验证文本中有 {shared} 条也在训练集中：它们的得分不能说明对新问题的效果',
    },
    'launch.data-overlap.cannot.files': {
      en: 'whether validation texts are in the training data: one of the two files cannot be read here',
      zh: '无法判断验证文本是否在训练集中：有一个数据文件读不到',
    },
  },
  remedy: { en: 'remove them from the training data', zh: '从训练数据中去掉它们' },
  check(subject, { say }) {
    const { data, setting, launch } = subject
    if (launch.program.framework === 'klens') return
    if (data.shared === null || data.validation === null) {
      return cannotSay(say('launch.data-overlap.cannot.files', {}))
    }
    if (data.shared === 0) return
    return {
      ...placeOf(subject, setting('data.train').written, 'data.train'),
      message: say('launch.data-overlap', { shared: data.shared, n: data.validation.rows }),
    }
  },
})

export const noSeed = launchRule({
  id: 'no-seed',
  severity: 'note',
  about: {
    en: 'No seed is written down. Not said of frameworks that set one by themselves (TRL, OpenRLHF, klens).',
    zh: '没有写明随机种子。自带默认种子的框架（TRL、OpenRLHF、klens）不提示。',
  },
  says: {
    'launch.no-seed': {
      en: 'no seed is set: the run cannot be repeated, and one run per setting cannot separate a setting from sampling noise',
      zh: '没有设置随机种子：run 无法重复；每种配置只有一个 run 时，分不清是配置的作用还是抽样噪声',
    },
    'launch.no-seed.remedy': {
      en: 'set {key} and train each setting with several seeds (klens plan says how many)',
      zh: '设置 {key}，并为每个设置训练多个种子（klens plan 会给出数量）',
    },
  },
  check({ launch, schema, setting }, { say }) {
    const { framework, flavour, line } = launch.program
    if (framework !== 'verl' || /sft/.test(flavour)) return
    const isSet = launch.settings.some(({ key, value }) => /(?:^|[._])seed$/.test(key) && value !== null)
    if (isSet || setting('seed').written !== null) return
    const key = schema === null || schema.settings.has('data.seed') ? 'data.seed' : '+data.seed'
    return { key: 'data.seed', line, message: say('launch.no-seed', {}), remedy: say('launch.no-seed.remedy', { key }) }
  },
})
