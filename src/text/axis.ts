import type { Message } from '../model/run.js'
import type { ComparisonAxis } from '../model/verdict.js'
import { figure } from './numbers.js'
import { sentences } from './sentences.js'

/** Places and stretches of an axis in words: "step 120", "1.2e6 tokens". */

const say = sentences({
  'axis.at.steps': { en: 'step {at}', zh: 'step {at}' },
  'axis.at.tokens': { en: '{at} tokens', zh: '{at} 个 token' },
  'axis.at.samples': { en: '{at} samples', zh: '{at} 条采样' },
  'axis.at.time': { en: '{at} s', zh: '{at} 秒' },
  'axis.long.steps': { en: '{length} steps', zh: '{length} 步' },
})

export function placeOn(axis: ComparisonAxis, at: number): Message {
  const text = !Number.isFinite(at) ? '–' : axis === 'steps' ? String(Number(at.toPrecision(6))) : figure(at, 4)
  return say(`axis.at.${axis}`, { at: text })
}

export function lengthOn(axis: ComparisonAxis, length: number): Message {
  return axis === 'steps' ? say('axis.long.steps', { length: figure(length, 4) }) : placeOn(axis, length)
}
