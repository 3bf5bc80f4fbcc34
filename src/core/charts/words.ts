import { closed, type Language, type Templates } from '../../text/language.js'
import { type Blanks, render, sentences } from '../../text/sentences.js'

/** What stands in charts: titles, axis names, legends and notes. Short, because a chart has little room. */
const texts = {
  'charts.axis.steps': { en: 'step', zh: 'step' },
  'charts.axis.samples': { en: 'samples', zh: '样本数' },
  'charts.axis.tokens': { en: 'tokens', zh: 'token 数' },
  'charts.axis.seconds': { en: 'time', zh: '时间' },
  'charts.span.steps': { en: '{n} step{n||s}', zh: '{n} 步' },
  'charts.span.samples': { en: '{n} sample{n||s}', zh: '{n} 个样本' },
  'charts.span.tokens': { en: '{n} token{n||s}', zh: '{n} 个 token' },
  'charts.span.seconds': { en: '{n}', zh: '{n}' },
  'charts.at-step': { en: 'step {step}', zh: 'step {step}' },
  'charts.empty': { en: 'no finite value to show', zh: '没有可显示的有限值' },
  'charts.higher-is-better': { en: 'higher is better', zh: '越高越好' },
  'charts.lower-is-better': { en: 'lower is better', zh: '越低越好' },
  'charts.interval': { en: '95 % interval', zh: '95% 置信区间' },
  'charts.margin': { en: 'margin ±{margin}', zh: '等效界限 ±{margin}' },
  'charts.replicates': {
    en: 'thin lines: single runs, thick lines: their mean',
    zh: '细线为单个 run，粗线为其均值',
  },
  'charts.smoothed': {
    en: 'thick lines: mean of {n} point{n||s} in a row, thin lines: as logged',
    zh: '粗线为连续 {n} 个点的均值，细线为原始值',
  },
  'charts.band': { en: 'bands: 95 % intervals', zh: '色带为 95% 置信区间' },
  'charts.envelope': {
    en: '{points} point{points||s}, more than pixels: showing the range of each {span} (band: lowest to highest, line: mean)',
    zh: '{points} 个数据点多于像素，按每 {span}汇总显示（色带：最低到最高，线：均值）',
  },
  'charts.envelope-of-runs': {
    en: '{points} point{points||s}, more than pixels: showing the range of each {span} over all seeds of a setting (band: lowest to highest, line: mean)',
    zh: '{points} 个数据点多于像素，按每 {span}汇总同一侧的所有 run（色带：最低到最高，线：均值）',
  },
  'charts.envelope-of-differences': {
    en: '{points} point{points||s}, more than pixels: showing the range of each {span}, lowest to highest',
    zh: '{points} 个数据点多于像素，按每 {span}显示最低到最高的范围',
  },
  'charts.beyond': {
    en: '{sign} {n} outside the axis, as far as {most}',
    zh: '{sign} {n} 处超出坐标轴，最远 {most}',
  },
  'charts.beyond-here': { en: '{sign} {n} outside, to {most}', zh: '{sign} {n} 处超出，最远 {most}' },
  'charts.not-positive': {
    en: '{n} {n|value is|values are} not above zero and cannot be shown on a logarithmic axis',
    zh: '{n} 个值不大于零，在对数轴上无法显示',
  },
  'charts.shared': {
    en: 'ticks on the axis: the {n} {n|step|steps} that all runs share',
    zh: '横轴上的短竖线：各方共有的 {n} 个 step',
  },
  'charts.shared-many': { en: 'all runs share {n} step{n||s}', zh: '各方共有 {n} 个 step' },
  'charts.gaps': {
    en: 'a line breaks at a missing value, nothing is interpolated',
    zh: '缺失处断开，不做插值',
  },
  'charts.finding': { en: '{axis} {at}: {label}', zh: '{axis} {at}：{label}' },
  'charts.curves.described': {
    en: 'Curves of {metric} from step {from} to {to}: {sides}',
    zh: '{metric} 曲线，step {from} 到 {to}：{sides}',
  },

  'charts.difference.title': { en: '{other} − {baseline}: {metric}', zh: '{other} − {baseline}：{metric}' },
  'charts.difference.points': { en: 'differences, step by step', zh: '各 step 的差值' },
  'charts.difference.mean': { en: 'mean, steps {steps}', zh: '均值，step {steps}' },
  'charts.difference.estimate': { en: 'mean difference {estimate}', zh: '平均差值 {estimate}' },
  'charts.difference.interval': { en: '95 % interval {ends}', zh: '95% 置信区间 {ends}' },
  'charts.difference.described': {
    en: 'Difference {other} minus {baseline} in {metric} at {n} shared {n|step|steps}',
    zh: '{other} 减 {baseline} 的 {metric} 差值，共同 step {n} 个',
  },

  'charts.scatter.title': { en: '{up} vs {across}', zh: '{up} vs {across}' },
  'charts.scatter.order': {
    en: 'one point per step, joined in step order; large markers: first and last',
    zh: '每个点为一个 step，按 step 顺序相连；大标记为首尾',
  },
  'charts.scatter.means': {
    en: 'each point is the mean of {n} record{n||s}, joined in step order; large markers: first and last',
    zh: '每个点为 {n} 条记录的均值，按 step 顺序相连；大标记为首尾',
  },
  'charts.scatter.described': {
    en: '{up} against {across} in step order: {sides}',
    zh: '{up} vs {across}，按 step 顺序：{sides}',
  },

  'charts.frontier.title': { en: '{metric} vs √KL', zh: '{metric} vs √KL' },
  'charts.frontier.runs': {
    en: 'one path per run; numbers: steps',
    zh: '每个 run 一条路径，按 step 顺序相连；数字为 step',
  },
  'charts.frontier.means': {
    en: 'one path per setting, the mean over its runs; numbers: steps',
    zh: '每组配置一条路径（各 run 的均值），按 step 顺序相连；数字为 step',
  },
  'charts.frontier.stretches': {
    en: 'a point is the mean of several evaluations, up to its step',
    zh: '每个点为截至该 step 的多次验证的均值',
  },
  'charts.frontier.peak': { en: 'KL of the best setting', zh: '最好配置的 KL' },
  'charts.frontier.described': {
    en: '{metric} against the square root of KL, in step order: {settings}',
    zh: '{metric} 与 KL 平方根的关系，按 step 顺序：{settings}',
  },

  'charts.panels.absent': { en: 'not logged: {sides}', zh: '未记录：{sides}' },
  'charts.panels.described': { en: '{title}: {metrics}; {sides}', zh: '{title}：{metrics}；{sides}' },

  'charts.heatmap.title': { en: '{metric} by {down} and {across}', zh: '{metric}（{down} × {across}）' },
  'charts.heatmap.spread': { en: '±: standard deviation over runs', zh: '± 为各 run 之间的标准差' },
  'charts.heatmap.no-run': { en: 'not run', zh: '未运行' },
  'charts.heatmap.no-evaluation': { en: 'no score', zh: '无评测' },
  'charts.heatmap.no-training': { en: 'not logged', zh: '未记录' },
  'charts.heatmap.shades': { en: '{low} to {high}', zh: '{low} 到 {high}' },
  'charts.heatmap.missing': { en: 'missing', zh: '缺失' },
  'charts.heatmap.identical': {
    en: 'same letter: identical to the last digit',
    zh: '字母相同：逐位相同',
  },
  'charts.heatmap.described': {
    en: 'Matrix of {metric} by {down} and {across}; {missing} of {cells} cell{cells||s} are missing',
    zh: '{metric} 矩阵（{down} × {across}），{cells} 个单元格中缺 {missing} 个',
  },

  'charts.dose.title': { en: '{metric} by {setting}', zh: '{metric} 随 {setting} 的变化' },
  'charts.dose.bars': {
    en: 'bars: 95 % intervals of the mean over seeds',
    zh: '竖线为各种子均值的 95% 置信区间',
  },
  'charts.dose.seeds': { en: 'single seeds', zh: '单个种子' },
  'charts.dose.mean': { en: 'mean of the seeds', zh: '种子均值' },
  'charts.dose.described': {
    en: '{metric} at {n} value{n||s} of {setting}, the mean over seeds with its interval',
    zh: '{setting} 取 {n} 个值时的 {metric}：种子均值及其区间',
  },

  'charts.intervals.title': { en: 'Differences in {metric}', zh: '{metric} 的差异' },
  'charts.intervals.axis': { en: 'difference from the baseline', zh: '与基线之差' },
  'charts.intervals.bars': { en: 'bars: 95 % intervals', zh: '横线为 95% 置信区间' },
  'charts.intervals.margin': { en: 'grey: within the margin', zh: '灰色区域在等效界限以内' },
  'charts.intervals.numbers': { en: '{estimate} ({low} … {high})', zh: '{estimate}（{low} … {high}）' },
  'charts.intervals.no-interval': { en: '{estimate}, no interval', zh: '{estimate}，无区间' },
  'charts.intervals.no-estimate': { en: 'no estimate', zh: '无估计值' },
  'charts.intervals.row': { en: '{label}: {answer}, {numbers}', zh: '{label}：{answer}，{numbers}' },
  'charts.intervals.described': { en: 'Differences in {metric}. {rows}', zh: '{metric} 的差异。{rows}' },
  'charts.answer.better': { en: 'better', zh: '更好' },
  'charts.answer.worse': { en: 'worse', zh: '更差' },
  'charts.answer.same': { en: 'about the same', zh: '相当' },
  'charts.answer.different-but-small': { en: 'different but small', zh: '有差异，但小于等效界限' },
  'charts.answer.undetermined': { en: 'undetermined', zh: '无法判定' },
  'charts.answer.higher': { en: 'higher', zh: '更高' },
  'charts.answer.lower': { en: 'lower', zh: '更低' },

  'charts.ranking.title': { en: 'Checkpoints by {metric}', zh: '各 checkpoint 的 {metric}' },
  'charts.ranking.bars': { en: 'bars: 95 % intervals of one score', zh: '竖线为单次得分的 95% 置信区间' },
  'charts.ranking.alike': { en: 'tied with the best ({n})', zh: '与最优无法区分（{n} 个）' },
  'charts.ranking.rest': { en: 'below the best', zh: '劣于最优' },
  'charts.ranking.best': { en: 'best as measured: step {step}, {value}', zh: '实测最优：step {step}，{value}' },
  'charts.ranking.shrunken': {
    en: 'estimated true score of the best: {value}',
    zh: '最优值，扣除挑选带来的偏高：{value}',
  },
  'charts.ranking.described': {
    en: 'Scores of {n} checkpoint{n||s} in {metric}; best step {best}; tied with it: {alike}',
    zh: '{n} 个 checkpoint 的 {metric}；最优 step {best}；与其无法区分：{alike}',
  },
} as const satisfies Templates

const message = sentences(texts)

type Say = <Key extends keyof typeof texts>(key: Key, params: Blanks<(typeof texts)[Key]>) => string

export function saying(language: Language): Say {
  return (key, params) => closed(render(message(key, params), language))
}

/** Notes that stand on one line. */
export function joined(language: Language, notes: readonly string[]): string {
  return notes.join(language === 'zh' ? '；' : '; ')
}
