import type { Templates } from './language.js'

/** `klens sweep`: does a knob matter, and which cells of the matrix are missing or copied? */
export const sweepTexts = {
  'frontier.about': {
    en: 'score vs KL: what leaving the reference gained, and its cost',
    zh: '得分与 KL：偏离参考策略换来了什么，又付出了什么',
  },
  'gate.about': {
    en: 'keep a candidate, discard it, or run more? with one error for the whole loop of tries',
    zh: '保留候选、放弃，还是继续跑？整个循环的多次尝试共用一份误差',
  },
  'forecast.about': {
    en: 'the final score of a run as an interval, from finished runs',
    zh: '由已完成的 run 推断最终得分的区间',
  },
  'sweep.about': {
    en: 'does a hyperparameter matter? missing and copied cells',
    zh: '某个超参数是否有影响？缺失和复制的单元格',
  },
  'sweep.frontier': {
    en: 'klens frontier shows how much KL each of these settings used for its score',
    zh: 'klens frontier 给出各组配置的得分对应多大的 KL',
  },
  'sweep.runs': {
    en: 'runs, folders or patterns; settings are read from the configs',
    zh: 'run、文件夹或通配符；各组配置由 config 判定',
  },
  'sweep.option.over': {
    en: 'the config key swept over, raw or canonical (kl.loss.coef); may be given again',
    zh: '扫描的配置项，原名或规范名（kl.loss.coef）；可重复给出',
  },
  'sweep.option.baseline': {
    en: 'a run of the setting to compare with (default: the first setting)',
    zh: '作为基线的 run，取它所在的配置（默认第一组配置）',
  },
  'sweep.option.metric': {
    en: 'metric of the cells, raw or canonical (default val.score)',
    zh: '单元格的指标，原名或规范名（默认 val.score）',
  },
  'sweep.option.margin': {
    en: 'differences below this count as the same: 0.02, or 5% of the baseline',
    zh: '等效界限：差异小于它即视为相当，可写 0.02，或基线的 5%',
  },
  'sweep.option.goal': { en: 'max or min: which way is better', zh: 'max 或 min：哪个方向更好' },

  'sweep.needs-over': {
    en: 'name the swept config key with --over; these differ between the runs: {keys}',
    zh: '请用 --over 指定扫描的配置项；这些 run 之间不同的有：{keys}',
  },
  'sweep.one-run': {
    en: 'a sweep needs at least two runs; {count} was named',
    zh: '扫描至少需要两个 run，这里只有 {count} 个',
  },
  'sweep.no-key': {
    en: 'none of the runs has a setting "{key}"; these differ between them: {keys}',
    zh: '没有任何 run 含有配置项“{key}”；它们之间不同的有：{keys}',
  },
  'sweep.one-value': {
    en: 'all {count} run{count||s} {count|has|have} the same {key}: {value}; there is nothing to sweep over',
    zh: '{count} 个 run 的 {key} 全都是 {value}，没有可比较的取值',
  },
  'sweep.no-metric': {
    en: 'no run has a finite value of "{metric}"; name another with --metric (available: {known})',
    zh: '没有任何 run 含有“{metric}”的有限值；请用 --metric 指定（已有：{known}）',
  },
  'sweep.baseline-outside': {
    en: 'the baseline "{run}" is not one of the runs of this sweep',
    zh: '基线“{run}”不在本次扫描的 run 之中',
  },

  'sweep.head': {
    en: '{metric}    {runs} {runs|run|runs}, {settings} setting{settings||s} of {keys}',
    zh: '{metric}    {runs} 个 run，{keys} 共 {settings} 组取值',
  },
  'sweep.cell.final': {
    en: 'a cell is the mean of the last {n} of {shared} evaluation{shared||s} that all runs share, steps {from}–{to}',
    zh: '单元格取所有 run 共有的 {shared} 次验证中最后 {n} 次的均值，step {from}–{to}',
  },
  'sweep.cell.level': {
    en: 'a cell is the mean of the {n} evaluation{n||s} that all runs share, steps {from}–{to}',
    zh: '单元格取所有 run 共有的 {n} 次验证的均值，step {from}–{to}',
  },
  'sweep.cell.one': {
    en: 'a cell is the only evaluation that all runs share, step {step}',
    zh: '单元格取所有 run 唯一共有的一次验证，step {step}',
  },
  'sweep.cell.none': {
    en: 'the runs share no evaluation, so no cell can be compared with another',
    zh: '这些 run 没有共同的验证，单元格之间无法比较',
  },
  'sweep.cell.replicates': { en: '; mean over seeds, ± is their std', zh: '；重复实验取平均，± 为其标准差' },

  'sweep.matters': { en: 'IT MATTERS', zh: '有影响' },
  'sweep.matters-not': { en: 'NO DIFFERENCE BEYOND THE MARGIN', zh: '差异不超过等效界限' },
  'sweep.undetermined': { en: 'UNDETERMINED', zh: '无法判定' },
  'sweep.said.trend': {
    en: 'along {key} from {low} to {high} the metric {direction}: {answer}',
    zh: '{key} 从 {low} 到 {high}，指标{direction}：{answer}',
  },
  'sweep.said.rises': { en: 'rises', zh: '上升' },
  'sweep.said.falls': { en: 'falls', zh: '下降' },
  'sweep.said.some': {
    en: 'no trend is shown, but some settings differ from {baseline}: {settings}',
    zh: '没有显示出趋势，但以下取值与 {baseline} 不同：{settings}',
  },
  'sweep.said.one': { en: '{setting} ({answer})', zh: '{setting}（{answer}）' },
  'sweep.said.same': {
    en: 'every setting of {key} is equivalent to {baseline} within {margin}',
    zh: '{key} 的各取值与 {baseline} 相比，差异均在 {margin} 以内',
  },
  'sweep.said.open': {
    en: 'these runs are too few to show whether {key} matters',
    zh: '仅凭这些 run，无法判断 {key} 是否有影响',
  },
  'sweep.said.suspect': {
    en: '{count} setting{count||s} {count|has|have} identical scores; until that is explained, nothing can be said about {key}',
    zh: '{count} 组取值的得分完全相同；在弄清原因之前，无法对 {key} 下任何结论',
  },
  'sweep.column.runs': { en: 'runs', zh: 'run 数' },
  'sweep.column.mean': { en: 'mean', zh: '平均' },
  'sweep.column.against': { en: 'against {baseline}', zh: '相对 {baseline}' },
  'sweep.baseline': { en: 'baseline', zh: '基线' },
  'sweep.legend.missing': { en: '·  missing', zh: '·  缺失' },
  'sweep.legend.identical': { en: '=  identical to the last digit in another setting', zh: '=  与另一组取值逐位相同' },
  'sweep.shots': { en: '{shots} {shots|shot|shots}', zh: '{shots}-shot' },

  'sweep.trend': {
    en: 'trend over {settings} value{settings||s} of {key} by rank, {runs} run{runs||s}, one number each',
    zh: '按 {key} 的 {settings} 个取值的次序检验趋势，共 {runs} 个 run，每个 run 一个数',
  },
  'sweep.main-effect': {
    en: '{key} alone: its {settings} value{settings||s} in {runs} run{runs||s} that are otherwise identical, one number each',
    zh: '单看 {key}：其 {settings} 个取值，共 {runs} 个其他配置一致的 run，每个 run 一个数',
  },
  'sweep.trend-of-single-runs': {
    en: 'trend over {settings} value{settings||s} of {key} by rank, {runs} run{runs||s}; the residual around the line is the only noise estimate, and fewer than {needed} runs per setting are too few for a claim about the settings',
    zh: '按 {key} 的 {settings} 个取值的次序检验趋势，共 {runs} 个 run；噪声只能由围绕直线的残差估计，每组不足 {needed} 个 run，不能推广到配置本身',
  },
  'sweep.too-few-for-trend': {
    en: 'a trend takes {runs} run{runs||s} per setting, or {needed} settings with one run; {settings} can be compared here',
    zh: '检验趋势需要每组 {runs} 个 run，或至少 {needed} 组各 1 个 run；这里可比的只有 {settings} 组',
  },
  'sweep.never-alone': {
    en: '{key} never changes alone: {others} changed with it, so nothing can be attributed to it; one run that changes only {key} would separate them',
    zh: '{key} 从未单独改动：{others} 也同时变了，无法归因；补一个只改 {key} 的 run 即可分离',
  },
  'sweep.also-differ': {
    en: 'no run of this setting matches a baseline run otherwise: {others} differ too',
    zh: '该取值没有任何 run 在其他配置上与基线一致：{others} 也不同',
  },
  'sweep.not-evaluated': {
    en: 'no evaluation at the shared steps',
    zh: '在其他 run 共有的 step 上没有验证',
  },
  'sweep.runs-each': {
    en: '{first} vs {second} runs that match in every other known setting, one number each',
    zh: '{first} 个 run 对 {second} 个 run，其他已知配置均一致，每个 run 一个数',
  },
  'sweep.suspect': {
    en: '{count} setting{count||s} {count|has|have} identical scores to the last digit: clarify first which checkpoint was evaluated',
    zh: '{count} 组取值的得分逐位相同：须先弄清评测加载的是哪个 checkpoint',
  },

  'sweep.problems': { en: 'Note', zh: '注意' },
  'sweep.problem.without-key': { en: 'without {key}, left out: {runs}', zh: '缺少 {key}，已排除：{runs}' },
  'sweep.problem.duplicate': {
    en: '{run} is a copy of another run and does not count as a seed',
    zh: '{run} 是另一个 run 的副本，不计为重复实验',
  },
  'sweep.problem.effective': {
    en: '{runs}: {key} configured {configured}, effective {effective}: {reason}',
    zh: '{runs}：{key} 配置为 {configured}，实际生效 {effective}：{reason}',
  },
  'sweep.problem.start-only': { en: '{runs}: {key} {reason}', zh: '{runs}：{key} {reason}' },
  'sweep.problem.logged': {
    en: '{run}: KL coefficient configured {configured}, but the log says {logged}',
    zh: '{run}：KL 系数配置为 {configured}，而日志记录为 {logged}',
  },
  'sweep.problem.identical': {
    en: 'identical {scores} to the last digit in {settings} setting{settings||s} ({places}): same checkpoint loaded, or no choice changed; compare the checkpoints’ hashes',
    zh: '{settings} 组取值的 {scores} 逐位相同（{places}）：可能加载了同一个 checkpoint，或输出完全没变；请核对 checkpoint 的哈希',
  },
  'sweep.problem.scores': { en: '{n} score{n||s}', zh: '{n} 个得分' },
  'sweep.problem.course': { en: 'scores at every shared evaluation', zh: '各次共同验证的得分' },
  'sweep.problem.place': { en: '{setting} at {steps}', zh: '{setting} 的 {steps}' },
  'sweep.problem.copied': {
    en: 'a row was copied: at {steps}, {metrics} of {first} and {second} are identical, although the two differ before',
    zh: '有一行数据疑似复制：在 {steps}，{first} 与 {second} 的 {metrics} 完全相同，而此前两者并不相同',
  },
  'sweep.problem.implied': {
    en: 'it belongs to {owner}: there (loss − policy loss) / KL is {kept}, as configured, but {broken} in the row of {copy}',
    zh: '这一行应属于 {owner}：该处 (loss − 策略 loss) / KL = {kept}，与配置一致；而 {copy} 那一行为 {broken}',
  },
  'sweep.problem.missing-run': { en: 'no run at {setting}', zh: '{setting} 没有 run' },
  'sweep.problem.missing-marked': {
    en: '{setting}: {what} at {steps} marked as pending or unknown',
    zh: '{setting}：{steps} 的 {what} 标为待评估或未知',
  },
  'sweep.problem.missing-evaluation': {
    en: '{setting}: {what} not evaluated at {steps}',
    zh: '{setting}：{steps} 没有 {what}',
  },
  'sweep.problem.missing-training': {
    en: '{setting}: no training metrics ({metrics})',
    zh: '{setting}：没有训练指标（{metrics}）',
  },
  'sweep.problem.all-scores': { en: 'all {n} score{n||s}', zh: '全部 {n} 个得分' },
  'sweep.problem.others': {
    en: '{keys} {n|differs|differ} too; only matching runs were compared',
    zh: '{keys} 也不同；只比较了这些配置一致的 run',
  },
  'sweep.problem.together': { en: '{keys} {n|changes|change} together with {key}', zh: '{keys} 随 {key} 一起改变' },
  'sweep.problem.unknown-keys': {
    en: 'also different, meaning unknown: {keys}',
    zh: '另有 klens 不认识的配置项不同：{keys}',
  },
  'sweep.problem.estimates': {
    en: '{run}: {count} cell{count||s} marked as estimates are left out',
    zh: '{run}：{count} 个标为估计的值已排除',
  },
  'sweep.step': { en: 'step {step}', zh: 'step {step}' },
  'sweep.steps': { en: '{n} step{n||s}, {from}–{to}', zh: '{n} 个 step（{from}–{to}）' },

  'sweep.settle': { en: 'What would resolve it', zh: '还需要什么才能判定' },
  'sweep.resolution': {
    en: 'one accuracy at n = {n} has an error of ±{half} points (95 %; less if scores are graded)',
    zh: 'n = {n} 时，单个准确率的 95% 置信区间为 ±{half} 个百分点（若按部分得分计则更窄）',
  },
  'sweep.resolution.differences': {
    en: '{n} prompt{n||s} {n|detects|detect} differences of {unpaired} points on different prompts, of {low}–{high} on the same ones (power 80 %)',
    zh: '{n} 个样本在样本不同时只能看出 {unpaired} 个百分点的差距，样本相同时为 {low}–{high} 个百分点（功效 80%）',
  },
  'sweep.settle.prompts': {
    en: 'the largest difference here is {gap} point{gap||s}: about {paired} paired prompt{paired||s} would confirm it at 5 % discordance, {twice} at 10 %, {unpaired} each if unpaired',
    zh: '这里最大的差距是 {gap} 个百分点：不一致率为 5% 时约需 {paired} 个配对样本才能确认，10% 时约 {twice} 个；不配对则每方约 {unpaired} 个',
  },
  'sweep.settle.seeds': {
    en: 'settings: {seeds} seed{seeds||s} each detect a difference of {difference} (power 80 %)',
    zh: '针对配置：要看出 {difference} 的差异，每组需 {seeds} 个种子（功效 80%）',
  },
  'sweep.settle.replicates': {
    en: 'settings: at least {seeds} seed{seeds||s} each',
    zh: '针对配置：每组至少 {seeds} 个种子',
  },
  'sweep.settle.missing': {
    en: 'the missing evaluations above need no training',
    zh: '上面缺失的评测无需重新训练即可补上',
  },
  'sweep.settle.per-sample': {
    en: 'per-prompt results of the evaluations so far allow a paired test',
    zh: '已做评测的逐样本结果：有了它们就能做配对检验',
  },
  'question.trend': { en: 'trend', zh: '趋势' },
} as const satisfies Templates
