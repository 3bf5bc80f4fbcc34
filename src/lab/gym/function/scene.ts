import { functionScript } from '../policies/scripted.js'
import { chosenTasks, rulesIn, type Scene, type SceneRequest } from '../scene.js'
import { type FunctionTask, functionGym, ownFunctions, readFunctions } from './function.js'

export async function functionScene(asked: SceneRequest): Promise<Scene<FunctionTask>> {
  const { rollout } = rulesIn(asked, {})
  const all = asked.data.length === 0 ? ownFunctions(asked.split) : await readFunctions(asked.data)
  const gym = functionGym({ maxSteps: rollout.maxTurns })
  return {
    gym,
    rollout,
    ...chosenTasks(asked, 'function', all, ({ id, formula, test }) => [id, test, formula(test)]),
    factsOf: task => ({
      request: gym.prompts(task).user,
      wanted: String(task.formula(task.test)),
      ceiling: 1,
      details: 1,
    }),
    script: functionScript,
  }
}
