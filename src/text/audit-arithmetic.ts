import type { Templates } from './language.js'

/** What the audit says about wrong arithmetic. */
export const auditArithmeticTexts = {
  'audit.difference-column': {
    en: '{end} − {start} is {expected}, not {found}',
    zh: '{end} − {start} 等于 {expected}，不是 {found}',
  },
  'audit.change-percent': {
    en: '{start} → {end} is {expected} %, not {found} %',
    zh: '{start} → {end} 是 {expected}%，不是 {found}%',
  },
  'audit.steps-apart': {
    en: 'steps {first} and {second} are {expected} {expected|step|steps} apart, not {found}',
    zh: 'step {first} 与 step {second} 相差 {expected} 步，不是 {found} 步',
  },
  'audit.wrong-multiple': {
    en: '{first} and {second} are {expected} times apart, not {found}',
    zh: '{first} 与 {second} 相差 {expected} 倍，不是 {found} 倍',
  },
  'audit.percent-base.above': {
    en: '{found} % is relative to {side} itself; {side} is above {base} by {expected} %',
    zh: '{found}% 是相对 {side} 自身算的；{side} 比 {base} 高，应为 {expected}%',
  },
  'audit.percent-base.below': {
    en: '{found} % is relative to {side} itself; {side} is below {base} by {expected} %',
    zh: '{found}% 是相对 {side} 自身算的；{side} 比 {base} 低，应为 {expected}%',
  },
  'audit.wrong-mean': {
    en: 'the mean of {parts} is {expected}, not {found}',
    zh: '{parts} 的平均值是 {expected}，不是 {found}',
  },
  'audit.wrong-total': {
    en: '{parts} add up to {expected}, not {found}',
    zh: '{parts} 合计 {expected}，不是 {found}',
  },
  'audit.mixed-rounding': {
    en: '{found} is rounded more coarsely than the other means ({usual} digits behind the point): the row averages {mean}, so the difference printed as {gap} is {expected}',
    zh: '{found} 的舍入比其他平均值更粗（其余保留 {usual} 位小数）：该行平均为 {mean}，因此印作 {gap} 的差值应为 {expected}',
  },
  'audit.percent-for-points': {
    en: '{start} % → {end} % is {found} percentage points; in per cent it is {relative} %',
    zh: '{start}% → {end}% 相差 {found} 个百分点；按相对变化算是 {relative}%',
  },
  'audit.range-difference': {
    en: '{first} → {second} is {expected}, not {found}',
    zh: '{first} → {second} 相差 {expected}，不是 {found}',
  },
  'audit.not-sorted': {
    en: 'not sorted by {column}: {found} follows {before} ({count} {count|place|places} out of order)',
    zh: '并未按 {column} 排序：{found} 排在 {before} 之后（共 {count} 处乱序）',
  },
  'audit.spread-exceeded': {
    en: '{column} ranges from {lowest} to {highest}: {expected} % apart, not within {found} %',
    zh: '{column} 从 {lowest} 到 {highest}，相差 {expected}%，超出 {found}%',
  },
  'audit.spread-differs': {
    en: '{column} ranges from {lowest} to {highest}: {expected} % apart, not {found} %',
    zh: '{column} 从 {lowest} 到 {highest}，相差 {expected}%，不是 {found}%',
  },
  'audit.wrong-equation': {
    en: '{left} is {expected}, not {found}',
    zh: '{left} 等于 {expected}，不是 {found}',
  },
  'audit.wrong-duration': {
    en: '{steps} steps of {seconds} s take {expected} h, not {found} h',
    zh: '{steps} 步、每步 {seconds} 秒共需 {expected} 小时，不是 {found} 小时',
  },
  'audit.count-top': {
    en: 'the table under "top {found}" has {rows} rows',
    zh: '标为前 {found} 名的表格只有 {rows} 行',
  },
  'audit.count-all': {
    en: 'the text speaks of all {found}; the table has {rows} rows',
    zh: '正文称全部 {found} 个，表格只有 {rows} 行',
  },
  'audit.count-part': {
    en: '"{found} of {whole}": {name} is higher in {higher} rows and lower in {lower}',
    zh: '“{whole} 个中有 {found} 个”：{name} 有 {higher} 行更高，{lower} 行更低',
  },
  'audit.late-percent': {
    en: 'no stretch of last evaluations shows {found} %: over the last 1 to {windows} it is {expected} %',
    zh: '末尾任何一段验证都得不到 {found}%：最后 1 到 {windows} 次依次为 {expected}（%）',
  },
} as const satisfies Templates
