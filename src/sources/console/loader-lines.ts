import type { Config } from '../../model/run.js'

/**
 * What a loader prints when a file does not fit the model that it is for: keys that the model has and the file lacks,
 * which then stay as they were drawn, and keys that the file has and nobody takes. Lever-Plus says so in Chinese, torch
 * by the result of `load_state_dict(strict=False)` or in the error of a strict one. Both are kept as settings of the run.
 */
export const MISSING_KEYS = 'weights.missing_keys'
export const UNEXPECTED_KEYS = 'weights.unexpected_keys'

const PATTERNS: readonly (readonly [setting: string, pattern: RegExp])[] = [
  [MISSING_KEYS, /(?:缺失的键|missing_keys\s*[=:]|Missing key\(s\) in state_dict:|[Mm]issing keys?\s*:)([^\n]*)/],
  [
    UNEXPECTED_KEYS,
    /(?:意外的键|unexpected_keys\s*[=:]|Unexpected key\(s\) in state_dict:|[Uu]nexpected keys?\s*:)([^\n]*)/,
  ],
]
const KEY = /[A-Za-z_]\w*(?:\.\w+)+/g
/** Of the keys that are named; a whole model may be missing. */
const MOST_KEYS = 50

/** Nothing for most lines, and for a list that is empty. */
export function loaderComplaints(line: string): Config {
  if (!/键|key/i.test(line)) return {}
  const found = PATTERNS.flatMap(([setting, pattern]) => {
    const said = pattern.exec(line)?.[1].split(/unexpected_keys|Unexpected key|意外的键/)[0]
    const keys = said?.match(KEY) ?? []
    return keys.length === 0 ? [] : [[setting, keys.slice(0, MOST_KEYS).join(' ')] as const]
  })
  return Object.fromEntries(found)
}
