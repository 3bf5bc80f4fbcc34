import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startChatServer } from '../../../../test/support/chat-server.js'
import { SMALL_INTENTION } from '../../../../test/support/small-intention.js'
import { temporaryFolder, temporaryWorkspace } from '../../../../test/workspace.js'
import { loadRun } from '../../../core/store/catalogue.js'
import { readSeries } from '../../../core/store/series.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { seededRandom } from '../../../stats/random.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import { figuresOf, playDialogue } from '../../gym/rollout.js'
import { readAnyConfig } from '../config/any.js'
import { type IntentionConfig, intentionSchema } from '../config/language-settings.js'
import { loadModel } from '../lm/checkpoint/model-folder.js'
import { runTraining } from '../run/run-training.js'
import { openGymSetup } from './gym-setup.js'
import { shortQuestion, taskPhrasing } from './phrasing.js'
import { checkpointPolicy } from './policy.js'
import { intentionTraining } from './training.js'

const detail = (description: string, importance: 1 | 2 | 3 = 2) => ({
  ...{ description, importance: String(importance) },
  inquiry: `Could you tell me more about the ${description.toLowerCase()}?`,
  options: ['None', 'Some'],
})
const TASKS = ['a cake', 'a trip', 'a garden', 'a robot', 'a song', 'a desk'].map((thing, i) => ({
  id: `task-${i + 1}`,
  category: 'Making things',
  task: `Help me with ${thing}.`,
  missing_details: [detail('Budget', 3), detail("User's skill level"), detail('Time frame', 1)],
}))

function taskFile(tasks: readonly object[]): string {
  const path = join(temporaryFolder(), 'tasks.json')
  writeFileSync(path, JSON.stringify(tasks))
  return path
}

function configFor(settings: object): IntentionConfig {
  return intentionSchema().parse({
    ...SMALL_INTENTION,
    ...{ start: { steps: 50, habits: 0, batch: 8, lr: 1e-2 }, steps: 2, eval: { every: 2, samples: 2 } },
    ...settings,
  })
}

async function trained(workspace: Workspace, config: IntentionConfig, kind: 'auto' | 'new' = 'auto') {
  const training = intentionTraining(config, workspace, await openGymSetup(config, workspace, {}))
  const result = await runTraining(workspace, training, { begin: { kind }, code: '1' })
  const run = await loadRun(workspace, result.run)
  if (run === null) throw new Error('no run')
  const names = [...run.manifest.metrics.keys()]
  const series = await readSeries(run, names)
  return { ...result, values: (name: string) => [...(series.get(name)?.values ?? [])] }
}

