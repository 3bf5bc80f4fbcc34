import type { TrainConfig } from './config/schema.js'
import { digitsTask } from './tasks/digits/digits.js'
import type { Task } from './tasks/task.js'

/** The task that a config names; null for one that needs data which the config cannot give yet. */
export function openTask({ task, data }: TrainConfig): Task | null {
  return task === 'digits' ? digitsTask({ poolSize: data.candidates, width: data.width }) : null
}
