/**
 * Where the language model's training starts: a tokenizer of the tasks' own words, and a decoder that has imitated scripted
 * dialogues: first diligent ones, then some with bad habits. It knows more than it earns, as a pretrained model does. Of
 * klens's own requests each is seen once; those of a file come round again and again, each time asked about in other words.
 *
 * The same settings and seed give the same model, so it is kept in the workspace's cache under a hash of what made it;
 * deleting it costs the time to make it again.
 */

import { join } from 'node:path'
import { cacheFolder, type Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { type Random, seededRandom, shuffled } from '../../../stats/random.js'
import { practiceTasks } from '../../gym/intention/own/tasks.js'
import { scriptedPolicy } from '../../gym/policies/scripted.js'
import { playDialogue } from '../../gym/rollout.js'
import { nullIfUnreadable } from '../checkpoint.js'
import { canonicalJson } from '../config/hash.js'
import type { IntentionConfig } from '../config/language-settings.js'
import type { YieldToEventLoop } from '../event-loop.js'
import { createEngine, type Engine } from '../kernels/engine.js'
import { type ChatMessage, chatText, chatTokens } from '../lm/chat.js'
import { loadModel, saveModel } from '../lm/checkpoint/model-folder.js'
import { createLanguageModel } from '../lm/language-model.js'
import { DEFAULT_DECODER, type DecoderShape, initialiseDecoder } from '../lm/shape.js'
import type { Tokenizer } from '../lm/tokenizer/tokenizer.js'
import { trainTokenizer } from '../lm/tokenizer/train-tokenizer.js'
import { supervisedStep } from '../lm/update.js'
import { createAdamW } from '../optimiser/adamw.js'
import { learningRateAt } from '../schedules/learning-rate.js'
import type { Values } from '../training-state.js'
import { type GymSetup, openGymSetup } from './gym-setup.js'
import { taskPhrasing } from './phrasing.js'
import { dialogueMessages, GYM_MARKS } from './speech.js'

export interface StartModel {
  readonly shape: DecoderShape
  readonly tokenizer: Tokenizer
  readonly values: Values
}

/** To be counted up when the same dialogues come to teach another model. */
const RECIPE = 1
/** Dialogues that stand for all: whatever changes them, changes these. */
const SAMPLED_DIALOGUES = 200

export async function startModel(
  workspace: Workspace,
  config: IntentionConfig,
  setup: GymSetup,
  engine: Engine,
  yieldToEventLoop: YieldToEventLoop,
): Promise<StartModel> {
  const seed = config.start.seed ?? config.seed
  const { start, model } = config
  const some = await scriptedDialogues('novice', SAMPLED_DIALOGUES, config, setup, seededRandom(seed))
  const { lessonTasks, trainTasks } = setup
  const made = canonicalJson({
    recipe: RECIPE,
    dialogues: sha256(JSON.stringify(some)),
    ...(lessonTasks !== null && { tasks: sha256(JSON.stringify([lessonTasks, trainTasks])) }),
    start: { ...start, seed },
    model,
  })
  const folder = join(cacheFolder(workspace), 'starts', sha256(made).slice(0, 24))
  const kept = await nullIfUnreadable(loadModel(folder))
  if (kept !== null) return kept
  const learned = await learnedModel(config, setup, seed, engine, yieldToEventLoop)
  await saveModel(folder, learned, { settings: made })
  return { ...learned, values: learned.parameters.read() }
}

/** Makes the starts that several of these trainings share, before they begin beside each other and each makes it again. */
export async function makeSharedStarts(
  workspace: Workspace,
  configs: readonly IntentionConfig[],
  yieldToEventLoop: YieldToEventLoop,
): Promise<void> {
  const alike = new Map<string, readonly IntentionConfig[]>()
  for (const config of configs) {
    const { start, model, gym, data, seed } = config
    const key = canonicalJson({ start: { ...start, seed: start.seed ?? seed }, model, gym, data })
    alike.set(key, [...(alike.get(key) ?? []), config])
  }
  for (const [first, ...others] of alike.values()) {
    if (others.length === 0) continue
    // Scripted dialogues are about the embedded user, so no key is needed.
    const setup = await openGymSetup(first, workspace, {})
    await startModel(workspace, first, setup, createEngine('float32'), yieldToEventLoop)
  }
}

const WARMUP_STEPS = 50
const LAST_RATE = 0.05
const HABIT_RATE = 0.2
/** Dialogues that the tokenizer is made of: enough for every word to occur. */
const TOKENIZER_DIALOGUES = 2000

async function learnedModel(
  config: IntentionConfig,
  setup: GymSetup,
  seed: number,
  engine: Engine,
  yieldToEventLoop: YieldToEventLoop,
) {
  const { steps, habits, batch } = config.start
  const random = seededRandom(seed)
  const dialogues = [
    ...(await scriptedDialogues('diligent', steps * batch, config, setup, random)),
    ...(await scriptedDialogues('novice', habits * batch, config, setup, random)),
  ]
  const heard = dialogues.slice(0, TOKENIZER_DIALOGUES).map(messages => chatText(messages))
  const tokenizer = trainTokenizer([...heard, ...wordsOf(setup)], { size: config.model.vocabulary, marks: GYM_MARKS })
  const shape = shapeOf(config, tokenizer)
  const model = createLanguageModel(engine, shape)
  initialiseDecoder(model.parameters, shape, random)
  const optimiser = createAdamW(model.parameters)
  const total = steps + habits
  for (let step = 0; step < total; step++) {
    const some = dialogues.slice(step * batch, (step + 1) * batch).map(messages => chatTokens(tokenizer, messages))
    supervisedStep(model, optimiser, some, lessonRate(step, config.start))
    await yieldToEventLoop(step + 1, total)
  }
  return { shape, tokenizer, parameters: model.parameters }
}

/** A long lesson that fades out, and a short one: habits are learned faster than what there is to know. */
function lessonRate(step: number, { steps, habits, lr: peak }: IntentionConfig['start']): number {
  const warmup = (count: number) => ({ ratio: 0, steps: count, from: 'stride' }) as const
  if (step < steps) {
    const long = { schedule: 'cosine', warmup: warmup(WARMUP_STEPS), min_ratio: LAST_RATE } as const
    return learningRateAt(step, steps, peak, long)
  }
  const short = { schedule: 'linear', warmup: warmup(0), min_ratio: 0 } as const
  return learningRateAt(step - steps, habits, HABIT_RATE * peak, short)
}

async function scriptedDialogues(
  script: 'diligent' | 'novice',
  count: number,
  { gym: { language, max_turns: questions } }: IntentionConfig,
  { lessonGym: gym, lessonTasks, trainRules }: GymSetup,
  random: Random,
): Promise<readonly (readonly ChatMessage[])[]> {
  const phrasing = lessonTasks === null ? {} : { phrasing: taskPhrasing(lessonTasks, language) }
  const policy = scriptedPolicy(script, { language, questions, ...phrasing })
  const lessons = lessonTasks === null ? practiceTasks(count, language, random) : rounds(lessonTasks, count, random)
  const dialogues: (readonly ChatMessage[])[] = []
  for (const [repeat, task] of lessons.entries()) {
    const dialogue = await playDialogue(gym, policy, { task, repeat }, trainRules)
    dialogues.push(dialogueMessages(gym.prompts(task), dialogue))
  }
  return dialogues
}

/** All of them in one order after the other, so many in all. */
function rounds<Item>(items: readonly Item[], count: number, random: Random): readonly Item[] {
  const drawn: Item[] = []
  while (drawn.length < count) drawn.push(...shuffled(items, random))
  return drawn.slice(0, count)
}

/** The words of all tasks that are trained on, also those that no dialogue of the start is about; never those of a test. */
function wordsOf({ lessonTasks, trainTasks }: GymSetup): readonly string[] {
  if (lessonTasks === null) return []
  return [...lessonTasks, ...trainTasks].map(({ category, task, missing_details: details }) =>
    [
      category,
      task,
      ...details.flatMap(({ description, inquiry, options }) => [description, inquiry, ...options]),
    ].join(' '),
  )
}

function shapeOf({ model }: IntentionConfig, { size }: Tokenizer): DecoderShape {
  const { width, layers, heads, inner, key_heads: keyHeads, head_width: headWidth, context: positions } = model
  return { ...DEFAULT_DECODER, vocabulary: size, width, layers, heads, keyHeads, headWidth, inner, positions }
}
