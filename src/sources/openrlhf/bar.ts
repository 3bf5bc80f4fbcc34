/**
 * One state of a progress bar as tqdm prints it:
 * `Train epoch [1/2]:  33%|███▎      | 1/3 [00:01<00:02,  1.1s/it, act_loss=-0.00667, kl=0.00123, act_lr=5e-7]`.
 * tqdm rounds a postfix to three significant digits.
 */
export interface Bar {
  readonly kind: 'train' | 'episode'
  /** `[2/3]` behind the words: which epoch, or which episode, of how many. */
  readonly nth: number
  readonly of: number
  readonly done: number
  readonly total: number
  /** The metrics as text; '' before the first are set. */
  readonly postfix: string
}

const BAR =
  /^(Train epoch|Episode) \[(\d{1,9})\/(\d{1,9})\]:\s+\d{1,3}%\|[^|]{0,400}\|\s*(\d{1,12})\/(\d{1,12}) \[[^,\]]{0,60},[^,\]]{0,40}(?:, ([^\]]*))?\]/

export function readBar(text: string): Bar | null {
  const match = BAR.exec(text)
  if (match === null) return null
  const [, words, nth, of, done, total, postfix = ''] = match
  const kind = words === 'Episode' ? 'episode' : 'train'
  return { kind, nth: Number(nth), of: Number(of), done: Number(done), total: Number(total), postfix }
}

export interface PostfixValue {
  readonly metric: string
  readonly value: number
  /** Decimals as printed; null for `5e-7`. */
  readonly decimals: number | null
}

const ITEM = /([A-Za-z_][\w/.-]{0,199})=\s*(-?(?:\d+(?:\.(\d*))?(?:e[-+]?\d+)?|nan|inf))(?:, |\s*$)/iy

/** What is no number, such as a text, ends the list: behind it nothing can be told apart. */
export function readPostfix(postfix: string): PostfixValue[] {
  const values: PostfixValue[] = []
  ITEM.lastIndex = 0
  for (let match = ITEM.exec(postfix); match !== null; match = ITEM.exec(postfix)) {
    const [, metric, text, digits] = match
    values.push({ metric, value: numberOf(text), decimals: /[ein]/i.test(text) ? null : (digits?.length ?? 0) })
  }
  return values
}

function numberOf(text: string): number {
  const word = text.replace('-', '').toLowerCase()
  if (word === 'nan') return Number.NaN
  if (word === 'inf') return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(text)
}
