import { createHash } from 'node:crypto'
import { seededRandom } from '../../../stats/random.js'
import { type Gym, type GymTask, INTERACT, type Prompts } from '../gym.js'
import type { TaskLanguage, TaskSplit } from '../intention/own/tasks.js'
import { callText, type PlayerTurn, type Policy, saidBy } from '../policy.js'
import { readTaskFiles, type TaskForm } from '../read-tasks.js'
import { chosenTasks, rulesIn, type Scene, type SceneRequest, type TaskFacts, unknownScript } from '../scene.js'
import {
  endpointJudge,
  type InstantJudge,
  JUDGED_QUIRKS,
  type Judge,
  type JudgedMove,
  type JudgedRules,
  KLENS_JUDGED,
} from './judge.js'
import type { JudgeProbe } from './probes.js'

/** How telepathy, turtle and persuade are entered: they differ in tasks, words and judge alone. */
export interface JudgedKind<Task extends GymTask> {
  readonly name: string
  readonly form: TaskForm<Task>
  /** klens's own tasks, the judge for them, and probes of any judge. */
  own(): Promise<OwnTasks<Task>>
  gym(play: { readonly judge: Judge<Task>; readonly rules: JudgedRules; readonly language: TaskLanguage }): Gym<Task>
  /** What a model that judges is asked. */
  judgePrompts(move: JudgedMove<Task>): Prompts
  facts(task: Task): Pick<TaskFacts, 'wanted' | 'ceiling' | 'details'>
  /** Moves that earn all there is, in words of the task. */
  oracle(task: Task): readonly Call[]
}

export interface OwnTasks<Task> {
  readonly tasks: { readonly [language in TaskLanguage]: readonly Task[] }
  readonly judge: InstantJudge<Task>
  readonly probes: { readonly [language in TaskLanguage]: readonly JudgeProbe[] }
}

type Call = readonly [choice: 'action' | 'answer', content: string]

export function judgedScene<Task extends GymTask>(kind: JudgedKind<Task>) {
  return async (asked: SceneRequest): Promise<Scene<Task>> => {
    const { language, split, data: files, ask } = asked
    const { rollout, quirks } = rulesIn(asked, JUDGED_QUIRKS)
    const rules = { ...KLENS_JUDGED, maxSteps: rollout.maxTurns, quirks: { ...KLENS_JUDGED.quirks, ...quirks } }
    const own = await kind.own()
    const form = rules.quirks.judgementForm
    const judge = ask === null ? own.judge : endpointJudge(ask, kind.judgePrompts, form)
    const gym = kind.gym({ judge, rules, language })
    const chosen =
      files.length === 0
        ? chosenTasks(asked, `${kind.name}-${language}`, partOf(own.tasks[language], split))
        : chosenTasks(asked, kind.name, await readTaskFiles(kind.form, files))
    return {
      ...{ gym, rollout, ...chosen },
      factsOf: task => ({ request: gym.prompts(task).user, ...kind.facts(task) }),
      script: name => judgedScript(kind, name, files.length === 0 ? own.tasks[language] : chosen.tasks),
      judgeCheck: {
        isOffline: ask === null,
        // The offline judge goes by what klens's own tasks say about themselves; in other files that is missing.
        isMeasured: ask !== null || files.length === 0,
        tasks: own.tasks[language],
        probes: own.probes[language],
      },
    }
  }
}

/** A third to test on, a ninth set aside, the rest to train on. */
function partOf<Task>(tasks: readonly Task[], split: TaskSplit): readonly Task[] {
  const splitAt = (index: number): TaskSplit => (index % 3 === 0 ? 'test' : index % 9 === 4 ? 'fresh' : 'train')
  return tasks.filter((_, index) => splitAt(index) === split)
}

const SCRIPTS = ['oracle', 'random', 'silent'] as const

/** `oracle` says what the task holds, `random` what any of the tasks does, `silent` nothing. */
function judgedScript<Task extends GymTask>(
  kind: JudgedKind<Task>,
  name: string,
  tasks: readonly Task[],
): Policy<Task> {
  if (!SCRIPTS.some(known => known === name)) throw unknownScript(name, SCRIPTS)
  return {
    label: `scripted:${name}`,
    settings: { policy: `scripted:${name}` },
    open({ task, repeat }) {
      const seed = createHash('sha256').update(`${name}\n${task.id}\n${repeat}`).digest().readUInt32LE(0)
      const random = seededRandom(seed)
      const moves = name === 'oracle' ? [...kind.oracle(task)] : []
      return {
        next(): PlayerTurn {
          if (name === 'random') {
            const some = kind.oracle(tasks[random.below(tasks.length)])
            return calling(some[random.below(some.length)])
          }
          const move = moves.shift()
          return move === undefined ? saidBy('I have nothing more to say.') : calling(move)
        },
      }
    },
  }
}

function calling([choice, content]: Call): PlayerTurn {
  return saidBy(callText({ name: INTERACT.name, arguments: { choice, content } }))
}
