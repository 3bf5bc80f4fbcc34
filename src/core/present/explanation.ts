import type { MethodId } from '../../logs/model/verdict.js'
import type { Templates } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import type { CompareAnswer } from '../analysis/compare/result.js'
import { type Block, pairs, paragraph, section, table } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'
import { questionText } from './verdict.js'

/** `--explain`: for each verdict the numbers that went in, the formula, and how often the method was wrong when measured. */

const methodTexts = {
  'method.paired-evaluations': {
    en: 'mean of the paired differences ± t × standard error; the error grows with the lag-1 autocorrelation r, bias-corrected and floored at 0.3 (0.2 from 40 evaluations on), and with how slowly it decays, φ from lag 2: SE² = s² V / T, V = 1 + 2 r Σ (1 − k/T) φ^(k−1)',
    zh: '配对差的均值 ± t × 标准误；标准误随一阶自相关 r（经偏差校正，下限 0.3，40 次验证起为 0.2）及其衰减速度 φ（由二阶自相关得出）增大：SE² = s² V / T，V = 1 + 2 r Σ (1 − k/T) φ^(k−1)',
  },
  'method.paired-evaluations.rate': {
    en: 'measured: at most 5 % of equal pairs are called different up to an autocorrelation of 0.5, up to 7 % at 0.6; it applies to this eval set only',
    zh: '实测：自相关不超过 0.5 时，相等的一对至多 5% 被判为不同；0.6 时至多 7%；只针对这批样本',
  },
  'method.evaluations-and-prompts': {
    en: 'as for paired evaluations, with the sampling noise of the prompts added: SE² = SE²(curve) + variance of the per-prompt difference / number of prompts',
    zh: '同配对验证，再加上样本的抽样噪声：SE² = SE²（曲线）+ 逐样本差的方差 / 样本数',
  },
  'method.evaluations-and-prompts.rate': {
    en: 'measured on 196 pairs of real GRPO runs of one setting: covers the difference on 4,000 new prompts in 97–100 %; the curve alone covers 96 % at 9 evaluations and 84 % at 80',
    zh: '在 196 对同一配置的真实 GRPO run 上实测：对 4,000 个新样本上的差异覆盖 97–100%；只看走势时，9 次验证覆盖 96%，80 次验证只覆盖 84%',
  },
  'method.evaluations-and-prompt-count': {
    en: 'paired, autocorrelation-adjusted interval over the evaluations; a fraction of p(1 − p)/n is added for the sampling noise of n prompts',
    zh: '按验证逐次配对、经自相关修正的区间；另加 p(1 − p)/n 的一部分，作为 n 个样本的抽样误差',
  },
  'method.evaluations-and-prompt-count.rate': {
    en: 'measured on real runs: covers the difference on new prompts in 96–100 % of pairs',
    zh: '真实 run 上实测：在 96–100% 的配对中覆盖新样本上的差异',
  },
  'method.welch': {
    en: 'one number per run, its mean over the shared evaluations; Welch: SE² = s²₁/k₁ + s²₂/k₂',
    zh: '每个 run 取一个数，即共同验证的均值；Welch 检验：SE² = s²₁/k₁ + s²₂/k₂',
  },
  'method.welch.rate': {
    en: 'measured: its 95 % interval covers 95–96 % from three runs per setting on; it applies to this eval set only',
    zh: '实测：每方 3 个 run 起，95% 区间的覆盖率为 95–96%；只针对这批样本',
  },
  'method.welch-and-prompts': {
    en: 'one number per run (Welch), with the sampling noise of the prompts added: SE² = s²₁/k₁ + s²₂/k₂ + variance of the per-prompt difference / number of prompts',
    zh: '每个 run 取一个数（Welch），再加上样本抽样的偶然性：SE² = s²₁/k₁ + s²₂/k₂ + 逐样本差的方差 / 样本数',
  },
  'method.welch-and-prompts.rate': {
    en: 'measured on real GRPO runs of one setting, four vs four: well under 5 % are called different',
    zh: '在同一配置的真实 GRPO run 上以 4 对 4 实测：远少于 5% 被判为不同',
  },
  'method.welch-and-prompt-count': {
    en: 'one number per run (Welch), with the sampling noise of n prompts added: SE² = s²₁/k₁ + s²₂/k₂ + a fraction of p(1 − p)/n, 0.1 over all evaluations and 0.15 over the last third',
    zh: '每个 run 取一个数（Welch），再加上 n 个样本的抽样误差：SE² = s²₁/k₁ + s²₂/k₂ + p(1 − p)/n 的一部分（全程取 0.1，后三分之一取 0.15）',
  },
  'method.welch-and-prompt-count.rate': {
    en: 'measured on six validation sets of real runs: covers the difference of two settings on new prompts in 97 % on average (82 % at worst), where Welch alone covers 56–100 %',
    zh: '在 6 个真实验证集上实测：对两种配置在新样本上的差异平均覆盖 97%（最差 82%）；单用 Welch 只覆盖 56–100%',
  },
  'method.paired-prompts': {
    en: 'mean of the per-prompt differences ± t × sd / √n; for right-or-wrong scores, and below 30 prompts, the error counts one more prompt that gains the largest observed difference and one that loses it: six flips to none are claimed, five are not',
    zh: '逐样本差的均值 ± t × sd / √n；对错型得分，以及不足 30 个样本时，误差中另计入两个样本，一个上升、一个下降，幅度均为所见的最大差值：翻转 6 比 0 可作判定，5 比 0 不可',
  },
  'method.paired-prompts.rate': {
    en: 'measured: at most 5 % of equal pairs are called different, at 6 to 800 prompts',
    zh: '实测：6 至 800 个样本时，相等的一对至多 5% 被判为不同',
  },
  'method.unpaired-shares': {
    en: "Newcombe's interval for two shares, from Wilson's intervals of each; as if the prompts were different",
    zh: 'Newcombe 区间（由两个比例各自的 Wilson 区间合成），按双方样本不同处理',
  },
  'method.unpaired-shares.rate': {
    en: 'known: never narrower than the paired interval, so it errs towards undetermined',
    zh: '已知：不会比配对区间更窄，因此偏向“无法判定”',
  },
  'method.clustered-items': {
    en: 'mean of the per-item differences ± t × SE; SE² is the jackknife over clusters, with clusters of one size Σ (sum of deviations in a cluster)² C / (C − 1) / n²; degrees of freedom (Σ n_c²)² / Σ n_c⁴ − 1',
    zh: '逐题差的均值 ± t × SE；SE² 为按聚类的 jackknife，聚类大小相同时即 Σ（聚类内离差之和）² C / (C − 1) / n²；自由度 (Σ n_c²)² / Σ n_c⁴ − 1',
  },
  'method.clustered-items.rate': {
    en: 'measured: with equal models at most 5 % of calls claim anything, for 8 to 150 clusters per task, of one size or of 1 to 15 items (each cell within 0.3 %); with the clusters ignored up to three quarters do',
    zh: '实测：两个相同的模型，每个任务 8 至 150 个聚类（大小相同，或各含 1 至 15 题）时，至多 5% 的调用会得出任何结论（每格误差 0.3%）；忽略聚类时可达四分之三',
  },
  'method.mean-over-tasks': {
    en: 'mean of the differences of the tasks ± t × SE; SE² = Σ SE² of the tasks / T², plus the covariance of items or clusters that are in several tasks',
    zh: '各任务差值的均值 ± t × SE；SE² = Σ 各任务 SE² / T²，再加上跨任务出现的题目或聚类的协方差',
  },
  'method.mean-over-tasks.rate': {
    en: 'measured: with equal models and 12 tasks of 50 to 2,000 items, 3 to 4 % of calls claim a difference of the mean, and at most 5 % claim anything',
    zh: '实测：两个相同的模型、12 个任务、每个 50 至 2,000 题时，3–4% 的调用判定均值有差异，至多 5% 得出任何结论',
  },
  'method.reported-means': {
    en: 'difference of two reported means ± t × √(SE₁² + SE₂²), as if the items were different',
    zh: '两个报告均值之差 ± t × √(SE₁² + SE₂²)，按双方题目不同处理',
  },
  'method.reported-means.rate': {
    en: 'known: never narrower than the paired interval if scores of an item are positively correlated, so it errs towards undetermined',
    zh: '已知：同一题目的得分同向变化时不会比配对区间更窄，因此偏向“无法判定”',
  },
  'method.crossing-redrawn': {
    en: 'first of two consecutive evaluations at or above the common score (95 % of the lower final mean); both curves resampled 2,000 times around their smoothed curve with AR(1) noise',
    zh: '首次连续两次验证达到共同水平（较低一方后期均值的 95%）；两条曲线围绕平滑走势按 AR(1) 噪声重抽 2,000 次',
  },
  'method.crossing-redrawn.rate': {
    en: 'measured: under 1 % of equal pairs are called faster or slower up to an autocorrelation of 0.3, under 5 % at 0.6',
    zh: '实测：自相关不超过 0.3 时，相等的一对被判为更快或更慢的不到 1%；0.6 时不到 5%',
  },
  'method.crossing-ranks': {
    en: 'the step at which each run reaches and holds the common score; exact rank-sum test, runs that never do come last',
    zh: '每个 run 达到并保持共同水平的 step；精确秩和检验，未达到者排在最后',
  },
  'method.crossing-ranks.rate': {
    en: 'exact by construction: at most 5 %; three vs three can never be claimed',
    zh: '精确检验，误判至多 5%；3 对 3 时不可能得出结论',
  },
  'method.spread-ratio': {
    en: 'ratio of the mean absolute deviations from the line through the two neighbours; interval of its logarithm, adjusted for autocorrelation, and from 100 evaluations on for noisy phases',
    zh: '各次验证偏离其前后两次连线的平均绝对值之比；对数比值的区间，按自相关修正，100 次验证起还计入噪声成段变大的情形',
  },
  'method.spread-ratio.rate': {
    en: 'measured: at most 6 % of equal pairs are called different, for any noise distribution and learning speed. If noise comes in phases, two runs of one setting differ in up to 22 % below 100 evaluations; a claim that such phases could explain is tagged fragile',
    zh: '实测：无论噪声形状和学习速度如何，相等的一对至多 6% 被判为不同。若噪声成段变大，100 次验证以内同一配置的两个 run 有至多 22% 会出现差异；可由此解释的结论标为“不牢靠”',
  },
  'method.spread-of-runs': {
    en: 'the mean absolute deviation of each run from the cubic through two neighbours on either side; Welch on the logarithms',
    zh: '每个 run 各次验证偏离前后各两次所定三次曲线的平均绝对值，取对数后做 Welch 检验',
  },
  'method.spread-of-runs.rate': {
    en: 'as Welch: 95–96 % coverage from three runs per setting on',
    zh: '同 Welch：每方 3 个 run 起覆盖率 95–96%',
  },
  'method.dose-trend': {
    en: "least-squares slope of the run summaries over the rank of the setting's value, one degree of freedom for the setting",
    zh: '以旋钮取值的秩为自变量，对各 run 的汇总值做最小二乘直线，旋钮占一个自由度',
  },
  'method.dose-trend.rate': {
    en: 'measured: at most 5 % of settings without effect are called different',
    zh: '实测：无效的旋钮至多 5% 被判为有效',
  },
  'explain.sources': { en: 'Sources', zh: '数据来源' },
  'number.mean': { en: 'difference', zh: '差值' },
  'number.standardError': { en: 'standard error', zh: '标准误' },
  'number.degreesOfFreedom': { en: 'degrees of freedom', zh: '自由度' },
  'number.evaluations': { en: 'evaluations', zh: '验证次数' },
  'number.prompts': { en: 'prompts', zh: '样本数' },
  'number.clusters': { en: 'clusters', zh: '聚类数' },
  'number.tasks': { en: 'tasks', zh: '任务数' },
  'number.promptError': { en: 'sampling error of the prompts', zh: '来自样本的误差' },
  'number.courseError': { en: 'error of the curve', zh: '曲线的误差' },
  'number.first': { en: 'baseline', zh: '基线' },
  'number.second': { en: 'treatment', zh: '对照方' },
  'number.firstN': { en: 'prompts of the baseline', zh: '基线样本数' },
  'number.secondN': { en: 'prompts of the treatment', zh: '对照方样本数' },
  'number.spread': { en: 'standard deviation of the differences', zh: '差的标准差' },
  'number.aroundLine': { en: 'standard deviation around their line', zh: '围绕直线的标准差' },
  'number.autocorrelation': { en: 'autocorrelation used', zh: '采用的自相关' },
  'number.level': { en: 'level', zh: '水平' },
  'number.firstSooner': { en: 'share of resamples with the baseline faster', zh: '基线更早的比例' },
  'number.secondSooner': { en: 'share of resamples with the treatment faster', zh: '对照方更早的比例' },
  'number.tie': { en: 'share of resamples with neither faster', zh: '不分先后的比例' },
  'number.better': { en: 'prompts improved', zh: '变好的样本' },
  'number.worse': { en: 'prompts got worse', zh: '变差的样本' },
} as const satisfies Templates

