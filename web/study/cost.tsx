import { count, figure } from '../../src/text/numbers.js'
import { type Say, useSay } from '../words.js'

/** What a study has taken so far, beside what it may take. */

interface Cost {
  readonly trials: number | null
  readonly hours: number | null
}

export function CostText({ cost, budget }: { readonly cost: Cost; readonly budget?: Cost }) {
  const say = useSay()
  const spent = costText(say, cost)
  const limit = budget === undefined ? '' : costText(say, budget)
  return <>{limit === '' ? spent : say('web.study.of-budget', { spent, budget: limit })}</>
}

function costText(say: Say, { trials, hours }: Cost): string {
  const time =
    hours === null
      ? null
      : hours < 1
        ? say('web.study.minutes', { value: figure(60 * hours, 2) })
        : say('web.study.hours', { value: figure(hours) })
  if (trials === null) return time ?? ''
  return time === null ? count(trials) : say('web.study.cost', { trials: count(trials), hours: time })
}
