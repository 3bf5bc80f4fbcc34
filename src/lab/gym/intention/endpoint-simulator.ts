import type { Ask, EndpointMessage } from '../../endpoint/endpoint.js'
import { feedbackText } from '../gym.js'
import { readJudgement, readReply } from './answers.js'
import type { Exchange, Simulator, Situation } from './simulator.js'

/** What a model is told that plays the user; answers are in the JSON that UserRL's gym reads. */
export interface SimulatorPrompts {
  readonly name: string
  reply(situation: Situation): readonly EndpointMessage[]
  judge(situation: Situation): readonly EndpointMessage[]
}

/** In words of our own. */
export const KLENS_PROMPTS: SimulatorPrompts = { name: 'klens', reply: replyMessages, judge: judgeMessages }

/** A model plays the user: one call replies, one judges. What the endpoint does not answer is missing, and stays so. */
export function endpointSimulator(ask: Ask, prompts: SimulatorPrompts = KLENS_PROMPTS): Simulator {
  return {
    async reply(situation) {
      const answer = await ask(prompts.reply(situation))
      return answer.kind === 'answer' ? readReply(answer.text) : answer
    },
    async judge(situation) {
      const answer = await ask(prompts.judge(situation), text => readJudgement(text).kind !== 'unreadable')
      return answer.kind === 'answer' ? readJudgement(answer.text) : answer
    },
  }
}

function replyMessages({ task, question, history, replySeesDetails }: Situation): readonly EndpointMessage[] {
  const known = replySeesDetails ? JSON.stringify(task) : task.task
  return [
    {
      role: 'system',
      content:
        'You play a person who has asked for something and left things open. Answer the question briefly, in the language of ' +
        'the request, as that person would; never say which things are still open, and solve nothing yourself. ' +
        'Answer with JSON only: {"thought": "…", "response": "…"}',
    },
    {
      role: 'user',
      content: [
        `Task: ${task.id}\nYour request: ${known}\nCategory: ${task.category}`,
        `So far:\n${shown(history)}`,
        `Question: ${question}`,
      ].join('\n\n'),
    },
  ]
}

const LABELS = { 1: 'LOW', 2: 'MEDIUM', 3: 'HIGH' } as const

function judgeMessages({ task, question, history, remaining }: Situation): readonly EndpointMessage[] {
  const open = remaining.map(
    ({ importance, description, inquiry }, i) =>
      `${i}. [${LABELS[importance]}] ${description} (for example: ${inquiry})`,
  )
  return [
    {
      role: 'system',
      content:
        'You judge which open details of a request a question asks for. A detail is covered when an answer to the question would ' +
        'settle it. Answer with JSON only: {"analysis": "…", "is_task_related": true, "covered_detail_indices": [numbers]}',
    },
    {
      role: 'user',
      content: [
        `Task: ${task.id}\nRequest: ${task.task}\nCategory: ${task.category}`,
        `Open details:\n${open.join('\n')}`,
        `So far:\n${shown(history)}`,
        `Question: ${question}`,
      ].join('\n\n'),
    },
  ]
}

function shown(history: readonly Exchange[]): string {
  if (history.length === 0) return '(nothing)'
  return history.map(({ question, feedback }) => `Q: ${question}\nA: ${feedbackText(feedback)}`).join('\n')
}
