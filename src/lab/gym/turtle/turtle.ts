import { z } from 'zod'
import { type Gym, INTERACT, type InstantEpisode, type Prompts } from '../gym.js'
import { strip } from '../intention/answers.js'
import type { TaskLanguage } from '../intention/own/tasks.js'
import { type GuessingForm, type GuessReading, openGuessing, type Phrase } from '../judged/guessing.js'
import {
  type InstantJudge,
  type Judge,
  type JudgedMove,
  type JudgedPlay,
  judgedOptions,
  recordedJudge,
  recordedRules,
} from '../judged/judge.js'
import { COMPLEX, jsonOf, type Literal, type LiteralObject } from '../judged/literal.js'
import type { ReplayForm } from '../recording.js'

/** The gym of odd stories ("turtle soup"): find out by questions what really happened, and tell it. */

const criterionSchema = z.looseObject({ statement: z.string(), score: z.number() })

export const storySchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  /** What the policy is told. */
  description: z.string(),
  /** What really happened. */
  ground_truth: z.string(),
  /** What a told story must have, each with what it is worth. */
  evaluation_criteria: z.array(criterionSchema).readonly(),
  /** Of klens's own tasks: what is and what is not the case. */
  facts: z.object({ yes: z.array(z.string()).readonly(), no: z.array(z.string()).readonly() }).optional(),
})

export type TurtleTask = Readonly<z.output<typeof storySchema>>

function read(answer: LiteralObject, task: TurtleTask, isAnswer: boolean): GuessReading | 'raises' | null {
  if (isAnswer) return readScores(answer.get('scores'), task)
  const response = answer.get('response')
  return response === undefined ? null : { feedback: jsonOf(response), score: 0, found: [] }
}

/** As many scores as criteria, in their order; each counts times what its criterion is worth. */
function readScores(given: Literal | undefined, { evaluation_criteria: criteria }: TurtleTask) {
  const scores = itemsOf(given)
  if (scores?.length !== criteria.length) return null
  let score = 0
  let isComplex = false
  const covered: string[] = []
  for (const [i, { statement, score: worth }] of criteria.entries()) {
    const item = scores[i]
    const judgment = item instanceof Map ? item.get('score') : undefined
    if (judgment === COMPLEX) isComplex = true
    else if (typeof judgment === 'number' || typeof judgment === 'boolean') score += worth * Number(judgment)
    else return null
    if (judgment === 1 || judgment === true) covered.push(statement)
  }
  if (isComplex) return 'raises'
  const told = strip(covered.map(statement => `${statement}: Covered\n`).join('')).replace(/: Covered$/gm, '')
  return { feedback: null, phrase: ['covered', told === '' ? [] : told] as const, score, found: covered }
}

/** What Python can count: lists, texts, dicts. */
function itemsOf(value: Literal | undefined): readonly Literal[] | null {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return [...value]
  return value instanceof Map ? [...value.keys()] : null
}

const SAYINGS = {
  en: {
    finished: () => '',
    unjudged: () => 'I cannot judge that now.',
    covered: (told: string) =>
      told === ''
        ? 'Your story has none of what counts.'
        : `Your story has:\n${told}\nThere may be more to it; ask on and tell it again.`,
  },
  zh: {
    finished: () => '',
    unjudged: () => '我现在无法评判。',
    covered: (told: string) =>
      told === '' ? '你的故事没有说中任何要点。' : `你的故事说中了：\n${told}\n可能还有别的，可以继续提问后再讲。`,
  },
} as const

const form = (language: TaskLanguage): GuessingForm<TurtleTask> => ({
  read,
  isSolved: (score, { successThreshold }) => score >= successThreshold,
  sentences([name, told]: Phrase) {
    const key = name === 'covered' || name === 'finished' ? name : 'unjudged'
    return SAYINGS[language][key](typeof told === 'string' ? told : '')
  },
})

export function turtleGym(play: JudgedPlay<InstantJudge<TurtleTask>>): Gym<TurtleTask, InstantEpisode>
export function turtleGym(play: JudgedPlay<Judge<TurtleTask>>): Gym<TurtleTask>
export function turtleGym({ judge, rules, language }: JudgedPlay<Judge<TurtleTask>>): Gym<TurtleTask> {
  return {
    name: 'turtle',
    tool: INTERACT,
    prompts: ({ title, description }) => PROMPTS[language](title, description),
    open: task => openGuessing(form(language), task, judge, rules),
  }
}

const PROMPTS = {
  en: (title: string, description: string): Prompts => ({
    system:
      'You hear an odd story and find out what really happened. Call the tool interact_with_env with choice "action" and a question ' +
      'or a supposition, which is answered with yes, no or maybe, and with choice "answer" and the whole story as you think ' +
      'it was. A story may be told again when more is known. The number of turns is limited.',
    user: `${title}\n${description}\nWhat really happened?`,
  }),
  zh: (title: string, description: string): Prompts => ({
    system:
      '你会听到一个离奇的故事，请弄清真相。调用工具 interact_with_env：choice 为 "action"，content 为一个问题或推测，对方用是、否或不一定回答；' +
      'choice 为 "answer"，content 为你认为的完整真相。了解更多后可以再讲一次。轮数有限。',
    user: `${title}\n${description}\n真相是什么？`,
  }),
} as const

/** For a model that judges; in words of klens's own. */
export function turtlePrompts({ task, isAnswer, content }: JudgedMove<TurtleTask>): Prompts {
  const { description, ground_truth: truth, evaluation_criteria: criteria } = task
  const known = `What the player was told: ${description}\nWhat really happened: ${truth}`
  if (!isAnswer) {
    return {
      system:
        'You judge a question or supposition about a story. "Yes": it fits what really happened; "No": it does not; "Maybe": the story ' +
        'leaves it open. Answer with JSON only: {"thought": "…", "response": "Yes", "No" or "Maybe"}',
      user: `${known}\n\nQuestion: ${content}`,
    }
  }
  const statements = criteria.map(({ statement }, i) => `${i + 1}. ${statement}`)
  return {
    system:
      'You judge a told story against what really happened, statement by statement and in their order: 1 where the story says it, 0.5 ' +
      'where it says part of it, 0 where it does not. Answer with JSON only: {"scores": [{"thought": "…", "score": 0, 0.5 or 1}, …]}',
    user: `${known}\n\nStatements:\n${statements.join('\n')}\n\nThe player's story: ${content}`,
  }
}

const episodeSchema = z.looseObject({ task: storySchema, options: judgedOptions })

export const turtleReplay: ReplayForm = {
  members: ['score', 'best', 'total'],
  open(episode, calls) {
    const { task, options } = episodeSchema.parse(episode)
    return openGuessing(form('en'), task, recordedJudge(calls), recordedRules(options))
  },
}
