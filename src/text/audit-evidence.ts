import type { Templates } from './language.js'

/** What the audit says about data that is none, and about claims that nothing supports. */
export const auditEvidenceTexts = {
  'audit.estimated-as-data.column': {
    en: '{guessed} of {all} differences are computed from values that the table itself marks as estimates',
    zh: '{all} 个差值中有 {guessed} 个是用表中标注为“估计”的数值算出来的',
  },
  'audit.estimated-as-data.sentence': {
    en: '“{words}” is judged against {guess}, which is an estimate and no measurement',
    zh: '“{words}”的比较对象 {guess} 是估计值，不是实测值',
  },
  'audit.linear-fill': {
    en: '{count} of {all} values of {subject} (steps {from}–{to}) change by exactly {change} each: a drawn line, not data',
    zh: '{subject} 的 {all} 个数值中有 {count} 个（step {from}–{to}）每次恰好变化 {change}：这是一条画出来的直线，不是数据',
  },
  'audit.copied-cells': {
    en: 'row {label} repeats {values} of row {earlier} to the last digit while its other values differ: copied?',
    zh: '{label} 一行的 {values} 与 {earlier} 一行逐位相同，而其他数值不同：疑似复制',
  },
  'audit.identical-rows': {
    en: '{count} of {all} rows ({labels}) have the very same scores ({scores}): check first that different checkpoints were loaded; until then they say nothing about the setting',
    zh: '{all} 行中有 {count} 行（{labels}）得分逐位相同（{scores}）：先核对是否加载了不同的 checkpoint，在此之前不能据此评价该配置',
  },
  'audit.identical-rows.positions': {
    en: '{label} has the same scores ({scores}) under “{here}” as under “{there}”: check which checkpoint was evaluated',
    zh: '{label} 在“{here}”与“{there}”下得分逐位相同（{scores}）：请核对评测的是哪个 checkpoint',
  },
  'audit.loss-identity': {
    en: '{label}: {formula} is {expected}, not {found}, although the other rows obey this sum',
    zh: '{label}：{formula} 等于 {expected}，不是 {found}，而其余各行都满足这一关系',
  },
  'audit.loss-identity.implied': {
    en: '{label}: {formula} is {expected}, not {found}; it would take a coefficient of {implied}, although the other rows obey theirs',
    zh: '{label}：{formula} 等于 {expected}，不是 {found}；要成立，系数须为 {implied}，而其余各行都与各自的系数相符',
  },
  'audit.effective-coefficient': {
    en: 'the coefficient that acted is {printed}, and the losses agree ({formula} = {implied}); configured was {configured}',
    zh: '实际生效的 KL 系数是 {printed}，各项 loss 也与之相符（{formula} = {implied}）；而配置值是 {configured}',
  },
  'audit.effective-coefficient.printed': {
    en: 'the printed coefficient is {printed}, the configured one {configured}',
    zh: '报告中打印的 KL 系数是 {printed}，配置值却是 {configured}',
  },
  'audit.effective-coefficient.implied': {
    en: 'these losses imply a KL coefficient of {implied} ({formula}); configured was {configured}',
    zh: '由这些 loss 反推，KL 系数为 {implied}（{formula}）；而配置值是 {configured}',
  },
  'audit.grim': {
    en: 'no count out of {n} gives {values} (next to {first} are {near}): the score is no share of right answers, or n is not {n}',
    zh: '{n} 个样本不可能得出 {values}（与 {first} 相邻的可能值是 {near}）：要么指标不是答对的比例，要么样本数不是 {n}',
  },
  'audit.timeline': {
    en: '{steps} steps at {seconds} s take at least {hours} h: started {start}, done {end} at the earliest, but the report is of {written}',
    zh: '{steps} 步按每步 {seconds} 秒至少需要 {hours} 小时：{start} 开始，最早 {end} 结束，而报告日期是 {written}',
  },
  'audit.speed-contradicted': {
    en: '{other} reached {value} at step {step}, beyond the best of {subject}, {best} at step {bestStep}',
    zh: '{other} 在 step {step} 已达 {value}，超过 {subject} 的最佳值 {best}（step {bestStep}）',
  },
  'audit.one-interval': {
    en: '“{words}”: {gap} {gap|step|steps} is no more than one evaluation interval ({interval})',
    zh: '“{words}”：相差 {gap} 步，不超过一个验证间隔（{interval} 步）',
  },
  'audit.best-of-several': {
    en: '{first} and {second} are each the best of up to {k} noisy evaluations; the bests of two equal runs differ as well',
    zh: '{first} 与 {second} 分别是至多 {k} 次带噪验证中的最佳值；两个完全等同的 run，最佳值也会不同',
  },
  'audit.best-of-several.mean': {
    en: '{first} and {second} are each the best of {k} noisy evaluations; over the {shared} shared ones the difference is {mean} ({low} … {high})',
    zh: '{first} 与 {second} 分别是 {k} 次带噪验证中的最佳值；按 {shared} 次共同验证，差异为 {mean}（{low} … {high}）',
  },
  'audit.sampling-error': {
    en: '“{words}”: {high} against {low} is {gap} points, within what {n} samples move a score by chance (±{half} points for one score)',
    zh: '“{words}”：{high} 对 {low} 只差 {gap} 个百分点，未超出 {n} 个样本的抽样误差（单个得分 ±{half} 个百分点）',
  },
  'audit.same-untested': {
    en: '“{words}” is not tested: equality needs a margin and an interval that lies within it',
    zh: '“{words}”未经检验：要说相当，须给出等效界限，并证明置信区间落在界限之内',
  },
  'audit.same-untested.mean': {
    en: '“{words}” is not tested: {shared} shared evaluations give {mean} ({low} … {high}); equality would pass only at a margin of {margin}',
    zh: '“{words}”未经检验：{shared} 次共同验证的差异为 {mean}（{low} … {high}），等效界限放宽到 {margin} 才成立',
  },
  'audit.significance-untested': {
    en: '“{words}” is the word for a test, and this report has none',
    zh: '“{words}”是检验结论的用语，而报告中没有任何检验',
  },
  'audit.significance-untested.mean': {
    en: '“{words}” is the word for a test, and this report has none; {shared} shared evaluations give {mean} ({low} … {high})',
    zh: '“{words}”是检验结论的用语，而报告中没有任何检验；{shared} 次共同验证的差异为 {mean}（{low} … {high}）',
  },
  'audit.stability-untested': {
    en: '“{words}” is not tested: no spread is given, and no interval for it',
    zh: '“{words}”未经检验：没有给出波动幅度及其置信区间',
  },
  'audit.stability-untested.ratio': {
    en: '“{words}”: spread of {first} over {second} is {ratio} ({low} … {high}); {shared} evaluations cannot tell',
    zh: '“{words}”：{first} 与 {second} 的波动之比为 {ratio}（{low} … {high}），{shared} 次验证不足以判定',
  },
  'audit.level-as-stability.stable': {
    en: '“{words}” is concluded from how low a loss is; a level says nothing about how much training wavers',
    zh: '“{words}”是由 loss 的高低推出的；数值高低说明不了训练波动的大小',
  },
  'audit.level-as-stability.unstable': {
    en: '“{words}” is concluded from the sign of a loss; a policy loss may have either sign in sound training',
    zh: '“{words}”是由 loss 的正负推出的；正常训练中策略 loss 可正可负',
  },
  'audit.level-as-stability.conservative': {
    en: '“{words}” is concluded from how low the loss is; the loss is no measure of how far the policy moved',
    zh: '“{words}”是由 loss 的高低推出的；loss 并不反映策略移动了多远',
  },
  'audit.convergence-untested': {
    en: '“{words}”: no criterion is given, such as a change below some size over the last evaluations',
    zh: '“{words}”：没有给出判据，例如最近若干次验证的变化小于某个幅度',
  },
  'audit.convergence-untested.last': {
    en: '“{words}”: the last printed changes are no plateau: {changes}',
    zh: '“{words}”：最后一次变化并不平稳：{changes}',
  },
  'audit.prevented-untested.overfitting': {
    en: 'overfitting shows when training and validation of the same metric part; the report does not print both',
    zh: '过拟合要看同一指标在训练集与验证集上的背离，而报告没有同时给出两者',
  },
  'audit.prevented-untested.collapse': {
    en: 'no printed run collapsed, with this setting or without: the deepest fall is {share} % ({from} → {to}), so nothing was shown to be prevented',
    zh: '报告中没有任何 run 崩塌：最大跌幅为 {share}%（{from} → {to}），谈不上防止了什么',
  },
  'audit.unlike-windows': {
    en: '{first} at step {firstSteps} is set against {other} at step {otherSteps}: unlike windows',
    zh: '{first} 取 step {firstSteps}，{other} 取 step {otherSteps}：比较的区间不同',
  },
  'audit.confound': {
    en: '{count} settings changed together ({names}); none can be credited alone, as line {line} does',
    zh: '同时改动了 {count} 项配置（{names}），无法像第 {line} 行那样归因到其中一项',
  },
  'audit.confound.besides': {
    en: 'besides what the runs are named after, {count} settings differ ({names}); none can be credited alone, as line {line} does',
    zh: '除 run 名称所示的改动外，还有 {count} 项配置不同（{names}），无法像第 {line} 行那样归因到其中一项',
  },
  'audit.own-extremum': {
    en: '“{words}”: each run is timed to its own extremum, {first} at {firstStep} and {second} at {secondStep}; different levels, so this is no speed',
    zh: '“{words}”：两者各按自己的极值计时，{first}（{firstStep}）与 {second}（{secondStep}）水平不同，不能说明快慢',
  },
  'audit.kl-loss-by-construction': {
    en: 'true by construction: KL loss is coefficient × KL, and the ratio shows it ({losses}; coefficients {coefficients})',
    zh: '这是定义使然：KL loss = 系数 × KL，比值正好相符（{losses}；系数之比 {coefficients}）',
  },
  'audit.advantage-by-construction.mean': {
    en: 'true by construction: advantages are centred in each group, so their mean is zero in every run',
    zh: '这是构造使然：优势在组内做过中心化，任何 run 的均值都是 0',
  },
  'audit.advantage-by-construction.spread': {
    en: 'advantages are computed from rewards before any KL term or learning rate acts; that they agree says nothing about the setting',
    zh: '优势由奖励算出，KL 系数和学习率都不参与计算；数值相同说明不了配置的作用',
  },
  'audit.setting-as-success': {
    en: '“{words}” is a setting, not a result',
    zh: '“{words}”是一项配置，不是结果',
  },
  'audit.cause-untested': {
    en: '“{words}”: one run each shows a difference at most, not its cause',
    zh: '“{words}”：每种配置只有一个 run，至多看出差异，看不出原因',
  },
  'audit.one-seed': {
    en: '“{words}” rests on one run of each setting; how much seeds scatter is unknown',
    zh: '“{words}”只依据每种配置的一个 run，随机种子之间的波动未知',
  },
  'audit.cross-value': {
    en: '{subject} at step {step} is {here} here and {there} in {file}:{line}',
    zh: '{subject} 在 step {step} 处这里是 {here}，{file}:{line} 却是 {there}',
  },
  'audit.cross-estimate': {
    en: '{count} of {all} estimates of {subject} are refuted by {file}; at step {step} {guess} was guessed and {measured} measured (line {line})',
    zh: '{subject} 的 {all} 个估计值中有 {count} 个与 {file} 的实测值不符；step {step} 估计为 {guess}，实测为 {measured}（第 {line} 行）',
  },
  'audit.cross-estimate.sign': {
    en: 'step {step}: the difference is {expected}, not {found}: {file}:{line} measured {measured} where this report guesses',
    zh: 'step {step} 的差异是 {expected}，不是 {found}：{file}:{line} 的实测值为 {measured}，而这里用的是估计值',
  },
  'audit.cross-setting': {
    en: 'first figures for a KL coefficient of {coefficient} differ from {file}:{line} (here / there: {values}); if they are different runs, say so',
    zh: 'KL 系数 {coefficient} 的首轮数值与 {file}:{line} 不同（此处 / 彼处：{values}）；若是不同的 run，应予说明',
  },
  'audit.cross-identical': {
    en: '“{words}”, but {file}:{line} prints {firstScores} for {first} and {secondScores} for {second}',
    zh: '“{words}”，但 {file}:{line} 中 {first} 为 {firstScores}，{second} 为 {secondScores}',
  },
} as const satisfies Templates
