import type { Goal } from '../model/vocabulary/metric.js'
import { type Context, UserError } from './context.js'
import { printable } from './print/style.js'

/** `--goal max|min`; null where it was not given. */
export function goalFrom(context: Context, text: string | undefined): Goal | null {
  if (text === undefined) return null
  if (text === 'max' || text === 'min') return text
  throw new UserError(context.say('compare.bad-goal', { value: printable(text) }))
}
