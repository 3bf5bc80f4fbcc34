import type { Templates } from './language.js'

/** `klens sweep`: does a knob matter, and which cells of the matrix are missing or copied? */
export const sweepTexts = {} as const satisfies Templates
