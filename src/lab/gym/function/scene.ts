import { functionScript } from '../policies/scripted.js'
import { readTaskFiles } from '../read-tasks.js'
import { chosenTasks, rulesIn, type Scene, type SceneRequest } from '../scene.js'
import { type FunctionTask, functionGym, functionTaskSchema, pythonText } from './function.js'
import { ownFunctions } from './own.js'

/** UserRL's `functions.json`, and the Parquet that names some of them. */
const FORM = {
  schema: functionTaskSchema,
  namesOf: ({ id }: FunctionTask) => [id],
  row: ({ id }: { readonly [name: string]: unknown }) => ({ name: id }),
}

export async function functionScene(asked: SceneRequest): Promise<Scene<FunctionTask>> {
  const { rollout } = rulesIn(asked, {})
  const all = asked.data.length === 0 ? ownFunctions(asked.split) : await readTaskFiles(FORM, asked.data)
  const gym = functionGym({ maxSteps: rollout.maxTurns })
  return {
    gym,
    rollout,
    ...chosenTasks(asked, 'function', all, ({ id, test, expected }) => [id, test, expected]),
    factsOf: task => ({
      request: gym.prompts(task).user,
      wanted: pythonText(task.expected),
      ceiling: 1,
      details: 1,
    }),
    script: functionScript,
  }
}
