import { type TrainConfig, trainSchema } from '../../src/lab/train/config/selector-settings.js'
import { digitsTask } from '../../src/lab/train/tasks/digits/digits.js'
import type { Task } from '../../src/lab/train/tasks/task.js'

/** Digits with fewer queries to train on, so that an epoch takes a fraction of a second. */
export function smallDigits(queries = 80, validation = 40): Task {
  const task = digitsTask({ poolSize: 24, width: 24 })
  let train = 0
  let val = 0
  return {
    ...task,
    queries: task.queries.map(query => {
      if (query.split === 'train') train += 1
      if (query.split === 'val') val += 1
      const kept = query.split === 'train' ? train <= queries : query.split === 'val' ? val <= validation : true
      return kept ? query : { ...query, split: 'test' as const }
    }),
  }
}

export function smallConfig(settings: object): TrainConfig {
  return trainSchema().parse({ policy: { hidden: 32 }, data: { candidates: 24, width: 24 }, ...settings })
}
