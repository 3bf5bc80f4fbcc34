import { figure } from '../../text/numbers.js'
import { type Message, sentences } from '../../text/sentences.js'

/**
 * What runs are compared with each other along. A step of one run may be eight times as much work as a step of another, so
 * two runs can also be compared after the same number of tokens, of sampled answers, or of seconds.
 */
export const AXES = ['steps', 'tokens', 'samples', 'time'] as const

export type Axis = (typeof AXES)[number]

/** Places and stretches of an axis in words: "step 120", "1.2e6 tokens". */

const say = sentences({
  'axis.at.steps': { en: 'step {at}', zh: 'step {at}' },
  'axis.at.tokens': { en: '{at} token{at||s}', zh: '{at} 个 token' },
  'axis.at.samples': { en: '{at} sample{at||s}', zh: '{at} 条采样' },
  'axis.at.time': { en: '{at} s', zh: '{at} 秒' },
  'axis.long.steps': { en: '{length} step{length||s}', zh: '{length} 步' },
})

export function placeOn(axis: Axis, at: number): Message {
  const text = !Number.isFinite(at) ? '–' : axis === 'steps' ? String(Number(at.toPrecision(6))) : figure(at, 4)
  return say(`axis.at.${axis}`, { at: text })
}

export function lengthOn(axis: Axis, length: number): Message {
  return axis === 'steps' ? say('axis.long.steps', { length: figure(length, 4) }) : placeOn(axis, length)
}
