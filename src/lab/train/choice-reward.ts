import type { SparseRow } from '../../stats/ridge.js'
import type { TrainConfig } from './config/selector-settings.js'
import { fitRewardModel, type LabelledSample, labelRandom } from './learned-reward.js'
import { reward } from './objectives/rewards.js'
import type { Policy } from './policy/policy.js'
import type { Session } from './session.js'
import { rowOf } from './tasks/embeddings.js'
import type { Choice, Query, Task } from './tasks/task.js'

/** What a choice is paid by a reward model in place of the task. */
export type ChoiceReward = (query: Query, choice: Choice) => number

/** Fitted to choices of `policy`, the one that training starts from; what the task cannot score is not labelled. */
export async function learnedChoiceReward(
  { task, queries, session, config }: LabelSource,
  policy: Policy,
): Promise<ChoiceReward> {
  const { labels, noise } = config.reward
  const random = labelRandom(config.seed)
  const samples: LabelledSample[] = []
  const size = task.queryEmbeddings.width ** 2
  const features = featuresOf(
    task,
    Int32Array.from({ length: size }, (_, i) => i),
  )
  for (let i = 0; i < labels; i += 1) {
    const query = queries[random.below(queries.length)]
    const [choice] = policy.sample(session.queryOf(query), random, 1).beams
    const [outcome] = await task.score(query, [choice])
    const worth = outcome.kind === 'missing' ? null : reward(outcome, config.reward)
    if (worth !== null) samples.push({ features: features(query, choice), worth })
  }
  const model = fitRewardModel(samples, { size, noise, random })
  return (query, choice) => model(features(query, choice))
}

interface LabelSource {
  readonly task: Task
  readonly queries: readonly Query[]
  readonly session: Session
  readonly config: TrainConfig
}

/**
 * Every product of an entry of the query and one of a candidate, as a mean over the picks, scaled to about 1: which candidates
 * go with which queries, in whatever way the embeddings tell it.
 */
function featuresOf({ queryEmbeddings, candidateEmbeddings }: Task, indices: Int32Array) {
  const { width } = queryEmbeddings
  return (query: Query, choice: Choice): SparseRow => {
    const asked = rowOf(queryEmbeddings, query.row)
    const values = new Float64Array(width ** 2)
    for (const position of choice) {
      const shown = rowOf(candidateEmbeddings, query.pool[position])
      for (let i = 0; i < width; i += 1) {
        const scaled = (width * asked[i]) / choice.length
        for (let j = 0; j < width; j += 1) values[i * width + j] += scaled * shown[j]
      }
    }
    return { indices, values }
  }
}
