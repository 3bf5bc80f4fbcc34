import { readTaskFiles } from '../read-tasks.js'
import { type IntentionTask, taskSchema } from './task.js'

/** UserRL's `all_intentions_*.json`, and the Parquet that names some of them. */
export function readTasks(paths: readonly string[]): Promise<readonly IntentionTask[]> {
  return readTaskFiles({ schema: taskSchema, namesOf: ({ id }) => [id], row: ({ id }) => ({ name: id }) }, paths)
}
