import { once } from './memo.js'

/** A collator takes several milliseconds to make, and many questions sort nothing. */
const collator = once(() => new Intl.Collator('en', { numeric: true }))

/** As people sort names: kl-2 before kl-10. */
export function compareNames(a: string, b: string): number {
  return collator().compare(a, b)
}