describe('a training on own tasks', () => {
  it('learns words and questions from the file, and writes any other word too', async () => {
    const workspace = await temporaryWorkspace()
    const config = configFor({ data: { train: [taskFile(TASKS)] }, eval: { every: 2, samples: 2, temperature: 0.7 } })
    const { folder, status, values } = await trained(workspace, config)
    expect(status).toBe('finished')
    const { validationTasks, gym, validationRules } = await openGymSetup(config, workspace, {})
    const policy = await checkpointPolicy<IntentionTask>(join(folder, 'step2'), { label: 'it', temperature: 0.7 })
    const again = await playDialogue(gym, policy, { task: validationTasks[0], repeat: 0 }, validationRules)
    expect(values('val-core/interact_intention/reward/mean@1')[1]).toBe(figuresOf(again).score)
    expect(figuresOf(again).score).toBeGreaterThan(0)
    const { tokenizer, shape } = await loadModel(join(folder, 'step2'))
    expect(shape.positions).toBe(512)
    const words = 'Zxqv? 漢字 — naïve'
    expect(tokenizer.decode(tokenizer.encodePlain(words))).toBe(words)
    expect(tokenizer.encodePlain(' skill')).toHaveLength(1)
  })

  it('keeps what it validates on out of what it trains on', async () => {
    const workspace = await temporaryWorkspace()
    const held = await openGymSetup(configFor({ data: { train: [taskFile(TASKS)] } }), workspace, {})
    const ids = (tasks: readonly { readonly id: string }[] | null) => (tasks ?? []).map(({ id }) => id)
    const sides = [held.lessonTasks, held.trainTasks, held.validationTasks].map(ids)
    expect(sides.map(side => side.length)).toEqual([4, 1, 1])
    expect(new Set(sides.flat()).size).toBe(6)

    const same = { ...TASKS[0], id: 'other', task: 'help me  with A CAKE.' }
    const data = { train: [taskFile(TASKS)], test: [taskFile([same])] }
    const apart = await openGymSetup(configFor({ data }), workspace, {})
    expect([...ids(apart.lessonTasks), ...ids(apart.trainTasks)]).not.toContain('task-1')
    expect(apart.remarks.map(({ key }) => key)).toEqual(['train.intention.overlap'])
    const few = openGymSetup(configFor({ data: { train: [taskFile(TASKS.slice(0, 2))] } }), workspace, {})
    await expect(few).rejects.toMatchObject({ code: 'not-enough' })
  })

  it('asks in short: by the description, as to a person', () => {
    const asked = ["User's fitness level", 'Preferred colours (if any)', 'the API version', 'Business'].map(
      description => shortQuestion({ description, importance: 1, inquiry: '', options: [] }, 'en'),
    )
    expect(asked).toEqual([
      'What is your fitness level?',
      'What are the preferred colours?',
      'What is the API version?',
      'What is the business?',
    ])
    const details = [{ description: '预算', importance: 3 as const, inquiry: '', options: [] }]
    const { inOrder } = taskPhrasing([{ ...TASKS[0], missing_details: details }], 'zh')
    expect(new Set(inOrder({ ...TASKS[0], missing_details: details }, seededRandom(1)))).toEqual(
      new Set(['请问预算是什么？']),
    )
  })

  it('has a model as the user: what it does not answer is missing, and nothing is asked for twice', async () => {
    // By its words, so that the same is refused in whatever order the dialogues go on.
    const isRefused = (text: string): boolean =>
      [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5 === 0
    const server = await startChatServer(({ messages }) => {
      if (isRefused(JSON.stringify(messages))) return { status: 400, body: '{"error": {"message": "too long"}}' }
      const isJudge = String(messages[0].content).includes('judge')
      const answer = isJudge ? { is_task_related: true, covered_detail_indices: [0] } : { response: 'Some.' }
      return { answer: JSON.stringify(answer) }
    })
    const workspace = await temporaryWorkspace()
    const config = configFor({ data: { train: [taskFile(TASKS)] }, simulator: `${server.url}#user` })
    const first = await trained(workspace, config)
    expect(server.requests.length).toBeGreaterThan(10)
    expect(Math.max(...first.values('response/aborted_ratio'))).toBeGreaterThan(0)
    const answered = server.requests.length
    await trained(workspace, config, 'new')
    expect(server.requests.length - answered).toBeLessThan(answered / 2)
  })

  it('is checked before it begins', () => {
    const read = (...sets: readonly string[]) => readAnyConfig({ sets: ['task=intention', ...sets] })
    const keys = (...sets: readonly string[]) => {
      const reading = read(...sets)
      return reading.kind === 'problems' ? reading.problems.map(({ key }) => key) : []
    }
    expect(keys('simulator=http://user:secret@host/v1#m', 'data.test=a.json')).toEqual([
      'train-config.simulator',
      'train-config.test-without-train',
    ])
    expect(keys('simulator=http://host/v1')).toEqual(['train-config.simulator'])
    const reading = read('data.train=a.json, b.parquet', 'model.width=64')
    expect(reading).toMatchObject({
      config: { data: { train: [join(process.cwd(), 'a.json'), join(process.cwd(), 'b.parquet')] } },
    })
    expect(reading).toMatchObject({ config: { model: { vocabulary: 4096, width: 64 } } })
  })
})
