import type { Templates } from './language.js'
import { sentences } from './sentences.js'
import { verdictTexts } from './verdict.js'

/** `klens compare`: verdicts, their grounds, and what would settle an open question. */
export const compareTexts = {
  ...verdictTexts,
  'compare.about': {
    en: 'better, worse, about the same, or undetermined; and why',
    zh: '与基线相比更好、更差、相当还是无法判定，以及依据',
  },
  'compare.sides': {
    en: 'what to compare: a run, or a folder or pattern of seeds; the first is the baseline',
    zh: '各方：一个 run，或一组重复实验（文件夹或通配符）；第一个是基线',
  },
  'compare.option.metric': {
    en: 'metric to judge by, raw or canonical (default val.score)',
    zh: '用于判定的指标，原名或规范名（默认 val.score）',
  },
  'compare.option.by': {
    en: 'align the runs by steps, tokens, samples or time',
    zh: '按相同的 step、token 数、采样数或用时来对齐比较',
  },
  'compare.bad-by': {
    en: '--by is "{value}"; it must be steps, tokens, samples or time',
    zh: '--by 是“{value}”，只能是 steps、tokens、samples 或 time',
  },
  'compare.option.margin': {
    en: 'differences below this count as the same: 0.02, or 5% of the baseline',
    zh: '等效界限：差异小于它即视为相当，可写 0.02，或基线的 5%',
  },
  'compare.option.goal': { en: 'max or min: which way is better', zh: 'max 或 min：哪个方向更好' },
  'compare.option.window': { en: 'only steps FROM:TO', zh: '只用 FROM:TO 之间的 step' },
  'compare.needs-two': { en: 'name at least two runs, or two groups of seeds', zh: '请至少给出两方' },
  'compare.no-metric': {
    en: 'no metric "{metric}" is logged by all of them; name one with --metric (shared: {shared})',
    zh: '各方没有共同的指标“{metric}”；请用 --metric 指定（共同指标：{shared}）',
  },
  'compare.bad-goal': { en: '--goal is "{value}"; it must be max or min', zh: '--goal 是“{value}”，只能是 max 或 min' },
  'compare.bad-window': {
    en: '--window is "{value}"; it must look like 100:400',
    zh: '--window 是“{value}”，应写成 100:400',
  },
  'compare.not-replicates': {
    en: 'the runs of "{side}" are not seeds of one setting: they differ in {keys}; name them as separate sides',
    zh: '“{side}”中的 run 不是重复实验，它们的 {keys} 不同；请分别作为一方给出',
  },

  'compare.option.all': {
    en: 'every verdict with its reasons, the whole table, and all shared metrics side by side',
    zh: '列出每项判定及其理由、完整表格，以及所有共同指标的并排汇总',
  },
  'compare.option.explain': {
    en: 'for each verdict: the numbers, the formula, the measured error rate of the method, and the sources',
    zh: '为每项判定列出数字、公式、方法的实测错误率和数据来源',
  },
  'compare.option.ended': {
    en: 'training is over, even if the logs do not say so: use all evaluations',
    zh: '训练已经结束（不论日志如何），按全部验证判定',
  },
  'compare.option.cluster': {
    en: 'for evaluation files: items with the same value in this column are correlated',
    zh: '用于评测文件：此列取值相同的题目视为一组',
  },
  'compare.option.seed-sd': {
    en: 'std between seeds of one setting, for “If you must choose today”',
    zh: '同一配置的各个 run 之间的标准差，用于“今天必须选”的估算',
  },
  'compare.steps-for-all': {
    en: 'give a step for every run (RUN@40) or for none',
    zh: '请为每一方都指定 step（RUN@40），或都不指定',
  },

  'compare.no-shared-steps': { en: 'no evaluation step is shared', zh: '没有共同的验证 step' },
  'compare.identical': {
    en: 'identical scores at every shared step: copies, or one checkpoint evaluated twice?',
    zh: '双方在每个共同 step 的值都相等：是副本，还是同一个 checkpoint 评了两次？',
  },
  'compare.no-noise': {
    en: 'the difference is the same at every shared step, so there is no noise to compare it with',
    zh: '每个共同 step 的差值都相同，没有噪声可供衡量',
  },
  'compare.phases': { en: 'difference by third', zh: '前、中、后三段的差值' },
  'compare.phase': { en: '{size} (steps {from}–{to})', zh: '{size}（step {from}–{to}）' },
  'compare.differences-head': {
    en: 'all shared metrics: difference, p, and q = p corrected for their number (Benjamini–Hochberg)',
    zh: '全部共有指标：差值、p，以及按指标数目校正后的 q（Benjamini–Hochberg）',
  },
  'compare.too-few': {
    en: '{count}; an interval needs {needed}',
    zh: '只有 {count}，至少 {needed} 次（个）才能给出区间',
  },
  'compare.too-few-steps': {
    en: '{n} shared step{n||s}; an interval needs {needed}',
    zh: '共同 step 只有 {n} 个，至少 {needed} 个才能给出区间',
  },
  'compare.no-goal': {
    en: 'it is unknown which direction is better; set --goal',
    zh: '未说明哪个方向更好，请用 --goal 指定',
  },
  'compare.paired': {
    en: '{count}, {from} – {to}',
    zh: '{count}，{from} – {to}',
  },
  'compare.these-prompts': {
    en: 'applies to this eval set only; without per-prompt scores, sampling error is not included, and more seeds do not change that',
    zh: '只针对这批验证样本：没有逐样本得分，无法计入抽样误差，增加种子也不能弥补',
  },
  'compare.same-prompts': {
    en: 'applies to this eval set only; per-prompt scores or the number of prompts can narrow it, more evaluations on the same prompts cannot',
    zh: '只针对所用的这批验证样本：对同一批样本反复验证不会更准，有逐样本得分或样本数才会',
  },
  'compare.prompts-counted': {
    en: 'also holds for new prompts: the sampling noise of {prompts} prompt{prompts||s} is included, from their scores ({metric})',
    zh: '对新样本同样成立：已按 {prompts} 个样本的逐样本得分（{metric}）计入抽样的偶然性',
  },
  'compare.prompts-guessed': {
    en: 'the sampling noise of {prompts} prompt{prompts||s} is included by a rule of thumb; per-prompt scores would measure it',
    zh: '已按经验公式计入 {prompts} 个样本的抽样误差；有逐样本得分才能算准',
  },
  'compare.one-seed': {
    en: 'applies to these two runs; one seed each says nothing about the settings',
    zh: '结论只针对这两个 run；每种配置只有 1 个种子，不能推广到配置本身',
  },
  'compare.few-seeds': {
    en: 'applies to these runs; {first} and {second} seeds are too few for a claim about the settings, which takes {needed} each',
    zh: '结论只针对这些 run；种子数分别为 {first} 和 {second}，至少各 {needed} 个才能谈配置',
  },
  'compare.runs-each': {
    en: '{first} vs {second} runs, the mean of {count} each',
    zh: '{first} 个 run 对 {second} 个 run，各取 {count}的均值',
  },
  'compare.gap-rises': {
    en: 'the difference grows during training; one number hides that',
    zh: '差距随训练上升，单个数字掩盖了这一点',
  },
  'compare.gap-falls': {
    en: 'the difference shrinks during training; one number hides that',
    zh: '差距随训练下降，单个数字掩盖了这一点',
  },
  'compare.no-final': {
    en: '{count}: too few to separate the end of training from the rest, which takes {needed}',
    zh: '只有 {count}，谈不上单独的末段，至少需要 {needed} 次（个）',
  },
  'compare.settle-seeds': {
    en: 'run {more} more {more|seed|seeds} each to estimate the seed variance; then klens plan',
    zh: '各追加 {more} 个种子以估计种子间方差，再用 klens plan 估算',
  },
  'compare.settle-margin': {
    en: 'the observed difference is too small for more data to show; set --margin and test for equivalence',
    zh: '所见差异太小，再多数据也难以证实；请用 --margin 设定等效界限，改问两者是否相当',
  },
  'compare.level-reached': {
    en: 'score {level}, reached and held: baseline at {first}, treatment at {second}',
    zh: '得分 {level}，达到并保持：基线在 {first}，对照方在 {second}',
  },
  'compare.sooner-odds': {
    en: 'resampled with their own noise, the baseline is faster in {first} %, the treatment in {second} %, neither in {tie} %',
    zh: '按各自的噪声重抽：基线更早 {first}%，另一方更早 {second}%，不分先后 {tie}%',
  },
  'compare.crossings': {
    en: 'score {level}: {first} of {firstOf} baseline runs reach and hold it (median: {firstStep}), {second} of {secondOf} treatment runs (median: {secondStep})',
    zh: '达到并保持 {level}：基线 {firstOf} 个 run 中有 {first} 个（中位：{firstStep}），另一方 {secondOf} 个中有 {second} 个（中位：{secondStep}）',
  },
  'compare.best-passed': {
    en: '{by} exceeds the best shared evaluation of {side} ({best} at {at}) at {step} ({value})',
    zh: '{side} 在双方共有的验证中的最佳值 {best}（{at}），{by} 在 {step} 就已超过（{value}）',
  },
  'compare.spread-ratio': {
    en: 'std of an evaluation around its neighbours, treatment / baseline: {ratio} ({low} … {high})',
    zh: '单次验证相对前后各次的波动之比（另一方 / 基线）：{ratio}（{low} … {high}）',
  },
  'compare.noise-in-phases': {
    en: 'a noisy phase in one run would explain it, so it says nothing about the settings',
    zh: '其中一个 run 有一段噪声变大即可解释，不能推广到配置本身',
  },
  'compare.wobble-is-noise': {
    en: 'sampling noise of {n} prompt{n||s} explains all of it (error up to {error})',
    zh: '波动全部可由 {n} 个样本的抽样误差解释（至多 {error}）',
  },
  'compare.no-wobble': {
    en: 'one of the curves has no variance at all around its trend',
    zh: '有一方围绕走势毫无波动',
  },
  'compare.no-step-time': { en: 'step time is not logged by all of them', zh: '双方没有都记录每步用时' },
  'compare.cost-levels': {
    en: '{first} → {second} on average over {steps} shared step{steps||s}',
    zh: '{steps} 个共同 step 的均值：{first} → {second}',
  },
  'compare.cost-ranges': {
    en: '{first} → {second}, as ranges: between {least} and {most} % more',
    zh: '{first} → {second}（只有范围）：多 {least}% 到 {most}%',
  },
  'compare.no-checkpoint': { en: 'there is no evaluation at step {step}', zh: 'step {step} 没有验证' },
  'compare.no-n': {
    en: 'one score without per-prompt results or the number of prompts has no error bar',
    zh: '单个得分既无逐样本结果，又不知样本数，没有误差可言',
  },
  'compare.no-share': {
    en: 'without per-prompt results, the number of prompts gives an error only for scores between 0 and 1',
    zh: '没有逐样本结果时，只有 0 到 1 之间的得分才能由样本数推出误差',
  },
  'compare.prompt-pairs': {
    en: '{prompts} prompt{prompts||s} answered by both: {better} improved, {worse} got worse',
    zh: '双方都回答了的 {prompts} 个样本：{better} 个变好，{worse} 个变差',
  },
  'compare.few-prompts': {
    en: '{prompts} prompt{prompts||s} {prompts|is|are} too few to call two checkpoints equal; it takes {needed}',
    zh: '{prompts} 个样本不足以判定两个 checkpoint 相同，至少需要 {needed} 个',
  },
  'compare.pairing-unknown': {
    en: 'compared as shares of {first} and {second} prompts; the pairing is unknown, so the interval may be up to three times too wide: import per-prompt results',
    zh: '按 {first} 与 {second} 个样本的比例比较；不知如何配对，区间可能宽到三倍：请导入逐样本结果',
  },
  'compare.one-evaluation': {
    en: 'applies to these two checkpoints, by one evaluation each',
    zh: '结论只针对这两个 checkpoint，各依据一次评测',
  },
  'compare.house-noise': {
    en: 'two seeds of one setting differ as much in {asLarge} of {pairs} pair{pairs||s} here ({percent} %; {runs} seed{runs||s} of {settings} {settings|setting|settings})',
    zh: '本工作区中，同一配置的两个 run 有 {percent}% 差得这么多（{pairs} 对中 {asLarge} 对；{settings} 种配置的 {runs} 个重复实验）',
  },
  'compare.house-noise-few': {
    en: 'two seeds of one setting differ as much in {asLarge} of {pairs} {pairs|pair|pairs} here, too few for a rate',
    zh: '本工作区只有 {pairs} 对同一配置的 run，其中 {asLarge} 对差得这么多，不足以算出比例',
  },
  'compare.noise-elsewhere': {
    en: 'two seeds of one setting gave such a claim in {percent} % of real pairs elsewhere, at {evaluations} evaluation{evaluations||s}; no setting has several seeds here',
    zh: '本工作区没有重复实验；在别处的真实 run 中，同一配置的两个 run 在 {evaluations} 次验证下有 {percent}% 会得出这样的差异',
  },
  'compare.unused-planned': {
    en: 'the log should contain an evaluation every {every} step{every||s} up to step {until}: {more} more than were used here. Import them first.',
    zh: '日志里应有到 step {until} 为止每 {every} 步一次的验证，比这里用到的多 {more} 次：先导入它们。',
  },
  'compare.unused-unshared': {
    en: '{count} {count|evaluation is|evaluations are} at steps that the other run lacks, and {count|was|were} not used',
    zh: '有 {count} 次验证所在的 step 另一方没有，未被采用',
  },
  'compare.estimates-left-out': {
    en: '{side}: {count} {count|cell|cells} marked as estimates {count|is|are} left out',
    zh: '{side}：{count} 个标为估计的值已排除',
  },

  'choose.scatter-workspace': {
    en: 'seed std {size}, from a typical setting with several seeds in this workspace',
    zh: '种子间标准差 {size}，取自本工作区典型配置的重复实验',
  },
  'choose.scatter-user': { en: 'seed std {size}, as given', zh: '种子间标准差 {size}，由用户给定' },
  'choose.scatter-assumed': {
    en: 'assumes a seed std of {size}, 2.5 % of the score, as in real GRPO runs; --seed-sd sets it',
    zh: '假设种子间标准差 {size}，即水平的 2.5%，与真实 GRPO run 相近；可用 --seed-sd 指定',
  },
  'choose.configs': { en: 'assumes that new seeds behave like these', zh: '已有种子能代表将来的种子' },
  'choose.checkpoints': {
    en: 'applies to these checkpoints only, not to a new training',
    zh: '只针对这两个 checkpoint，不涉及重新训练',
  },
  'choose.line': {
    en: '{side}, {probability} : {rest}; expected loss if wrong {loss} ({assumption})',
    zh: '{side}，{probability} : {rest}；选错时的期望损失 {loss}（{assumption}）',
  },
  'compare.head.choose': { en: 'If you must choose today', zh: '如果今天必须选' },
  'compare.head.settle': { en: 'What would resolve it', zh: '还需要什么才能判定' },
  'compare.settle.free': { en: 'free', zh: '零成本' },
  'compare.settle.evals': { en: 'about these runs', zh: '针对这些 run' },
  'compare.settle.prompts': { en: 'about these checkpoints', zh: '在这批样本上' },
  'compare.settle.seeds': { en: 'about settings', zh: '针对配置' },
  'compare.settle.more-evals': {
    en: 'about {evals} more evaluation{evals||s}, at the noise seen here',
    zh: '按此处的噪声，约需再做 {evals} 次验证',
  },
  'compare.settle.more-prompts': {
    en: 'about {prompts} prompt{prompts||s}, paired',
    zh: '约需 {prompts} 个样本，逐一配对',
  },
  'compare.settle.more-seeds': {
    en: '{seeds} run{seeds||s} per setting in total, at the seed variance seen here',
    zh: '按此处的种子间方差，每种配置共需 {seeds} 个 run',
  },

  'compare.shared': {
    en: '{n} shared {n|evaluation|evaluations}, steps {from}–{to}',
    zh: '共同验证 {n} 次，step {from}–{to}',
  },
  'compare.in-windows': {
    en: '{n} {n|window|windows} of {width}, {from} – {to}',
    zh: '{n} 个宽 {width} 的窗口，{from} – {to}',
  },
  'compare.along': {
    en: '{n} shared {n|evaluation|evaluations}, {from} – {to}',
    zh: '共同验证 {n} 次，{from} – {to}',
  },
  'compare.column.steps': { en: 'step', zh: 'step' },
  'compare.column.tokens': { en: 'tokens', zh: 'token 数' },
  'compare.column.samples': { en: 'samples', zh: '采样数' },
  'compare.column.time': { en: 'seconds', zh: '秒' },
  'compare.column.until': { en: 'up to {unit}', zh: '至 {unit}' },
  'compare.column.difference': { en: 'difference', zh: '差值' },
  'compare.apart.tokens': { en: '{size} token{size||s}', zh: '{size} 个 token' },
  'compare.apart.samples': { en: '{size} sample{size||s}', zh: '{size} 条采样' },
  'compare.apart.time': { en: '{size} s', zh: '{size} 秒' },
  'compare.higher-is-better': { en: 'higher is better', zh: '越高越好' },
  'compare.lower-is-better': { en: 'lower is better', zh: '越低越好' },
  'compare.no-direction': { en: 'neither direction is better', zh: '没有优劣方向' },
  'compare.folded': {
    en: 'not enough data (--all shows why)',
    zh: '现有数据无法判断（--all 可看原因）',
  },
  'compare.explain-hint': {
    en: "--explain shows every number's source and method, --all everything else.",
    zh: '--explain 显示每个数字的来源和方法，--all 显示其余全部。',
  },
  'compare.summary-head': { en: 'All shared metrics, {side}', zh: '所有共同指标，{side}' },
  'compare.column.first': { en: 'first', zh: '首值' },
  'compare.column.last': { en: 'last', zh: '末值' },
  'compare.column.mean': { en: 'mean', zh: '均值' },
  'compare.column.min': { en: 'min@step', zh: '最小@step' },
  'compare.column.max': { en: 'max@step', zh: '最大@step' },
  'compare.column.change': { en: 'change', zh: '变化' },
  'compare.off': { en: 'off', zh: '关闭' },
  'compare.source-at': { en: 'at {place}', zh: '{place} 的值' },
  'compare.sets': { en: 'All validation sets', zh: '全部验证集' },
  'compare.differing-beside': {
    en: 'Also different, but not part of the method',
    zh: '另有不同，但不属于方法配置',
  },
  'compare.interval': { en: '95 % interval  {low} … {high}', zh: '95% 置信区间  {low} … {high}' },
  'compare.phase-along': { en: '{size} ({from} – {to})', zh: '{size}（{from} – {to}）' },
  'compare.comma': { en: ', ', zh: '，' },
  'compare.steps-apart': { en: '{low} … {high} steps', zh: '{low} … {high} 步' },
  'compare.steps': { en: '{steps} step{steps||s}', zh: '{steps} 步' },
  'compare.percent': { en: '{percent} %', zh: '{percent}%' },
  'compare.not-same': {
    en: 'Not equivalent either: at a margin of {margin} the test fails; it would pass at {smallest}.',
    zh: '也不能说“相当”：按 {margin} 的等效界限不成立，放宽到 {smallest} 才成立。',
  },
  'compare.same-not-claimed': {
    en: 'The interval is within the margin of {margin} (from {smallest} on), but nothing is claimed before the next interim analysis, not even equivalence.',
    zh: '区间已在 {margin} 的等效界限之内（{smallest} 起即成立），但目前还不能作出任何判定，“相当”也不能。',
  },
  'compare.smallest': {
    en: 'Equivalent only within ±{smallest}.',
    zh: '等效界限放宽到 {smallest}，才能说“相当”。',
  },
  'compare.within': { en: 'Equivalent within a margin of {margin}.', zh: '在 {margin} 的等效界限内相当。' },
  'compare.differences': {
    en: '{count} {count|setting differs|settings differ}',
    zh: '有 {count} 项配置不同',
  },
  'compare.cannot-credit': {
    en: '{count} setting{count||s} {count|differs|differ}, so the difference cannot be attributed to any one of them',
    zh: '同时改动了 {count} 项配置，无法归因到其中任何一项',
  },
  'compare.only-other-keys': {
    en: 'No setting of the method differs; these keys do',
    zh: '方法本身的配置没有不同，但以下各项不同',
  },
  'compare.no-differences': { en: 'No setting is known to differ', zh: '未发现不同的配置' },
  'compare.smallest-fix': {
    en: 'Cheapest fix: one more run like {baseline} with only this changed: {setting}.',
    zh: '最小补救：在 {baseline} 的基础上再跑一个只改“{setting}”的 run。',
  },
  'compare.separating': {
    en: 'Already here: {run} differs from {baseline} only in {setting}. Compare with it first.',
    zh: '已有可用的 run：{run} 与 {baseline} 只差“{setting}”，先拿它来比。',
  },
} as const satisfies Templates

export const comparisonSentences = sentences(compareTexts)
