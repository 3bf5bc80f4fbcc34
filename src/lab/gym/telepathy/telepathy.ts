import { z } from 'zod'
import { type Gym, INTERACT, type InstantEpisode, type Prompts } from '../gym.js'
import type { TaskLanguage } from '../intention/own/tasks.js'
import { type GuessingForm, openGuessing, type Phrase } from '../judged/guessing.js'
import {
  type InstantJudge,
  type Judge,
  type JudgedMove,
  type JudgedPlay,
  judgedOptions,
  recordedJudge,
  recordedRules,
} from '../judged/judge.js'
import { jsonOf, type LiteralObject } from '../judged/literal.js'
import type { ReplayForm } from '../recording.js'

/** The gym of hidden things: find out by questions to be answered with yes or no what somebody thinks of. */

export const entitySchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  category: z.string().default(''),
  /** Name and description, as the judge is shown them. */
  target_entity: z.string(),
  /** Of klens's own tasks: what else counts as the name, and what is true of it. */
  names: z.array(z.string()).readonly().default([]),
  traits: z.array(z.string()).readonly().optional(),
})

export type TelepathyTask = Readonly<z.output<typeof entitySchema>>

/** The judge's answer: `judgment` and `feedback` for a guess, `response` for a question. */
function read(answer: LiteralObject, { title }: TelepathyTask, isAnswer: boolean) {
  const feedback = answer.get(isAnswer ? 'feedback' : 'response')
  const judgment = isAnswer ? answer.get('judgment') : null
  if (feedback === undefined || judgment === undefined) return null
  const isRight = judgment === 'Yes'
  return { feedback: jsonOf(feedback), score: isRight ? 1 : 0, found: isRight ? [title] : [] }
}

const SAYINGS = {
  en: { finished: 'The game is over.', unjudged: 'I cannot answer that now.' },
  zh: { finished: '游戏结束。', unjudged: '我现在无法回答。' },
} as const

const form = (language: TaskLanguage): GuessingForm<TelepathyTask> => ({
  read,
  isSolved: score => score === 1,
  sentences: ([name]: Phrase) => SAYINGS[language][name === 'finished' ? 'finished' : 'unjudged'],
})

export function telepathyGym(play: JudgedPlay<InstantJudge<TelepathyTask>>): Gym<TelepathyTask, InstantEpisode>
export function telepathyGym(play: JudgedPlay<Judge<TelepathyTask>>): Gym<TelepathyTask>
export function telepathyGym({ judge, rules, language }: JudgedPlay<Judge<TelepathyTask>>): Gym<TelepathyTask> {
  return {
    name: 'telepathy',
    tool: INTERACT,
    prompts: ({ category }) => PROMPTS[language](category.replaceAll('_', ' ')),
    open: task => openGuessing(form(language), task, judge, rules),
  }
}

const PROMPTS = {
  en: (category: string): Prompts => ({
    system:
      'Somebody thinks of one thing. Find out which: call the tool interact_with_env with choice "action" and a question that can ' +
      'be answered with yes or no, and with choice "answer" and its name once you know. A wrong guess costs a turn, and the ' +
      'number of turns is limited.',
    user: `I am thinking of something. Its kind: ${category || 'anything'}. What is it?`,
  }),
  zh: (category: string): Prompts => ({
    system:
      '对方心里想着一样东西，请猜出是什么。调用工具 interact_with_env：choice 为 "action"，content 为一个可以用是或否回答的问题；' +
      '知道答案后，choice 为 "answer"，content 为它的名称。猜错会浪费一轮，轮数有限。',
    user: `我在想一样东西，类别：${category || '不限'}。它是什么？`,
  }),
} as const

/** For a model that judges; in words of klens's own. */
export function telepathyPrompts({ task, isAnswer, content }: JudgedMove<TelepathyTask>): Prompts {
  const system = isAnswer
    ? 'Somebody guesses what you are thinking of. Judge whether the guess names exactly this thing, by whatever name; a wider or a ' +
      'narrower thing is wrong. Do not give it away. Answer with JSON only: {"thought": "…", "judgment": "Yes" or "No", "feedback": "one sentence"}'
    : 'You are thinking of a thing and are asked a question about it. Answer truthfully; "Maybe" only where neither is true. ' +
      'Answer with JSON only: {"thought": "…", "response": "Yes", "No" or "Maybe"}'
  return { system, user: `The thing: ${task.target_entity}\n\n${isAnswer ? 'Guess' : 'Question'}: ${content}` }
}

const episodeSchema = z.looseObject({ task: entitySchema, options: judgedOptions })

export const telepathyReplay: ReplayForm = {
  members: ['score', 'best', 'total'],
  open(episode, calls) {
    const { task, options } = episodeSchema.parse(episode)
    return openGuessing(form('en'), task, recordedJudge(calls), recordedRules(options))
  },
}
