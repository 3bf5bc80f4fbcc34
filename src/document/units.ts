const UNITS = [
  [/^\s?%/, '%'],
  [/^\s?(?:个百分点|百分点|个点|pp\b|ppt\b|percentage points?\b|points?\b|pts?\b|分(?![钟类数布之段级析]))/i, 'points'],
  [/^\s?percent\b/i, '%'],
  [/^\s?(?:tokens?|tok)\s?\/\s?s(?:\b|ec)/i, 'token/s'],
  [/^\s?(?:tokens?|toks?)\b/i, 'token'],
  [/^\s?(?:秒|seconds?\b|secs?\b|s\b)/i, 's'],
  [/^\s?(?:分钟|minutes?\b|mins?\b)/i, 'min'],
  [/^\s?(?:小时|卡时|hours?\b|hrs?\b|h\b|h(?=\d{1,2}\s?m(?:in)?\b))/i, 'h'],
  [/^\s?(?:天|days?\b)/i, 'd'],
  [/^\s?(?:个\s?)?(?:步|(?:steps?|iters?|iterations?)\b(?!\s?\d))/i, 'step'],
  [/^\s?(?:个\s?)?(?:轮|epochs?\b(?!\s?\d))/i, 'epoch'],
  [/^\s?(?:个\s?)?(?:样本|题|samples?\b|prompts?\b|questions?\b|problems?\b|examples?\b|items?\b)/i, 'sample'],
  [/^\s?(?:倍|times\b|-?fold\b|[x×](?!\w|\s?\d|\s?(?:[a-z]{1,4}-?\d{2,}|gpus?|nvidia|rtx|tpus?)(?![a-z])))/i, 'times'],
  [/^\s?(?:个|次|条|项|种|张|GB\b|MB\b|B\b|ms\b)/, 'other'],
] as const

/** What a number counts or measures, by the words right behind it. */
export type Unit = (typeof UNITS)[number][1]

/** How far behind a number its unit is looked for. */
const LONGEST_UNIT = 24

const HOURS = /\d\s?(?:小时|h|hours?|hrs?)\s?\d{1,2}$/i

/** Signs and digits with which no unit begins. */
const NO_WORD = /^(?!-fold) ?[!-$&-?[-`{-}]/

export function unitAt(text: string, at: number): { readonly unit: Unit; readonly length: number } | null {
  if (at >= text.length) return null
  const behind = text.slice(at, at + LONGEST_UNIT)
  if (NO_WORD.test(behind)) return null
  // "2h15m", 6 小时 35 分: behind hours they are minutes.
  const minutes = /^\s?(?:分(?!钟)|m(?![a-z]))/i.exec(behind)
  if (minutes !== null && HOURS.test(text.slice(Math.max(0, at - 12), at)))
    return { unit: 'min', length: minutes[0].length }
  for (const [pattern, unit] of UNITS) {
    const found = pattern.exec(behind)
    if (found !== null) return { unit, length: found[0].length }
  }
  return null
}
