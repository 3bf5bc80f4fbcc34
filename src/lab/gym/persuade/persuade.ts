import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { FINISHED, type Move, openEpisode, paid, SOLVED, type Watched } from '../episode.js'
import { type Episode, feedbackText, type Gym, INTERACT, type InstantEpisode, type Prompts } from '../gym.js'
import { strip } from '../intention/answers.js'
import type { TaskLanguage } from '../intention/own/tasks.js'
import {
  type InstantJudge,
  isFinish,
  type Judge,
  type JudgeAnswer,
  type JudgedExchange,
  type JudgedMove,
  type JudgedPlay,
  type JudgedRules,
  judgedLimits,
  judgedOptions,
  judgeFailure,
  recordedJudge,
  recordedRules,
} from '../judged/judge.js'
import { isHashable, jsonOf, type Literal } from '../judged/literal.js'
import type { ReplayForm } from '../recording.js'

/** The gym of a stubborn opinion: bring somebody from strong agreement with a claim to strong disagreement, by arguments. */

const say = sentences({
  'gym.odd-stance': {
    en: 'the judge gave a list as its stance; UserRL’s gym breaks off here with an exception',
    zh: '评判给出的立场是一个列表；UserRL 的 gym 会在此处抛出异常',
  },
})

export const claimSchema = z.looseObject({
  id: z.string(),
  claim: z.string(),
  /** Why the claim is held. */
  argument: z.string(),
  /** Of klens's own tasks: arguments against it. */
  against: z.array(z.string()).readonly().default([]),
})

export type PersuadeTask = Readonly<z.output<typeof claimSchema>>

/** With the scores that UserRL gives them, rounded as there. */
const STANCES = new Map([
  ['Strongly Agree', 0],
  ['Agree', 0.1667],
  ['Partly Agree', 0.3333],
  ['Neutral', 0.5],
  ['Partly Disagree', 0.6667],
  ['Disagree', 0.8333],
  ['Strongly Disagree', 1],
])
export const STANCE_NAMES = [...STANCES.keys()]
const LAST = STANCE_NAMES.length - 1

const levelOf = (stance: Literal): number => (typeof stance === 'string' ? STANCE_NAMES.indexOf(stance) : -1)

/** Levels towards disagreement; the way back costs nothing, and pays again when it is gone again. */
function levelsBetween(before: Literal, after: Literal): number {
  const [from, to] = [levelOf(before), levelOf(after)]
  return from < 0 || to < 0 ? 0 : Math.max(0, to - from)
}

interface Standing {
  readonly stance: unknown
  readonly score: number
  readonly best: number
  readonly phrase: readonly string[] | null
}

type Opened = Episode & Watched<Standing>

function openPersuade(
  task: PersuadeTask,
  judge: InstantJudge<PersuadeTask>,
  rules: JudgedRules,
  language: TaskLanguage,
): InstantEpisode & Watched<Standing>
function openPersuade(
  task: PersuadeTask,
  judge: Judge<PersuadeTask>,
  rules: JudgedRules,
  language: TaskLanguage,
): Opened
function openPersuade(
  task: PersuadeTask,
  judge: Judge<PersuadeTask>,
  rules: JudgedRules,
  language: TaskLanguage,
): Opened {
  let stance: Literal = STANCE_NAMES[0]
  let history: readonly JudgedExchange[] = []
  let best = 0
  let phrase: readonly string[] | null = null
  const sayings = SAYINGS[language]
  // A negative penalty is none, and the scale is not looked at: as in UserRL.
  const payment = (earned: number): number => paid(earned, Math.max(0, rules.stepPenalty), { ...rules, rewardScale: 1 })
  const scoreOf = (): number => (typeof stance === 'string' ? (STANCES.get(stance) ?? 0) : 0)

  function take(action: string): Move | Promise<Move> {
    if (isFinish(action)) {
      refuseOddStance()
      phrase = ['finished']
      return { feedback: sayings.finished, reward: payment(0), gained: 0, end: FINISHED }
    }
    const content = strip(/^\[(?:action|answer)\]/.test(action) ? action.slice(8) : action)
    const answer = judge({ task, isAnswer: true, content, history, stance: jsonOf(stance) })
    return answer instanceof Promise ? answer.then(each => judged(content, each)) : judged(content, answer)
  }

  function judged(content: string, answer: JudgeAnswer): Move {
    const before = stance
    const { response, next } = readStance(answer)
    const isUnjudged = response === undefined || next === undefined
    if (isUnjudged) {
      const failed = judgeFailure(answer, rules)
      if (failed !== null) return failed
    }
    phrase = isUnjudged ? ['unjudged'] : null
    const feedback = isUnjudged ? sayings.unjudged : jsonOf(response)
    history = [...history, { said: content, feedback }]
    if (!isUnjudged) stance = next
    refuseOddStance()
    best = Math.max(best, scoreOf())
    const levels = levelsBetween(before, stance)
    return {
      feedback,
      reward: payment(levels === 0 ? 0 : Number((levels / LAST).toFixed(6))),
      gained: levels,
      end: stance === STANCE_NAMES[LAST] ? SOLVED : null,
    }
  }

  /** Python looks the stance up, which it cannot do with a list. */
  function refuseOddStance(): void {
    if (!isHashable(stance)) throw new Problem('bad-request', say('gym.odd-stance', {}))
  }

  function readStance(answer: JudgeAnswer): { readonly response?: Literal; readonly next?: Literal } {
    if (answer.kind !== 'judged') return {}
    const response = answer.answer.get('response')
    const next = answer.answer.get('stance')
    if (response === undefined || next === undefined) return {}
    const isKnown = levelOf(next) >= 0 || rules.quirks.unknownStance === 'kept'
    return isKnown ? { response, next } : {}
  }

  return openEpisode(judgedLimits(rules, false), take, () => ({
    ...{ stance: jsonOf(stance), score: scoreOf() },
    ...{ best, phrase },
  }))
}

