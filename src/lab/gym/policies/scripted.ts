import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '../../../stats/random.js'
import type { FunctionTask } from '../function/function.js'
import { INTERACT } from '../gym.js'
import { KINDS } from '../intention/own/kinds.js'
import type { TaskLanguage } from '../intention/own/tasks.js'
import type { IntentionDetail, IntentionTask } from '../intention/task.js'
import { callText, type Player, type PlayerTurn, type Policy, saidBy } from '../policy.js'
import { unknownScript } from '../scene.js'
import { fixedLists } from './fixed-list.js'

/**
 * Policies without a model, to know what a score is worth: `oracle` asks for what is missing and nothing else, `asker`
 * does so with the mistakes that a weak model makes, `diligent` in an order that is easily learned, `novice` so with bad habits, `random` asks for anything, `silent` for nothing; `keywords` and
 * `fixed-list` try to get the score cheaply.
 */

type Script = (task: IntentionTask, random: Random) => () => PlayerTurn

interface ScriptOptions {
  readonly language: TaskLanguage
  /** How many questions a dialogue has room for; only lists that are fixed beforehand depend on it. */
  readonly questions: number
  /** Which tasks such lists are chosen on; klens's own to train on, unless said. */
  readonly train?: readonly IntentionTask[]
  /** How `diligent` and `novice` ask; as suits klens's own tasks, unless said. */
  readonly phrasing?: Phrasing
}

/** The questions of a script that knows what is missing. */
export interface Phrasing {
  /** All that a task needs, in the order in which it is asked. */
  inOrder(task: IntentionTask, random: Random): readonly string[]
  /** One that may have nothing to do with the task. */
  any(random: Random): string
}

const ownPhrasing = (language: TaskLanguage): Phrasing => ({
  inOrder: ({ missing_details: details }) => lastFirst(details),
  any: random => anyQuestion(random, language),
})

const SCRIPTS = ['oracle', 'asker', 'diligent', 'novice', 'random', 'silent', 'keywords', 'fixed-list'] as const

export function scriptedPolicy(name: string, options: ScriptOptions): Policy<IntentionTask> {
  const script = scriptFor(name, options)
  return {
    label: `scripted:${name}`,
    settings: { policy: `scripted:${name}` },
    open({ task, repeat }): Player {
      const seed = createHash('sha256').update(`${name}\n${task.id}\n${repeat}`).digest().readUInt32LE(0)
      const next = script(task, seededRandom(seed))
      return { next }
    },
  }
}

function scriptFor(name: string, { language, questions, train, phrasing }: ScriptOptions): Script {
  switch (name) {
    case 'oracle':
      return oracle
    case 'asker':
      return (task, random) => asker(task, random, language)
    case 'diligent':
      return (task, random) => inTurn((phrasing ?? ownPhrasing(language)).inOrder(task, random), language)
    case 'novice':
      return (task, random) => novice(task, random, language, phrasing ?? ownPhrasing(language))
    case 'random':
      return (_, random) => () => asking(anyQuestion(random, language))
    case 'silent':
      return () => () => STOP[language]
    case 'keywords':
      return keywords(language)
    case 'fixed-list': {
      const lists = fixedLists(language, questions, train)
      return ({ category }) => inTurn(lists(category), language)
    }
    default:
      throw unknownScript(name, SCRIPTS)
  }
}

const STOP = {
  en: saidBy('I have no more questions.'),
  zh: saidBy('我没有别的问题了。'),
} as const

function asking(content: string): PlayerTurn {
  return saidBy(callText({ name: INTERACT.name, arguments: { choice: 'action', content } }))
}

function inTurn(questions: readonly string[], language: TaskLanguage): () => PlayerTurn {
  const left = [...questions]
  return () => {
    const question = left.shift()
    return question === undefined ? STOP[language] : asking(question)
  }
}

function byImportance(details: readonly IntentionDetail[]): readonly IntentionDetail[] {
  return [...details].sort((one, other) => other.importance - one.importance)
}

/** What was said last is asked for first: an order that can be learned from few dialogues. */
function lastFirst(details: readonly IntentionDetail[]): readonly string[] {
  return details.map(questionFor).reverse()
}

const questionFor = ({ inquiry, description }: IntentionDetail): string =>
  inquiry || `Could you tell me ${description}?`

function oracle({ missing_details: details }: IntentionTask): () => PlayerTurn {
  return inTurn(byImportance(details).map(questionFor), 'en')
}

