import type { Templates } from './language.js'
import { sentences } from './sentences.js'

/** `klens report`: the sentences of the document. Both languages are written, not translated word by word. */
export const reportTexts = {
  'report.about': {
    en: 'a report for a colleague: Markdown or one HTML file',
    zh: '写给同事看的报告：Markdown 或单个 HTML 文件',
  },
  'report.runs': {
    en: 'one run, two runs to compare, or the runs of a sweep: ids, names, patterns or paths',
    zh: '一个 run、两方，或一组扫描实验：id、名称、通配符或路径',
  },
  'report.option.output': {
    en: 'FILE.md or FILE.html',
    zh: '输出 FILE.md 或 FILE.html',
  },
  'report.option.over': { en: 'the setting that is swept', zh: '扫描所改变的配置项' },
  'report.option.decide': {
    en: 'one page: what to ship and what to run next, by score (default), worst-seed or cost',
    zh: '一页：现在用哪个、接下来做什么实验；目标为 score（缺省）、worst-seed 或 cost',
  },
  'report.option.title': { en: 'title of the report', zh: '报告标题' },
  'report.option.date': {
    en: 'date to print, such as 2026-01-31; none is printed without it',
    zh: '报告日期，如 2026-01-31；不给则不写日期',
  },
  'report.bad-date': {
    en: '--date is "{value}"; it must look like 2026-01-31',
    zh: '--date 是“{value}”，应写成 2026-01-31',
  },
  'report.bad-output': {
    en: 'a report is written as .md or .html; "{path}" is neither',
    zh: '报告只能写成 .md 或 .html，“{path}”不是',
  },
  'report.written': { en: 'written: {path}', zh: '已写入：{path}' },

  'report.title.pair': { en: '{other} vs {baseline}', zh: '{other} 与 {baseline} 的对比' },
  'report.title.run': { en: 'Training run {run}', zh: '训练 run {run}' },
  'report.title.sweep': { en: 'Sweep over {knob}', zh: '{knob} 扫描实验' },
  'report.notes': { en: 'Notes', zh: '备注' },
  'report.date': { en: 'As of {date}.', zh: '截至 {date}。' },

  'report.answer.undetermined.runs': {
    en: '{n} evaluation{n||s} {n|is|are} too few to separate the two runs.',
    zh: '仅凭 {n} 次验证，分不出这两个 run 孰优孰劣。',
  },
  'report.answer.undetermined.configs': {
    en: '{first} vs {second} runs are too few to separate the two settings.',
    zh: '{first} 个 run 对 {second} 个 run，仍分不出两种配置孰优孰劣。',
  },
  'report.answer.undetermined.checkpoints': {
    en: 'One evaluation each is too few to separate the two checkpoints.',
    zh: '各一次评测，分不出这两个 checkpoint 孰优孰劣。',
  },
  'report.answer.none': {
    en: 'There is not enough shared data to compare the two.',
    zh: '双方可比的数据太少，无法比较。',
  },
  'report.answer.better.runs': {
    en: 'The run {other} is better than {baseline}.',
    zh: 'run {other} 优于 {baseline}。',
  },
  'report.answer.better.configs': { en: '{other} is the better setting.', zh: '{other} 这一配置更好。' },
  'report.answer.better.checkpoints': {
    en: 'The checkpoint {other} is better than {baseline}.',
    zh: 'checkpoint {other} 优于 {baseline}。',
  },
  'report.answer.worse.runs': { en: 'The run {other} is worse than {baseline}.', zh: 'run {other} 不如 {baseline}。' },
  'report.answer.worse.configs': { en: '{other} is the worse setting.', zh: '{other} 这一配置更差。' },
  'report.answer.worse.checkpoints': {
    en: 'The checkpoint {other} is worse than {baseline}.',
    zh: 'checkpoint {other} 不如 {baseline}。',
  },
  'report.answer.higher': { en: '{other} is higher than {baseline}.', zh: '{other} 高于 {baseline}。' },
  'report.answer.lower': { en: '{other} is lower than {baseline}.', zh: '{other} 低于 {baseline}。' },
  'report.answer.same.runs': {
    en: 'The two runs are equivalent within a margin of {margin}.',
    zh: '按 {margin} 的等效界限检验，这两个 run 相当。',
  },
  'report.answer.same.configs': {
    en: 'The two settings are equivalent within a margin of {margin}.',
    zh: '按 {margin} 的等效界限检验，两种配置相当。',
  },
  'report.answer.same.checkpoints': {
    en: 'The two checkpoints are equivalent within a margin of {margin}.',
    zh: '按 {margin} 的等效界限检验，这两个 checkpoint 相当。',
  },
  'report.answer.different-but-small.runs': {
    en: 'The two runs differ, by less than the margin of {margin}.',
    zh: '这两个 run 有差异，但小于 {margin} 的等效界限。',
  },
  'report.answer.different-but-small.configs': {
    en: 'The two settings differ, by less than the margin of {margin}.',
    zh: '两种配置有差异，但小于 {margin} 的等效界限。',
  },
  'report.answer.different-but-small.checkpoints': {
    en: 'The two checkpoints differ, by less than the margin of {margin}.',
    zh: '这两个 checkpoint 有差异，但小于 {margin} 的等效界限。',
  },

  'report.by': {
    en: 'On {metric}, {other} is {size} {direction} on average ({share}; 95 % interval {low} to {high}).',
    zh: '按 {metric}，{other} 平均{direction} {size}（{share}，95% 置信区间 {low} ~ {high}）。',
  },
  'report.below': { en: 'below {baseline}', zh: '低于 {baseline}' },
  'report.above': { en: 'above {baseline}', zh: '高于 {baseline}' },
  'report.scope.runs': {
    en: 'This applies to these runs: {first} and {second} seeds are too few for a claim about the settings.',
    zh: '结论只针对这些 run：种子数为 {first} 和 {second}，不能推广到配置本身。',
  },
  'report.scope.one-seed': {
    en: 'One seed each says nothing about the settings.',
    zh: '每种配置只跑了 1 个种子，不能推广到配置本身。',
  },
  'report.scope.configs': {
    en: 'This applies to the settings, by {first} vs {second} runs.',
    zh: '依据 {first} 个 run 对 {second} 个 run，结论针对配置本身。',
  },
  'report.scope.confounded': {
    en: '{count} setting{count||s} changed at once, so the difference cannot be attributed to any one of them.',
    zh: '同时改动了 {count} 项配置，无法归因到其中任何一项。',
  },
  'report.next': { en: 'Cheapest next step.', zh: '成本最低的下一步：' },
  'report.not': { en: 'Do not conclude', zh: '请勿据此认为' },
  'report.not.pair': {
    en: 'that {list}: the data does not support it.',
    zh: '{list}：现有数据均不支持。',
  },
  'report.not.faster': { en: 'one of them converges faster', zh: '其中一方收敛更快' },
  'report.not.steadier': { en: 'one of them is more stable', zh: '其中一方更稳定' },
  'report.not.equal': { en: 'they are equal', zh: '两者相当' },
  'report.or': { en: ' or that ', zh: '，或' },

  'report.head.todo': { en: 'What to do', zh: '建议' },
  'report.head.verdicts': { en: 'Verdicts', zh: '判定' },
  'report.head.curves': { en: 'Evaluations', zh: '验证曲线' },
  'report.head.training': { en: 'Training', zh: '训练过程' },
  'report.chart.training': { en: 'Training signals', zh: '训练信号' },
  'report.head.diagnosis': { en: 'Diagnosis', zh: '诊断' },
  'report.head.open': { en: 'What could not be judged, and why', zh: '未能判定的问题及原因' },
  'report.head.evidence': { en: 'Evidence', zh: '证据附录' },
  'report.head.changed': { en: 'What changed since the last report', zh: '与上一版报告相比' },
  'report.head.checkpoints': { en: 'Checkpoints', zh: 'checkpoint 排名' },
  'report.head.matrix': { en: 'The matrix', zh: '结果矩阵' },
  'report.head.problems': { en: 'Problems in the data', zh: '数据中的问题' },
  'report.head.methods': { en: 'Methods and their error rates', zh: '方法及其实测错误率' },
  'report.head.sources': { en: 'Sources', zh: '数据来源' },

  'report.column.question': { en: 'question', zh: '问题' },
  'report.column.answer': { en: 'answer', zh: '判定' },
  'report.column.difference': { en: 'difference', zh: '差值' },
  'report.column.interval': { en: '95 % interval', zh: '95% 置信区间' },
  'report.column.about': { en: 'applies to', zh: '范围' },
  'report.column.run': { en: 'run', zh: 'run' },
  'report.column.files': { en: 'files', zh: '文件' },
  'report.column.hash': { en: 'hash', zh: '哈希' },
  'report.column.steps': { en: 'steps', zh: 'step' },
  'report.column.tool': { en: 'written by', zh: '记录工具' },
  'report.column.severity': { en: 'severity', zh: '级别' },
  'report.column.finding': { en: 'finding', zh: '问题' },
  'report.column.since': { en: 'steps', zh: 'step' },
  'report.column.remedy': { en: 'remedy', zh: '处理办法' },
  'report.condition': { en: 'condition', zh: '条件' },

  'report.word.better': { en: 'better', zh: '更好' },
  'report.word.worse': { en: 'worse', zh: '更差' },
  'report.word.same': { en: 'about the same', zh: '相当' },
  'report.word.different-but-small': { en: 'different, but small', zh: '有差异，但小于等效界限' },
  'report.word.undetermined': { en: 'undetermined', zh: '无法判定' },
  'report.word.higher': { en: 'higher', zh: '更高' },
  'report.word.lower': { en: 'lower', zh: '更低' },

  'report.diagnose.not-logged': {
    en: 'the metrics for these are not logged',
    zh: '缺少所需的指标',
  },
  'report.diagnose.too-short': { en: 'too few points', zh: '数据点太少' },
  'report.cost.run': { en: 'about {hours} GPU-hours per run', zh: '每个 run 约 {hours} 卡时' },
  'report.cost.runs': { en: 'about {hours} GPU-hours for {count} run{count||s}', zh: '{count} 个 run 约 {hours} 卡时' },
  'report.cost.unknown': { en: 'cost unknown: no step time was logged', zh: '成本未知：没有记录每步用时' },
  'report.cost.free': { en: 'no training needed', zh: '无需再训练' },
  'report.todo.seeds': {
    en: 'Run {more} more {more|seed|seeds} per setting, to judge the settings and not only these runs.',
    zh: '每方再补 {more} 个种子，结论才能针对配置本身。',
  },
  'report.todo.finding': { en: '{run}: {remedy}', zh: '{run}：{remedy}' },
  'report.todo.ship': {
    en: 'If a checkpoint of {run} must be shipped, take step {step}: {why}.',
    zh: '若要从 {run} 选用 checkpoint，取 step {step}：{why}。',
  },
  'report.todo.use': {
    en: 'Keep {side}, and choose its checkpoint among those tied with the best.',
    zh: '采用 {side}，并在与最优无法区分的 checkpoint 中选择。',
  },
  'report.todo.use-checkpoint': {
    en: 'Keep {side}. Other checkpoints of the run may do better still.',
    zh: '采用 {side}；同一 run 的其他 checkpoint 也许更好。',
  },
  'report.todo.nothing': {
    en: 'Nothing is open: the question is answered.',
    zh: '没有待办：所问的问题已有答案。',
  },

  'report.changed.evaluations': {
    en: '{more} evaluation{more||s} {more|was|were} added ({before} then, {now} now).',
    zh: '新增 {more} 次验证（当时 {before} 次，现在 {now} 次）。',
  },
  'report.changed.verdict': {
    en: '{question}, {other}: the verdict changed from {before} to {now}.',
    zh: '{other} 的“{question}”判定由“{before}”变为“{now}”。',
  },
  'report.changed.finding': { en: 'New finding: {finding}.', zh: '新发现的问题：{finding}。' },
  'report.changed.gone': { en: 'No longer found: {finding}.', zh: '不再出现的问题：{finding}。' },

  'report.run.best': {
    en: 'The best reported {metric} is {value} at step {step}; estimated true value {shrunken}.',
    zh: '报告的最优 {metric} 是 step {step} 的 {value}，真实值估计为 {shrunken}。',
  },
  'report.run.best-plain': {
    en: 'The best reported {metric} is {value} at step {step}; its error is unknown.',
    zh: '报告的最优 {metric} 是 step {step} 的 {value}，误差未知。',
  },
  'report.run.healthy': {
    en: 'No check found a problem in training.',
    zh: '训练过程未见 klens 所检查的异常。',
  },
  'report.run.sick': {
    en: 'Training has {errors} {errors|error|errors} and {warnings} {warnings|warning|warnings}; the most severe: {finding}.',
    zh: '训练过程有 {errors} 个错误、{warnings} 个警告，最严重的是：{finding}。',
  },
  'report.run.no-metric': {
    en: 'The run logs no {metric}, so its checkpoints cannot be ranked.',
    zh: '该 run 没有记录 {metric}，无法给 checkpoint 排名。',
  },
  'report.sweep.settings': {
    en: '{settings} value{settings||s}, {runs} run{runs||s}, judged by {metric}.',
    zh: '共 {settings} 个取值、{runs} 个 run，按 {metric} 判定。',
  },

  'report.chart.curves': {
    en: '{metric} over training; the ticks below are the shared steps.',
    zh: '训练过程中的 {metric}；下方短线为共同 step。',
  },
  'report.chart.difference': {
    en: '{other} minus {baseline} at each shared step; the band is the 95 % interval of the mean.',
    zh: '各共同 step 上 {other} 减 {baseline}；色带是均值的 95% 置信区间。',
  },
  'report.chart.intervals': { en: 'Each question with its 95 % interval.', zh: '各问题的 95% 置信区间。' },
  'report.chart.scatter': {
    en: 'KL to the reference against reward, in the order of training.',
    zh: '训练过程中参考 KL 与 reward 的关系。',
  },
  'report.chart.panels': {
    en: 'Training signals; numbered ranges have a finding.',
    zh: '训练信号；带编号的区间为发现问题之处。',
  },
  'report.chart.ranking': {
    en: 'Evaluations with their error; filled points are tied with the best.',
    zh: '各次验证及其误差；实心点与最优无法区分。',
  },
  'report.chart.heatmap': {
    en: 'Scores by setting and condition; × marks missing cells.',
    zh: '各配置、各条件下的得分；× 表示缺失。',
  },

  'report.evidence.command': { en: 'Written by klens {version} with', zh: '由 klens {version} 生成，命令为' },
  'report.source': { en: '{metric} of {runs}, {aggregate}', zh: '{runs} 的 {metric}，{aggregate}' },
  'report.source.at': { en: 'at step {step}', zh: 'step {step} 的值' },
} as const satisfies Templates

export const reportSentences = sentences(reportTexts)
