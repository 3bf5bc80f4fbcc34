import { actionOf } from '../gym/gym.js'
import { embeddedSimulator } from '../gym/intention/embedded/embedded.js'
import { intentionGym } from '../gym/intention/intention.js'
import { ownTasks, type TaskLanguage } from '../gym/intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../gym/intention/rules.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'

/** A dialogue that a person has with the embedded user, one question at a time. */
export interface Play {
  readonly category: string
  readonly request: string
  /** What is to be had at most. */
  readonly ceiling: number
  ask(question: string): PlayStep
}

export interface PlayStep {
  readonly feedback: string
  readonly reward: number
  readonly total: number
  readonly isOver: boolean
}

export function openPlay(language: TaskLanguage, id: string | undefined): Play {
  const tasks = ownTasks('train', language)
  const task = id === undefined ? tasks[Math.floor(Math.random() * tasks.length)] : tasks.find(each => each.id === id)
  if (task === undefined) throw new Problem('not-found', message('gym.play.no-task', { id: id ?? '' }))
  const episode = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language }).open(task)
  return {
    category: task.category,
    request: task.task,
    ceiling: ceilingOf(task.missing_details, KLENS_RULES.maxSteps, KLENS_RULES),
    ask(question) {
      const { feedback, reward, end } = episode.step(actionOf(question === '' ? 'finish' : 'action', question))
      return { feedback: String(feedback), reward: reward ?? 0, total: episode.progress().total, isOver: end !== null }
    },
  }
}
