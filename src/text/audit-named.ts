import type { Templates } from './language.js'

/** What the audit says where a sentence names rows and columns of a table that say otherwise. */
export const auditNamedTexts = {
  'audit.named-extremum-high': {
    en: '{column} of {name} is {found}; {other} has more: {expected}',
    zh: '{name} 的“{column}”为 {found}；{other} 更高：{expected}',
  },
  'audit.named-extremum-low': {
    en: '{column} of {name} is {found}; {other} has less: {expected}',
    zh: '{name} 的“{column}”为 {found}；{other} 更低：{expected}',
  },
  'audit.best-everywhere': {
    en: 'not in {column}: {other} has {expected}, {name} {found}',
    zh: '“{column}”除外：{other} 为 {expected}，{name} 为 {found}',
  },
  'audit.named-difference': {
    en: '{column} is {first} for {name} and {second} for {other}: {expected} apart, not {found}',
    zh: '“{column}”：{name} 为 {first}，{other} 为 {second}，相差 {expected}，不是 {found}',
  },
  'audit.named-difference.any': {
    en: 'no column puts {name} and {other} {found} apart: {expected}',
    zh: '没有一列的差值是 {found}（{name} 与 {other}）：{expected}',
  },
  'audit.named-comparison': {
    en: '“{words}”, but {column} is {first} for {name} and {second} for {other}',
    zh: '“{words}”与表格不符：“{column}”中 {name} 为 {first}，{other} 为 {second}',
  },
  'audit.named-pending': {
    en: '“{words}”, but {column} of {name} is still open in the table (line {line})',
    zh: '“{words}”，但表中 {name} 的“{column}”尚未填写（第 {line} 行）',
  },
  'audit.named-order': {
    en: '{left} ({first}) is not {sign} {right} ({second}) in {column}',
    zh: '“{column}”中 {left}（{first}）并不{sign} {right}（{second}）',
  },
  'audit.all-improved': {
    en: '“{words}”, but {column} of {name} is {found}, {baseline} has {expected}',
    zh: '“{words}”与表格不符：{name} 的“{column}”为 {found}，{baseline} 为 {expected}',
  },
  'audit.bound-exceeded': {
    en: 'not all of {column} {bound} {found}: {rows}',
    zh: '“{column}”并非全部{bound} {found}：{rows}',
  },
  'audit.not-monotone': {
    en: '“{words}”, but {column} goes from {first} to {second} ({start} → {end})',
    zh: '“{words}”与数据不符：“{column}”在 {start} → {end} 从 {first} 变为 {second}',
  },
  'audit.product-column': {
    en: '{left} × {right} is {expected}, not {found}: the other rows multiply {first} by {second}',
    zh: '{left} × {right} 等于 {expected}，不是 {found}：其余各行都是“{first}”乘以“{second}”',
  },
  'audit.named-value': {
    en: '{found} for {name}, but its row has {expected} ({column}, line {line})',
    zh: '{name} 处写作 {found}，表中为 {expected}（{column}，第 {line} 行）',
  },
  'audit.count-listed': {
    en: '{found} are announced, {rows} are listed',
    zh: '说是 {found} 项，实际列出 {rows} 项',
  },
  'audit.count-table': {
    en: '{found} in the text, {rows} rows in the table',
    zh: '正文写 {found} 个，表格有 {rows} 行',
  },
  'audit.count-product': {
    en: '{first} × {second} is {expected}, not {found}',
    zh: '{first} × {second} 等于 {expected}，不是 {found}',
  },
  'audit.chance-named': {
    en: '“{words}”: {name} {first}, {other} {second}; with {n} samples each the 95 % interval of the difference is {low} … {high} points',
    zh: '“{words}”：{name} 为 {first}，{other} 为 {second}；各 {n} 个样本时，差值的 95% 置信区间为 {low} … {high} 个百分点',
  },
  'audit.best-against-one': {
    en: '“{words}” against a single evaluation: the best of {k} noisy values is higher by itself',
    zh: '“{words}”对单次评测：从 {k} 个带噪声的值里取最大，本身就会偏高',
  },
  'audit.timeline-span': {
    en: '{steps} steps of {seconds} s take {hours} h; from {start} to {end} are {span} h',
    zh: '{steps} 步、每步 {seconds} 秒需 {hours} 小时；{start} 到 {end} 只有 {span} 小时',
  },
  'audit.confound-rows': {
    en: '{first} and {second} differ in {count} settings at once ({names}), and one is credited',
    zh: '{first} 与 {second} 同时有 {count} 项配置不同（{names}），却归因于其中一项',
  },
  'audit.record-overtaken': {
    en: '{found} is called the best so far; the table has {expected} for {name} ({column}, line {line})',
    zh: '称 {found} 为目前最佳，表中 {name} 已有 {expected}（{column}，第 {line} 行）',
  },
} as const satisfies Templates