const methods = sentences(methodTexts)

export function explanationBlocks({ sides, verdicts }: CompareAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, methods)
  const sources = sides.flatMap(({ label, runs, metric, files }) =>
    runs.map((run, i) => [label, run, metric, files[i].join(', ')]),
  )
  return [
    ...verdicts.flatMap(verdict => {
      if (verdict.method === null) return []
      const { id, numbers } = verdict.method
      const used = [
        ...Object.entries(numbers).map(
          ([name, value]) => [isNumberName(name) ? say(`number.${name}`, {}) : name, shortNumber(value)] as const,
        ),
        ...(verdict.p === null ? [] : [['p', shortNumber(verdict.p)] as const]),
      ]
      const title = `${questionText(verdict, speaker)}, ${verdict.other} − ${verdict.baseline}`
      return [section(title, ...methodTextsOf(id, speaker).map(text => paragraph(text)), pairs(used))]
    }),
    section(say('explain.sources', {}), table([], sources)),
  ]
}

/** The formula, and how often the method was wrong when measured. */
export function methodTextsOf(id: MethodId, speaker: Speaker): readonly [method: string, rate: string] {
  const say = saying(speaker, methods)
  return [say(`method.${id}`, {}), say(`method.${id}.rate`, {})]
}

type NumberName = Extract<keyof typeof methodTexts, `number.${string}`> extends `number.${infer Name}` ? Name : never

function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(methodTexts, `number.${name}`)
}