const SAYINGS = {
  en: { finished: 'The conversation is over.', unjudged: 'I did not get that.' },
  zh: { finished: '对话结束。', unjudged: '我没有听明白。' },
} as const

export function persuadeGym(play: JudgedPlay<InstantJudge<PersuadeTask>>): Gym<PersuadeTask, InstantEpisode>
export function persuadeGym(play: JudgedPlay<Judge<PersuadeTask>>): Gym<PersuadeTask>
export function persuadeGym({ judge, rules, language }: JudgedPlay<Judge<PersuadeTask>>): Gym<PersuadeTask> {
  return {
    name: 'persuade',
    tool: INTERACT,
    prompts: ({ claim, argument }) => PROMPTS[language](claim, argument),
    open: task => openPersuade(task, judge, rules, language),
  }
}

const PROMPTS = {
  en: (claim: string, argument: string): Prompts => ({
    system:
      'Somebody strongly agrees with a claim. Change their mind: call the tool interact_with_env with choice "answer" and one argument ' +
      'against the claim as content, read the reply, and go on from there. The number of turns is limited.',
    user: `Claim: ${claim}\nWhy I hold it: ${argument}`,
  }),
  zh: (claim: string, argument: string): Prompts => ({
    system:
      '对方非常赞同一个观点，请说服对方改变看法。调用工具 interact_with_env：choice 为 "answer"，content 为一条反对该观点的论据；' +
      '看过回复后再继续。轮数有限。',
    user: `观点：${claim}\n理由：${argument}`,
  }),
} as const

/** For a model that holds the claim; in words of klens's own. */
export function persuadePrompts({ task, content, history, stance }: JudgedMove<PersuadeTask>): Prompts {
  const before = history.map(({ said, feedback }) => `They: ${said}\nYou: ${feedbackText(feedback)}`)
  return {
    system:
      'You hold a claim, and somebody argues against it. Weigh the argument honestly: change your mind as far as it deserves, and not for ' +
      'repetition, pressure or flattery. Reply briefly in the language of the claim. Answer with JSON only: ' +
      `{"thought": "…", "response": "…", "stance": one of ${STANCE_NAMES.map(name => `"${name}"`).join(', ')}}`,
    user: [
      `Claim: ${task.claim}\nWhy you hold it: ${task.argument}\nYour stance so far: ${feedbackText(stance)}`,
      before.length === 0 ? '(Their first argument.)' : before.join('\n'),
      `Their argument: ${content}`,
    ].join('\n\n'),
  }
}

const episodeSchema = z.looseObject({ task: claimSchema, options: judgedOptions })

export const persuadeReplay: ReplayForm = {
  members: ['stance', 'score', 'best', 'total'],
  open(episode, calls) {
    const { task, options } = episodeSchema.parse(episode)
    return openPersuade(task, recordedJudge(calls), recordedRules(options), 'en')
  },
}
