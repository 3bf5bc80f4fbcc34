/** Checkpoints against Hugging Face's library (fixtures/checkpoint, made by bench/lm/make-fixture.ts), and against ourselves. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../stats/random.js'
import { createEngine } from '../../kernels/engine.js'
import { createAdamW } from '../../optimiser/adamw.js'
import { type ChatMessage, chatText, chatTokens, END } from '../chat.js'
import { speak } from '../generate.js'
import { createLanguageModel } from '../language-model.js'
import { openSlots } from '../slots.js'
import { supervisedStep } from '../update.js'
import { loadModel, saveModel } from './model-folder.js'
import { loadTrainingState, saveTrainingState } from './training-file.js'

const FIXTURE = fileURLToPath(new URL('../fixtures/checkpoint', import.meta.url))

interface Questions {
  readonly prompts: readonly (readonly ChatMessage[])[]
  readonly texts: readonly string[]
  readonly limit: number
}

interface Answers {
  readonly problems: Readonly<Record<string, readonly string[]>>
  readonly model: string
  readonly chats: readonly string[]
  readonly continuations: readonly { readonly tokens: readonly number[]; readonly text: string }[]
  readonly tokens: readonly (readonly number[])[]
  readonly decoded: readonly string[]
}

const fixture = (name: string) => JSON.parse(readFileSync(join(FIXTURE, name), 'utf8'))
const questions: Questions = fixture('questions.json')
const answers: Answers = fixture('answers.json')
const { shape, values, tokenizer, contentHash } = await loadModel(FIXTURE)

function loadedModel() {
  const model = createLanguageModel(createEngine('float32'), shape)
  model.parameters.load(values)
  return model
}

describe("a checkpoint in Hugging Face's library", () => {
  it('loads as a Qwen3 without a tensor missing or left over', () => {
    expect(answers.model).toBe('Qwen3ForCausalLM')
    expect(answers.problems).toEqual({})
  })

  it('says greedily what klens says, in 100 dialogues', () => {
    const model = loadedModel()
    const { prompts, limit } = questions
    expect(prompts.length).toBe(100)
    const slots = openSlots(model, { count: prompts.length, capacity: shape.positions })
    for (const [slot, messages] of prompts.entries()) {
      slots.append(slot, chatTokens(tokenizer, messages, { isToBeAnswered: true }).tokens)
    }
    const speakers = prompts.map((_, slot) => ({ slot, random: seededRandom(0), limit }))
    const stop = [tokenizer.markId(END)]
    const turns = speak(model, slots, speakers, { decoding: { kind: 'greedy' }, stop })
    expect(turns.map(({ tokens }) => ({ tokens, text: tokenizer.decode(tokens) }))).toEqual(answers.continuations)
    expect(new Set(answers.continuations.map(({ text }) => text)).size).toBeGreaterThan(10)
  })

  it('writes a chat as klens does', () => {
    expect(questions.prompts.map(messages => chatText(messages, { isToBeAnswered: true }))).toEqual(answers.chats)
  })

  it('cuts texts into the same tokens and puts them together again', () => {
    expect(questions.texts.map(text => tokenizer.encode(text))).toEqual(answers.tokens)
    expect(answers.tokens.map(tokens => tokenizer.decode(tokens))).toEqual(answers.decoded)
    expect(answers.decoded).toEqual(questions.texts)
  })
})

describe('a checkpoint', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'klens-lm-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const saved = () => ({ shape, parameters: loadedModel().parameters, tokenizer })

  it('has the same bytes when it is loaded and saved again', async () => {
    const path = join(folder, 'again')
    expect(await saveModel(path, saved(), {})).toBe(contentHash)
    const names = readdirSync(path)
    expect(names.length).toBe(6)
    for (const name of names) expect(readFileSync(join(path, name)), name).toEqual(readFileSync(join(FIXTURE, name)))
  })

  it('replaces an earlier one of the same name and leaves nothing beside it', async () => {
    const path = join(folder, 'step')
    await saveModel(path, saved(), { step: 1 })
    await saveModel(path, saved(), { step: 2 })
    expect((await loadModel(path)).about.step).toBe(2)
    expect(readdirSync(folder)).toEqual(['step'])
  })

  it('is refused in a sentence when its weights were changed, or it is something else', async () => {
    const path = join(folder, 'model')
    await saveModel(path, saved(), {})
    const weights = readFileSync(join(path, 'model.safetensors'))
    weights[weights.length - 1] ^= 1
    writeFileSync(join(path, 'model.safetensors'), weights)
    await expect(loadModel(path)).rejects.toMatchObject({ code: 'damaged' })
    const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8'))
    writeFileSync(join(path, 'config.json'), JSON.stringify({ ...config, tie_word_embeddings: false }))
    await expect(loadModel(path)).rejects.toMatchObject({ code: 'unreadable' })
    await expect(loadModel(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('lets a training go on as if it had never stopped, to the bit', async () => {
    const sequences = questions.prompts.slice(0, 8).map(messages => ({
      tokens: chatTokens(tokenizer, messages).tokens,
      scored: chatTokens(tokenizer, messages).tokens.map(() => 1),
    }))
    const random = seededRandom(4)
    const drawn = () => [sequences[random.below(8)], sequences[random.below(8)]]
    const model = loadedModel()
    const optimiser = createAdamW(model.parameters)
    for (let step = 0; step < 3; step++) supervisedStep(model, optimiser, drawn(), 1e-3)
    const path = join(folder, 'middle')
    await saveModel(path, { shape, parameters: model.parameters, tokenizer }, {}, beside =>
      saveTrainingState(beside, model.parameters.all, {
        ...{ optimiser: optimiser.state(), random: random.state(), reference: null, trainer: { step: 3 } },
      }),
    )
    const wholeRun = [0, 1].map(() => supervisedStep(model, optimiser, drawn(), 1e-3))

    const resumed = createLanguageModel(createEngine('float32'), shape)
    resumed.parameters.load((await loadModel(path)).values)
    const state = await loadTrainingState(path)
    if (state === null) throw new Error('the training state is not whole')
    expect(state.trainer).toEqual({ step: 3 })
    const resumedOptimiser = createAdamW(resumed.parameters)
    resumedOptimiser.restore(state.optimiser)
    random.restore(state.random)
    expect([0, 1].map(() => supervisedStep(resumed, resumedOptimiser, drawn(), 1e-3))).toEqual(wholeRun)
    expect(resumed.parameters.read()).toEqual(model.parameters.read())
  })

  it('has no training state when that was torn', async () => {
    const path = join(folder, 'torn')
    const model = loadedModel()
    await saveModel(path, { shape, parameters: model.parameters, tokenizer }, {}, beside =>
      saveTrainingState(beside, model.parameters.all, {
        ...{
          optimiser: createAdamW(model.parameters).state(),
          random: seededRandom(1).state(),
          reference: null,
          trainer: {},
        },
      }),
    )
    const file = join(path, 'training.safetensors')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 8))
    expect(await loadTrainingState(path)).toBeNull()
    writeFileSync(file, bytes.fill(1, bytes.length - 8))
    expect(await loadTrainingState(path)).toBeNull()
  })
})
