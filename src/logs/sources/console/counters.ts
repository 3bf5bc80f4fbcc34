/** What scripts count with, and what they call it; what counts furthest first. */

export const COUNTER_KEYS = [
  'global_step',
  'timesteps',
  'step',
  'update',
  'iteration',
  'batch',
  'episode',
  'epoch',
] as const

export type CounterKey = (typeof COUNTER_KEYS)[number]

/** Counters of optimiser steps: two of them on lines of their own are one, as nanoGPT's `iter 100` and `step 100`. */
export const STEP_LIKE: readonly CounterKey[] = ['global_step', 'step', 'update', 'iteration']

const NAMES: { readonly [key in CounterKey]: string } = {
  global_step: 'globalstep globalsteps totalsteps',
  timesteps:
    'totaltimesteps numtimesteps timesteps timestep totalenvinteracts totalenvsteps envsteps totalnumsteps totalframes frames frame',
  step: 'step steps trainstep trainingstep paso passo schritt шаг 步数',
  update: 'update updates numupdates nupdates',
  iteration:
    'iter iters iteration iterations itr it learningiteration trainingiteration iteracion iteracao итерация 迭代',
  batch: 'batch',
  episode: 'episode episodes ep game generation gen round episodio эпизод 回合',
  epoch: 'epoch epochs epoca epoche epoque эпоха エポック 轮次',
}

const KEYS = new Map(
  COUNTER_KEYS.flatMap(key => NAMES[key].split(' ').map((name): [string, CounterKey] => [name, key])),
)

const MAY_PRECEDE =
  /^(?:start(?:ing|ed)?|begin(?:ning)?|end|finish(?:ed)?|done|completed?|current|at|in|on|after|for|of|the|train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|eval(?:uation)?|learning|ppo|grpo)$/

/** The counter that a name is; words before it may only say that it begins, ends, or of which part it is. */
export function counterKey(name: string): CounterKey | null {
  const plain = name.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
  const whole = KEYS.get(plain.replaceAll(/[^\p{L}]/gu, ''))
  if (whole !== undefined) return whole
  const [last = '', ...before] = plain.split(/[\s_]+/).reverse()
  return before.length > 0 && before.every(word => MAY_PRECEDE.test(word)) ? (KEYS.get(last) ?? null) : null
}
