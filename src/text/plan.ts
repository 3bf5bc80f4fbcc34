import type { Templates } from './language.js'

/** `klens plan`: how much more data would settle a question. */
export const planTexts = {} as const satisfies Templates
