/**
 * What runs are held against each other along. A step of one run may be eight times as much work as a step of another, so
 * two runs can also be compared after the same number of tokens, of sampled answers, or of seconds.
 */
export const AXES = ['steps', 'tokens', 'samples', 'time'] as const

export type Axis = (typeof AXES)[number]