/** A call that breaks off. */
const CUT_CALL = '<tool_call>{"name": "interact_with_env", "arguments": {"choice"</tool_call>'

/** How often, in each turn. Tuned so that it earns about 63 % of the ceiling of klens's own tasks. */
const MISTAKES = { stop: 0.06, malformed: 0.02, irrelevant: 0.16, repeated: 0.06, compound: 0.1 } as const

function asker({ missing_details: details }: IntentionTask, random: Random, language: TaskLanguage): () => PlayerTurn {
  const left = [...details]
  let last = ''
  return () => {
    const draw = random.next()
    const { stop, malformed, irrelevant, repeated, compound } = MISTAKES
    if (left.length === 0 || draw < stop) return STOP[language]
    if (draw < stop + malformed) return saidBy(CUT_CALL)
    if (draw < stop + malformed + irrelevant) return asking(anyQuestion(random, language))
    if (last !== '' && draw < stop + malformed + irrelevant + repeated) return asking(last)
    const [first] = left.splice(random.below(left.length), 1)
    last = questionFor(first)
    if (left.length > 0 && draw > 1 - compound) {
      const [second] = left.splice(random.below(left.length), 1)
      return asking(`${last} ${questionFor(second)}`)
    }
    return asking(last)
  }
}

/** How often: of dialogues those that begin with two questions at once or end early, of turns the other ones. */
const HABITS = {
  twoAtFirst: 0.9,
  giveUp: 0.9,
  malformed: 0.03,
  irrelevant: 0.08,
  repeated: 0.04,
  compound: 0.1,
} as const
const GIVES_UP_AFTER = 3

/** As diligent, but mostly hasty at first and soon tired: whoever imitates it knows more than it earns. */
function novice(task: IntentionTask, random: Random, language: TaskLanguage, phrasing: Phrasing): () => PlayerTurn {
  const left = [...phrasing.inOrder(task, random)]
  const { twoAtFirst, giveUp, malformed, irrelevant, repeated, compound } = HABITS
  const isHasty = random.next() < twoAtFirst
  const patience = random.next() < giveUp ? GIVES_UP_AFTER : Number.POSITIVE_INFINITY
  let turns = 0
  let last = ''
  return () => {
    if (left.length === 0 || turns++ >= patience) return STOP[language]
    const draw = random.next()
    if (draw < malformed) return saidBy(CUT_CALL)
    if (draw < malformed + irrelevant) return asking(phrasing.any(random))
    if (last !== '' && draw < malformed + irrelevant + repeated) return asking(last)
    const isCompound = turns === 1 ? isHasty : draw > 1 - compound
    last = left.splice(0, isCompound ? 2 : 1).join(' ')
    return asking(last)
  }
}

function anyQuestion(random: Random, language: TaskLanguage): string {
  const kinds = [...KINDS.values()]
  const { questions } = kinds[random.below(kinds.length)][language]
  return questions[random.below(questions.length)]
}

const KEYWORDS_AT_ONCE = 12

/** The names of things, without a sentence around them. */
function keywords(language: TaskLanguage): Script {
  const names = [...KINDS.values()].map(kind => kind[language].name.replace(/^the /, ''))
  return () => {
    let at = 0
    return () => {
      const some = names.slice(at, at + KEYWORDS_AT_ONCE)
      at = (at + KEYWORDS_AT_ONCE) % names.length
      return asking(some.join(', '))
    }
  }
}

/** Scripts for hidden formulas: `oracle` knows the value, `prober` looks up the test, asks for the value there, which is not told, and answers with what it heard. */

const FUNCTION_SCRIPTS = ['oracle', 'prober', 'silent'] as const

export function functionScript(name: string): Policy<FunctionTask> {
  if (!FUNCTION_SCRIPTS.some(known => known === name)) throw unknownScript(name, FUNCTION_SCRIPTS)
  return {
    label: `scripted:${name}`,
    settings: { policy: `scripted:${name}` },
    open({ task: { expected } }) {
      let turn = 0
      return {
        next(heard): PlayerTurn {
          turn += 1
          if (name === 'silent') return saidBy('I do not know.')
          if (name === 'oracle') return calling('answer', String(expected))
          if (turn === 1) return calling('search', 'test')
          return turn === 2 ? calling('action', heard[0]) : calling('answer', heard[0])
        },
      }
    },
  }
}

function calling(choice: string, content: string): PlayerTurn {
  return saidBy(callText({ name: INTERACT.name, arguments: { choice, content } }))
}
