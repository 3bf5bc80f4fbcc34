import type { Ask, EndpointMessage } from '../../endpoint/endpoint.js'
import { feedbackText } from '../gym.js'
import { readJudgement, readReply } from './answers.js'
import type { Exchange, Simulator, Situation } from './simulator.js'

/**
 * A model plays the user: one call replies, one judges, in words of our own and with answers in the JSON that UserRL's gym
 * reads. What the endpoint does not answer is missing, and stays so.
 */
export function endpointSimulator(ask: Ask): Simulator {
  return {
    async reply(situation) {
      const answer = await ask(replyMessages(situation))
      return answer.kind === 'answer' ? readReply(answer.text) : answer
    },
    async judge(situation) {
      const answer = await ask(judgeMessages(situation))
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
      content: `Your request: ${known}\nCategory: ${task.category}\n\nSo far:\n${shown(history)}\n\nQuestion: ${question}`,
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
        `Request: ${task.task}\nCategory: ${task.category}`,
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
