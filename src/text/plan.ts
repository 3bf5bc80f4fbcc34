import type { Templates } from './language.js'

/** `klens plan`: how much more data would settle a question. */
export const planTexts = {
  'plan.about': {
    en: 'how many prompts, evaluations or seeds resolve a question',
    zh: '需要多少样本、验证或种子才能判定；预算如何分配',
  },
  'plan.sides': {
    en: 'up to two runs (or folders or patterns of seeds) whose noise to plan with',
    zh: '至多两方，用其自身的噪声来估算：一个 run，或一组重复实验（文件夹或通配符）',
  },
  'plan.option.metric': {
    en: 'metric, raw or canonical (default val.score)',
    zh: '指标，原名或规范名（默认 val.score）',
  },
  'plan.option.difference': {
    en: 'the difference to detect: 0.02, or 2% of the baseline',
    zh: '要看出的差异：0.02，或基线的 2%',
  },
  'plan.option.margin': {
    en: 'the margin for equivalence: 0.02, or 5% of the baseline',
    zh: '等效界限，用于证明两者相当：0.02，或基线的 5%',
  },
  'plan.option.power': {
    en: 'probability of detecting it if it is there (default 0.8)',
    zh: '功效：若真实情况如所设，判定成功的概率（默认 0.8）',
  },
  'plan.option.sd': {
    en: 'std of one evaluation around the curve of its run',
    zh: '单次验证围绕曲线走势的标准差',
  },
  'plan.option.seed-sd': { en: 'std between seeds of one setting', zh: '同一配置下不同种子之间的标准差' },
  'plan.option.prompts': { en: 'prompts per evaluation now', zh: '目前每次验证的样本数' },
  'plan.option.discordance': {
    en: 'share of prompts on which the two differ, for right-or-wrong scores',
    zh: '两方结果不一致的样本占比（对错型得分）',
  },
  'plan.option.evals': { en: 'evaluations per run now', zh: '目前每个 run 的验证次数' },
  'plan.option.p': { en: 'accuracy, as a share', zh: '准确率（0 到 1 之间）' },
  'plan.option.budget': {
    en: 'budget for two settings, in any unit such as GPU-hours',
    zh: '两种配置的总预算，单位任意，例如卡时',
  },
  'plan.option.cost-run': { en: 'cost of one training run, in the same unit', zh: '训练一个 run 的成本，单位同上' },
  'plan.option.cost-prompt': {
    en: 'cost of evaluating one prompt once, in the same unit',
    zh: '评测一个样本一次的成本，单位同上',
  },

  'plan.bad-size': {
    en: '{option} is "{value}"; it must be a positive number or a percentage',
    zh: '{option} 是“{value}”，应为正数或百分比',
  },
  'plan.bad-number': {
    en: '{option} is "{value}"; it must be a number {range}',
    zh: '{option} 是“{value}”，应为满足 {range} 的数',
  },
  'plan.two-sides': { en: 'klens plan takes at most two runs or groups of seeds', zh: 'klens plan 至多接受两方' },
  'plan.needs-size': {
    en: 'set what to plan for: --difference, the difference to detect, or --margin, the margin for equivalence',
    zh: '请说明目标：--difference 为要看出的差异，--margin 为视为相当的界限',
  },
  'plan.nothing-known': {
    en: 'the noise is unknown; name runs, or give --sd, --seed-sd, --p or --discordance',
    zh: '噪声未知；请给出 run，或用 --sd、--seed-sd、--p、--discordance 指定',
  },
  'plan.no-metric': {
    en: 'run {run} has no finite value of "{metric}"; name another with --metric',
    zh: 'run {run} 的“{metric}”没有有限值；请用 --metric 指定其他指标',
  },
  'plan.share-of-nothing': {
    en: 'a percentage needs a baseline: name a run, give --p, or write the size as a plain number',
    zh: '百分比需要基线：请给出 run 或 --p，或直接写成数值',
  },
  'plan.needs-costs': {
    en: '--budget needs --cost-run and --cost-prompt, in the same unit',
    zh: '--budget 需要同时给出 --cost-run 和 --cost-prompt，单位相同',
  },
  'plan.needs-scatter': {
    en: 'to split a budget, the variance between seeds and between prompts must be known: name a folder of seeds, or give --seed-sd and --p',
    zh: '分配预算需要知道种子间和样本间的波动：请给出一组重复实验，或指定 --seed-sd 和 --p',
  },
  'plan.budget-too-small': {
    en: 'the budget is too small for two runs of each setting; that takes at least {least}',
    zh: '预算不足以让每种配置各跑两个 run，至少需要 {least}',
  },

  'plan.to-see': {
    en: 'To detect a difference of {difference} (power {power} %)',
    zh: '要看出 {difference} 的差异（功效 {power}%）',
  },
  'plan.to-equate': {
    en: 'To show equivalence within {margin} if they are equal (power {power} %)',
    zh: '若两者实际相同，要证明差异小于 {margin}（功效 {power}%）',
  },
  'plan.row.checkpoints': { en: 'two checkpoints', zh: '两个 checkpoint' },
  'plan.row.runs': { en: 'two runs', zh: '两个 run' },
  'plan.row.settings': { en: 'two settings', zh: '两种配置' },
  'plan.prompts': { en: '{n} prompt{n||s}, the same for both', zh: '同一批样本 {n} 个' },
  'plan.prompts-unpaired': { en: '{n} each if the prompts are different', zh: '样本不同则每方 {n} 个' },
  'plan.or': { en: '; ', zh: '；' },
  'plan.evals': {
    en: '{n} evaluation{n||s} each, at the same steps; the verdict is on the end of training',
    zh: '各 {n} 次验证，step 相同；以训练末段定论',
  },
  'plan.no-evals': {
    en: 'no number of evaluations is enough on these prompts: use {n} prompt{n||s} per evaluation',
    zh: '在这批样本上验证再多也不够：每次验证需要 {n} 个样本',
  },
  'plan.seeds': { en: '{n} seed{n||s} each', zh: '各 {n} 个种子' },
  'plan.detectable.evals': {
    en: '{evals} shared evaluation{evals||s} {evals|detects|detect} differences of two runs from {difference} on',
    zh: '{evals} 次共同验证，能看出的两个 run 之间最小差异为 {difference}',
  },
  'plan.detectable.prompts': {
    en: '{prompts} prompt{prompts||s}, the same for both, {prompts|detects|detect} differences from {difference} on',
    zh: '同一批 {prompts} 个样本，能看出的最小差异为 {difference}',
  },
  'plan.split': {
    en: 'Best use of the budget: {seeds} seed{seeds||s} per setting with {prompts} prompt{prompts||s} per run; this detects differences from {detectable} on ({spent} spent)',
    zh: '预算的最佳分配：每种配置 {seeds} 个种子，每个 run 评测 {prompts} 个样本，能看出的最小差异为 {detectable}（花费 {spent}）',
  },
  'plan.split-few': {
    en: 'Two seeds per setting are too few for a claim about settings; klens compare takes three.',
    zh: '每种配置 2 个种子还不能谈配置，klens compare 至少需要 3 个。',
  },
  'plan.assumed': { en: 'Assumed', zh: '前提' },

  'plan.from.pair': {
    en: 'evaluations: the difference of the two runs has a std of {spread} (autocorrelation {autocorrelation}), from {n} shared evaluation{n||s}',
    zh: '验证：两个 run 之差的标准差为 {spread}（自相关 {autocorrelation}），由 {n} 次共同验证算出',
  },
  'plan.from.one-run': {
    en: 'evaluations: assumes a second run as noisy as this one; their difference has a std of {spread} (autocorrelation {autocorrelation}), from {n} evaluation{n||s}',
    zh: '验证：假设另一个 run 的波动与此相同，两者之差的标准差为 {spread}（自相关 {autocorrelation}），由 {n} 次验证算出',
  },
  'plan.from.seeds': {
    en: 'seeds: std {scatter} between seeds, from {runs} run{runs||s} of {settings} {settings|setting|settings}',
    zh: '种子：同一配置的 run 之间标准差为 {scatter}，由 {settings} 种配置的 {runs} 个 run 算出',
  },
  'plan.from.prompts': {
    en: 'prompts: the difference of two scores of one prompt has variance {variance}, from {n} prompt{n||s} of {metric} at step {step}',
    zh: '样本：同一样本两次得分之差的方差为 {variance}，由 {metric} 在 step {step} 的 {n} 个样本算出',
  },
  'plan.from.neighbours': {
    en: 'prompts: assumes that two models differ like the last two checkpoints of this run, per-prompt variance {variance}, from {n} prompt{n||s} of {metric} at step {step}',
    zh: '样本：假设两个模型的差别如同该 run 的最后两个 checkpoint，同一样本得分之差的方差为 {variance}，由 {metric} 在 step {step} 的 {n} 个样本算出',
  },
  'plan.from.prompts-one': {
    en: 'prompts: std {scatter} of per-prompt scores, from {n} prompt{n||s} of {metric} at step {step}',
    zh: '样本：逐样本得分的标准差为 {scatter}，由 {metric} 在 step {step} 的 {n} 个样本算出',
  },
  'plan.assume.jitter': {
    en: 'prompts: assumes that all of --sd is sampling noise of the prompts, so one prompt has a std of {scatter}',
    zh: '样本：假设 --sd 全部来自样本抽取，则单个样本的标准差为 {scatter}',
  },
  'plan.assume.discordance': {
    en: 'prompts: assumes that the two differ on {share} % of them; --discordance sets it (twice as many need twice as many prompts)',
    zh: '样本：假设两方在 {share}% 的样本上不一致；数据未说明，可用 --discordance 指定（不一致率翻倍，所需样本也翻倍）',
  },
  'plan.assume.correlation': {
    en: 'prompts: assumes that two scores of one prompt share half of their variance',
    zh: '样本：假设同一样本的两次得分相关系数为 0.5',
  },
  'plan.assume.autocorrelation': {
    en: 'evaluations: assumes a std of --sd for both runs, with an autocorrelation of {r}',
    zh: '验证：假设两个 run 的标准差均为 --sd，自相关 {r}',
  },
  'plan.assume.no-seeds': {
    en: 'seeds: the variance between seeds is unknown, and one run per setting cannot show it. Name several seeds, or give --seed-sd',
    zh: '种子：种子间的波动未知，单个 run 无法得知。请给出重复实验，或指定 --seed-sd',
  },
  'plan.assume.level': { en: 'percentages are of {level}', zh: '百分比以 {level} 为基准' },
  'plan.assume.budget': {
    en: 'budget: Var = 2(τ²/K + σ²/(K n)), each run evaluated once on prompts of its own',
    zh: '预算：Var = 2(τ²/K + σ²/(K n))，每个 run 在各自的样本上评测一次',
  },
} as const satisfies Templates
