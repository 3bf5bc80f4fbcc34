import type { Templates } from './language.js'

/** `klens show`: one run, and whether its log is whole. */
export const showTexts = {
  'show.about': {
    en: 'one run: effective config, curves, metrics, log completeness',
    zh: '单个 run：实际生效的配置、曲线、指标、日志完整性',
  },
  'show.option.metric': {
    en: 'only this metric, raw or canonical name (repeatable)',
    zh: '只看该指标，原名或规范名均可（可重复）',
  },
  'show.option.all': {
    en: 'all settings as logged, and the meaning of every metric',
    zh: '显示日志中的全部配置项，以及 klens 对每个指标的理解',
  },
  'show.no-metric': {
    en: 'run {run} has no metric "{metric}"; it has {known}',
    zh: 'run {run} 没有指标“{metric}”；它有 {known}',
  },
  'show.head': {
    en: '{source} · {status} · id {id}',
    zh: '{source} · {status} · id {id}',
  },
  'show.size': {
    en: 'steps {first}–{last} · {metrics} {metrics|metric|metrics} · {points} point{points||s}',
    zh: 'step {first}–{last} · {metrics} 个指标 · {points} 个点',
  },
  'show.no-steps': { en: 'no measured points', zh: '没有测量值' },
  'show.files': { en: 'read from', zh: '读取自' },
  'show.more-files': { en: '{count} more {count|file|files} in {folder}', zh: '{folder} 中另有 {count} 个文件' },
  'show.settings': { en: 'Effective config', zh: '实际生效的配置' },
  'show.config': { en: 'Configuration as logged', zh: '日志中的原始配置' },
  'show.curves': { en: 'Curves', zh: '曲线' },
  'show.meaning': { en: 'What the metrics mean', zh: '指标的含义' },
  'show.metrics': { en: 'Metrics', zh: '指标' },
  'show.integrity': { en: 'Log completeness', zh: '完整性' },
  'show.evaluations': {
    en: '{count} evaluation{count||s}, {samples} per-sample scores',
    zh: '{count} 次验证，{samples} 条逐样本得分',
  },
  'show.higher': { en: 'higher is better', zh: '越高越好' },
  'show.lower': { en: 'lower is better', zh: '越低越好' },
  'show.points': { en: '{n} {n|point|points}', zh: '{n} 个点' },
  'show.envelope': {
    en: 'several points per column: lowest to highest drawn',
    zh: '每列含多个点：画出最低到最高的范围',
  },
  'show.beyond': {
    en: '{count} {count|value|values} outside the scale, up to {farthest}',
    zh: '{count} 个值超出坐标范围，最远 {farthest}',
  },
  'show.column.metric': { en: 'metric', zh: '指标' },
  'show.column.canonical': { en: 'meaning', zh: '含义' },
  'show.column.n': { en: 'n', zh: 'n' },
  'show.column.first': { en: 'first', zh: '首值' },
  'show.column.last': { en: 'last', zh: '末值' },
  'show.column.change': { en: 'change', zh: '变化' },
  'show.column.min': { en: 'min @ step', zh: '最小 @ step' },
  'show.column.max': { en: 'max @ step', zh: '最大 @ step' },
  'show.column.mean': { en: 'mean', zh: '均值' },
  'show.notes': { en: 'Note when comparing', zh: '比较时请注意' },
  'show.more-settings': {
    en: '… {count} more {count|key was|keys were} logged (--all)',
    zh: '……日志中还有 {count} 项配置（--all）',
  },
  'show.replaced-by-effect': { en: 'configured: {configured}; {reason}', zh: '配置值为 {configured}：{reason}' },

  'integrity.whole': {
    en: 'complete: no gaps, no restarts, no repeated steps, all values finite',
    zh: '未见异常：无缺口、无重启、无重复 step，数值全部有限',
  },
  'integrity.tail': {
    en: '{file} ends in the middle of a record: the last {bytes} byte{bytes||s} {bytes|is|are} not read',
    zh: '{file} 末尾的记录不完整：最后 {bytes} 字节未读取',
  },
  'integrity.one-training': {
    en: 'one training, logged by {most} and {last}',
    zh: '同一次训练，由 {most} 和 {last} 记录',
  },
  'integrity.one-training-files': {
    en: 'one training, in {count} log{count||s} called {name}',
    zh: '同一次训练，有 {count} 份名为 {name} 的日志',
  },
  'integrity.restart': {
    en: 'restarted at step {step}, after step {last}',
    zh: '在 step {last} 之后从 step {step} 重新启动',
  },
  'integrity.overlap': {
    en: 'restarted at step {step}, after step {last}: {steps} {steps|step was|steps were} written twice; the later values are used',
    zh: '在 step {last} 之后从 step {step} 重新启动：有 {steps} 个 step 写了两次，以后写的为准',
  },
  'integrity.abandoned': {
    en: 'steps {from}–{to} are from before the restart at step {step}, which has not reached them yet',
    zh: 'step {from}–{to} 来自 step {step} 那次重启之前，重启后的训练尚未到达这里',
  },
  'integrity.unordered': {
    en: 'steps go backwards {count} {count|time|times}: the rows are not in order (values are sorted by step)',
    zh: 'step 倒退了 {count} 次：各行未按顺序排列（数值已按 step 排序）',
  },
  'integrity.repeated': {
    en: '{metric}: {count} {count|step was|steps were} logged more than once; the last value is used',
    zh: '{metric}：有 {count} 个 step 记录了不止一次，以最后一次为准',
  },
  'integrity.repeated-many': {
    en: '{metrics} metric{metrics||s} {metrics|has|have} steps that were logged more than once ({count} point{count||s} in total); the last value is used',
    zh: '有 {metrics} 个指标在同一 step 记录了不止一次（共 {count} 个点），以最后一次为准',
  },
  'integrity.gap': {
    en: '{metric}: logged every {interval} step{interval||s}, but nothing between {from} and {to}',
    zh: '{metric}：每 {interval} 个 step 记录一次，但 {from} 与 {to} 之间没有记录',
  },
  'integrity.gaps': {
    en: '{metric}: logged every {interval} step{interval||s}, with {count} gap{count||s}; the widest is {from}–{to}',
    zh: '{metric}：每 {interval} 个 step 记录一次，有 {count} 处缺口，最大的是 {from}–{to}',
  },
  'integrity.gaps-many': {
    en: '{metrics} metric{metrics||s} {metrics|has|have} gaps; the widest is {metric}, {from}–{to}',
    zh: '有 {metrics} 个指标存在缺口，最大的是 {metric} 的 {from}–{to}',
  },
  'integrity.non-finite': {
    en: '{metric}: {nan} NaN, {infinite} infinite of {n} value{n||s}',
    zh: '{metric}：{n} 个值中有 {nan} 个 NaN、{infinite} 个无穷大',
  },
  'integrity.float32': {
    en: 'values were stored as float32 (about 7 digits) in {metrics} of {all} metric{all||s}',
    zh: '{all} 个指标中有 {metrics} 个以 float32 存储（约 7 位有效数字）',
  },
  'integrity.estimated': {
    en: '{metric}: {count} {count|value is|values are} marked as {count|an estimate|estimates} and {count|is|are} not used in computations',
    zh: '{metric}：有 {count} 个值标为估计值，不参与任何计算',
  },
  'integrity.missing': {
    en: '{metric}: {count} {count|cell is|cells are} marked as missing',
    zh: '{metric}：有 {count} 个单元标为缺失',
  },
  'integrity.warning': { en: '{file}: {warning}', zh: '{file}：{warning}' },
} as const satisfies Templates
