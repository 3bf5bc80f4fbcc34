import type { RunEvent } from '../../model/events.js'
import { mean } from '../../stats/descriptive.js'
import { figure } from '../../text/numbers.js'
import { headText } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Source } from '../source.js'
import { warning } from '../source-helpers.js'
import { belongingOf, CACHE, placeOf, RESULTS, readJson, readRewardCache, resultsSchema } from './eval-files.js'
import { say } from './texts.js'

/**
 * `NAME_results.json`: {environment: {k: {micro_avg, micro_max}}}. With the reward cache beside it the dialogues speak, and
 * averages that do not follow from them are named and left out; without it the averages are all there is.
 */
export const userrlResults: Source = {
  id: 'userrl',
  role: 'log',
  grows: false,
  keep: 'all',
  beginsAlike: true,

  recognise(file) {
    if (file.size > file.head.length || !file.path.toLowerCase().endsWith(RESULTS)) return false
    const parsed = resultsSchema.safeParse(parsePythonJson(headText(file) ?? ''))
    return parsed.success && Object.values(parsed.data).some(passes => Object.keys(passes).length > 0)
  },

  describe: async file => [belongingOf(file, 'averages')],

  async *read(file) {
    const results = resultsSchema.safeParse(await readJson(file.path))
    if (!results.success) {
      yield [warning(say('userrl.unreadable', {}))]
      return
    }
    const dialogues = await scoresInCache(file.path)
    const { step } = placeOf(file.path)
    const events: RunEvent[] = []
    for (const [dataset, passes] of Object.entries(results.data)) {
      for (const [count, { micro_avg: average, micro_max: best }] of Object.entries(passes)) {
        const counted = dialogues?.get(dataset)
        if (counted !== undefined) events.push(...disagreement(dataset, Number(count), average, counted))
        else
          events.push(averaged(dataset, step, `mean@${count}`, average), averaged(dataset, step, `best@${count}`, best))
      }
    }
    yield [...events, { type: 'status', status: 'finished' }]
  },
}

function averaged(dataset: string, step: number, aggregate: string, value: number): RunEvent {
  const condition = { dataset, aggregate }
  return {
    type: 'evaluation',
    evaluation: { metric: 'eval.score', step, condition, value, n: null, quality: 'measured' },
  }
}

/** Of each environment the sums of rewards, by task and rollout; null without a cache. */
async function scoresInCache(path: string): Promise<ReadonlyMap<string, readonly (readonly number[])[]> | null> {
  const environments = await readRewardCache(path.slice(0, -RESULTS.length) + CACHE)
  if (environments === null) return null
  const sum = (rewards: readonly number[]): number => rewards.reduce((total, reward) => total + reward, 0)
  return new Map(environments.map(({ name, tasks }) => [name, tasks.map(({ reward }) => reward.map(sum))]))
}

/** Sums of a few rewards in another order. */
const ROUNDING = 1e-9

function disagreement(
  environment: string,
  count: number,
  average: number,
  scores: readonly (readonly number[])[],
): RunEvent[] {
  const counted = mean(scores.map(ofTask => mean(ofTask.slice(0, count))))
  if (Math.abs(counted - average) <= ROUNDING) return []
  const params = { environment, count, average: figure(average, 4), counted: figure(counted, 4) }
  return [warning(say('userrl.disagrees', params))]
}
