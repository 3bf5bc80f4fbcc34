import type { Message } from '../../model/run.js'
import type { Verdict } from '../../model/verdict.js'
import { figure } from '../../text/numbers.js'
import { message } from '../../text/say.js'
import type { Sweep } from './sweep.js'
import type { Setting } from './sweep-cells.js'
import { valuesText } from './sweep-problems.js'

/** A sweep in sentences: whether the knob matters, and what would settle it. */

/** In one sentence. `key` is what a reader calls the knob. */
export function sweepConclusion({ matters, verdicts, baseline, settings }: Sweep, key: string): Message {
  if (matters === false) {
    const margin = figure(verdicts.find(verdict => verdict.margin !== null)?.margin ?? Number.NaN, 4)
    return message('sweep.said.same', { key, baseline: valuesText(baseline.values), margin })
  }
  if (matters === null) {
    const suspects = verdicts.filter(({ tags }) => tags.includes('suspect'))
    const count = suspects.length > 0 ? suspectCount(suspects, settings) : 0
    return count > 0 ? message('sweep.said.suspect', { key, count }) : message('sweep.said.open', { key })
  }
  const main = verdicts.find(({ question, answer }) => question === 'trend' && answer !== 'undetermined')
  if (main !== undefined) {
    const [low, high] = [main.baseline, main.other].map(label => label.slice(label.lastIndexOf('=') + 1))
    const direction = message((main.estimate ?? 0) > 0 ? 'sweep.said.rises' : 'sweep.said.falls', {})
    return message('sweep.said.trend', { key, low, high, direction, answer: message(`answer.${main.answer}`, {}) })
  }
  const differing = verdicts.filter(
    ({ scope, answer }) => scope === 'configs' && !['undetermined', 'same'].includes(answer),
  )
  return message('sweep.said.some', {
    baseline: valuesText(baseline.values),
    settings: differing.map(({ other, answer }) =>
      message('sweep.said.one', { setting: other, answer: message(`answer.${answer}`, {}) }),
    ),
  })
}

function suspectCount(suspects: readonly Verdict[], settings: readonly Setting[]): number {
  const counts = suspects.flatMap(({ reasons }) => reasons.map(({ params }) => Number(params.count)))
  return counts.find(Number.isFinite) ?? settings.length
}

const FEWEST_RUNS = 3

/** The cheapest first. */
export function sweepSettling({ resolution, missing, verdicts, settings }: Sweep): readonly Message[] {
  const confirm = resolution?.toConfirm ?? null
  const seeds = Math.max(0, ...verdicts.map(verdict => verdict.toSettle.seeds ?? 0))
  const few = settings.some(({ runs }) => runs.length < FEWEST_RUNS)
  const hasPromptScores = settings.every(({ runs }) => runs.every(({ promptScores }) => promptScores.size > 0))
  const gap = Math.max(0, ...verdicts.map(({ estimate, margin }) => margin ?? Math.abs(estimate ?? 0)))
  return [
    ...(missing.some(({ kind }) => kind === 'evaluation') ? [message('sweep.settle.missing', {})] : []),
    ...(confirm === null || !few
      ? []
      : [
          ...(hasPromptScores ? [] : [message('sweep.settle.per-sample', {})]),
          message('sweep.settle.prompts', {
            gap: figure(100 * confirm.gap),
            paired: rounded(confirm.paired),
            twice: rounded(confirm.pairedTwice),
            unpaired: rounded(confirm.unpaired),
          }),
        ]),
    ...(few ? [message('sweep.settle.replicates', { seeds: FEWEST_RUNS })] : []),
    ...(!few && seeds > 0 && gap > 0
      ? [message('sweep.settle.seeds', { seeds, difference: figure(Number(gap.toPrecision(2))) })]
      : []),
  ]
}

/** A sample size to two digits, three above a hundred thousand: more would feign precision. */
function rounded(count: number): number {
  return Number(count.toPrecision(count >= 100_000 ? 3 : 2))
}
