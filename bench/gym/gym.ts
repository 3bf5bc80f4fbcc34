import { embeddedSimulator } from '../../src/lab/gym/intention/embedded/embedded.js'
import { intentionGym } from '../../src/lab/gym/intention/intention.js'
import { ownTasks, type TaskLanguage } from '../../src/lab/gym/intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../../src/lab/gym/intention/rules.js'
import type { IntentionTask } from '../../src/lab/gym/intention/task.js'
import { scriptedPolicy } from '../../src/lab/gym/policies/scripted.js'
import { figuresOf, playDialogue, USERRL_ROLLOUT } from '../../src/lab/gym/rollout.js'
import { type Benchmark, type Figures, sizeOf } from '../benchmark.js'
import { bestOf, measure } from '../measure.js'

/**
 * Steps per second of the gym with its embedded user, on one core; and whether the score can be had cheaply on tasks that
 * nobody tuned the user on: the 24 categories are split anew six times, four of them unseen each time.
 */
export const gym: Benchmark = {
  name: 'gym',
  about: 'steps per second with the embedded user, and cheap policies on new splits (size: thousands of steps)',
  async run(settings) {
    return [
      { title: 'Gym steps, one core', rows: await speed(settings.rounds, sizeOf(settings, 200) * 1000) },
      { title: 'Cheap policies on new splits, share of the ceiling', rows: await margins() },
    ]
  },
}

async function speed(rounds: number, steps: number): Promise<readonly Figures[]> {
  const rows: Figures[] = []
  for (const [language, isNew, isOwn] of [
    ['en', false, true],
    ['zh', false, true],
    ['en', true, true],
    ['en', true, false],
  ] as const) {
    const { result, seconds, cpuSeconds } = await bestOf(rounds, () =>
      measure(async () => play(language, isNew, isOwn, steps)),
    )
    rows.push({
      what: `${language}${isNew ? ', every question new' : ''}${isOwn ? '' : ', details of no known kind'}`,
      steps: result,
      'steps/s (wall)': Math.round(result / seconds),
      'steps/s (CPU)': Math.round(result / cpuSeconds),
    })
  }
  return rows
}

/**
 * A task's own questions among others', so that the user has to tell them apart. Returns how many were asked. With `isNew` no
 * two are the same text, as a model writes them: the user remembers what a question means. Without `isOwn` the details are of no
 * kind that klens knows, as other people's are.
 */
function play(language: TaskLanguage, isNew: boolean, isOwn: boolean, steps: number): number {
  const tasks = ownTasks('train', language).map(task => (isOwn ? task : withoutKinds(task)))
  const opened = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
  const questions = tasks.flatMap(({ missing_details: details }) => details.map(({ inquiry }) => inquiry))
  let taken = 0
  for (let dialogue = 0; taken < steps; dialogue += 1) {
    const task = tasks[dialogue % tasks.length]
    const episode = opened.open(task)
    for (let turn = 0; turn < 15; turn += 1) {
      const foreign = questions[(dialogue * 15 + turn) % questions.length]
      const own = turn % 2 === 0 ? task.missing_details[turn / 2]?.inquiry : undefined
      taken += 1
      const suffix = isNew ? ` (${taken})` : ''
      if (episode.step(`[action] ${own ?? foreign}${suffix}`).end !== null) break
    }
  }
  return taken
}

function withoutKinds(task: IntentionTask): IntentionTask {
  return { ...task, missing_details: task.missing_details.map(({ kind: _, ...detail }) => detail) }
}

const FOLDS = 6
/** Of every category that both parts have, so many tasks are kept to test on. */
const HELD_OUT = 4

async function margins(): Promise<readonly Figures[]> {
  const rows: Figures[] = []
  for (const language of ['en', 'zh'] as const) {
    for (let fold = 0; fold < FOLDS; fold += 1) {
      const { train, test } = splitAnew(language, fold)
      const share = (name: string, maxTurns: number) => shareOfCeiling(name, { train, test }, language, maxTurns)
      rows.push({
        what: `${language}, split ${fold + 1}`,
        tasks: test.length,
        keywords: percent(await share('keywords', 16)),
        'fixed-list, 5 turns': percent(await share('fixed-list', 5)),
        '6 turns': percent(await share('fixed-list', 6)),
        '16 turns': percent(await share('fixed-list', 16)),
      })
    }
  }
  return rows
}

interface Split {
  readonly train: readonly IntentionTask[]
  readonly test: readonly IntentionTask[]
}

/** Every sixth category is unseen in training; of the others the first tasks are tested, where klens tests the last. */
function splitAnew(language: TaskLanguage, fold: number): Split {
  const all = [...ownTasks('train', language), ...ownTasks('test', language)]
  const categories = [...new Set(all.map(({ category }) => category))].toSorted()
  const parts = categories.map((category, i) => {
    const own = all.filter(task => task.category === category)
    const isUnseen = i % FOLDS === fold
    return isUnseen ? { train: [], test: own } : { train: own.slice(HELD_OUT), test: own.slice(0, HELD_OUT) }
  })
  return { train: parts.flatMap(({ train }) => train), test: parts.flatMap(({ test }) => test) }
}

async function shareOfCeiling(name: string, { train, test }: Split, language: TaskLanguage, maxTurns: number) {
  const questions = maxTurns - 1
  const opened = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
  const policy = scriptedPolicy(name, { language, questions, train })
  let earned = 0
  let ceiling = 0
  for (const task of test) {
    const dialogue = await playDialogue(opened, policy, { task, repeat: 0 }, { ...USERRL_ROLLOUT, maxTurns })
    earned += figuresOf(dialogue).score ?? Number.NaN
    ceiling += ceilingOf(task.missing_details, questions, KLENS_RULES)
  }
  return earned / ceiling
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}
