import { z } from 'zod'
import { scriptedPolicy } from '../policies/scripted.js'
import { chosenTasks, rulesIn, type Scene, type SceneRequest, yesNo } from '../scene.js'
import { embeddedSimulator } from './embedded/embedded.js'
import { endpointSimulator, KLENS_PROMPTS } from './endpoint-simulator.js'
import { intentionGym } from './intention.js'
import { ownTasks } from './own/tasks.js'
import { readTasks } from './read-tasks.js'
import { ceilingOf, KLENS_RULES } from './rules.js'
import type { IntentionTask } from './task.js'
import { userRlUser } from './userrl-chat.js'
import { promptsNamed } from './userrl-prompts.js'

const QUIRKS = {
  failedCall: z.enum(['zero', 'missing']),
  unreadableJudgement: z.enum(['nothing', 'missing']),
  repeatedIndex: z.enum(['counts', 'once']),
  searchPrefix: z.enum(['stays', 'cut']),
  historyPrefix: z.enum(['stays', 'cut']),
  limitTerminates: yesNo,
  replySeesDetails: yesNo,
} as const

export async function intentionScene(asked: SceneRequest): Promise<Scene<IntentionTask>> {
  const { rollout, quirks, questions } = rulesIn(asked, QUIRKS)
  const { language, split, data: files, ask } = asked
  const rules = { ...KLENS_RULES, maxSteps: rollout.maxTurns, quirks: { ...KLENS_RULES.quirks, ...quirks } }
  const simulator =
    ask === null ? embeddedSimulator : endpointSimulator(ask, promptsNamed(asked.prompts, files) ?? KLENS_PROMPTS)
  const chosen =
    files.length === 0
      ? chosenTasks(asked, `intention-${language}`, ownTasks(split, language))
      : chosenTasks(asked, 'intention', await readTasks(files))
  // How long a dialogue may be is up to UserRL's gym, where that counts.
  const endless = intentionGym({ simulator, rules: { ...rules, maxSteps: Infinity }, language })
  return {
    gym: intentionGym({ simulator, rules, language }),
    ...{ rollout, ...chosen },
    factsOf: ({ task: request, missing_details: details }) => ({
      request,
      wanted: details.map(({ description }) => description).join('; '),
      ceiling: ceilingOf(details, questions, rules),
      details: details.length,
    }),
    script: name => scriptedPolicy(name, { language, questions }),
    userRlUser: userRlUser(endless, new Map(chosen.tasks.map(task => [task.id, task]))),
  }
}
