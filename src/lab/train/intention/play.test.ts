import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallIntention } from '../../../../test/support/small-intention.js'
import { sharedWorkspace } from '../../../../test/workspace.js'
import { seededRandom } from '../../../stats/random.js'
import { playDialogue } from '../../gym/rollout.js'
import { NEVER_YIELD } from '../event-loop.js'
import { createEngine } from '../kernels/engine.js'
import { saveModel } from '../lm/checkpoint/model-folder.js'
import { createLanguageModel } from '../lm/language-model.js'
import { openVoices } from '../lm/voices.js'
import { type GymSetup, openGymSetup } from './gym-setup.js'
import { type Players, playDialogues } from './play.js'
import { checkpointPolicy } from './policy.js'
import { startModel } from './start.js'

const workspace = sharedWorkspace()
const config = smallIntention({ gym: { max_turns: 4, turn_tokens: 48 }, start: { steps: 30, habits: 4, batch: 8 } })
let setup: GymSetup
let players: Players
let folder: string

beforeAll(async () => {
  setup = await openGymSetup(config, workspace(), {})
  const engine = createEngine('float32')
  const { shape, tokenizer, values } = await startModel(workspace(), config, setup, engine, NEVER_YIELD)
  const model = createLanguageModel(engine, shape)
  model.parameters.load(values)
  players = {
    model,
    tokenizer,
    voices: openVoices(model, { count: 12, capacity: shape.positions }, null),
    partner: null,
  }
  folder = join(workspace().root, 'model')
  await saveModel(folder, { shape, parameters: model.parameters, tokenizer }, {})
})

const greedy = () => ({ rules: setup.validationRules, decoding: { kind: 'greedy' }, turnTokens: 48 }) as const

describe('dialogues in lock-step', () => {
  it('are those that the checkpoint has alone in any gym', async () => {
    const tasks = setup.validationTasks
    const plan = tasks.map(task => ({ task, attempts: [seededRandom(0)] }))
    const together = await playDialogues(players, setup.gym, plan, greedy())
    const policy = await checkpointPolicy<(typeof tasks)[number]>(folder, { label: 'it', temperature: 0 })
    for (const [i, task] of tasks.entries()) {
      const alone = await playDialogue(setup.gym, policy, { task, repeat: 0 }, setup.validationRules)
      expect(together[i].dialogue).toEqual(alone)
    }
  })

  it('mark as own what the policy said, and nothing that it was told', async () => {
    const [task] = setup.trainTasks
    const attempts = [1, 2, 3].map(seededRandom)
    const sampled = { ...greedy(), decoding: { kind: 'sample', temperature: 1, topP: 1 } } as const
    for (const { rollout, dialogue } of await playDialogues(players, setup.gym, [{ task, attempts }], sampled)) {
      expect(rollout.turns).toHaveLength(dialogue.turns.length)
      for (const [i, { first, logProbs }] of rollout.turns.entries()) {
        const own = rollout.tokens.slice(first, first + logProbs.length)
        expect(players.tokenizer.decode(own, { skipSpecial: true })).toBe(dialogue.turns[i].said)
      }
      const scored = players.model.score([
        { tokens: rollout.tokens, scored: rollout.tokens.map((_, at) => (isOwn(rollout.turns, at) ? 1 : 0)) },
      ])
      expect([...scored.logProbs]).toEqual(rollout.turns.flatMap(({ logProbs }) => [...logProbs]))
    }
  })
})

function isOwn(
  turns: readonly { readonly first: number; readonly logProbs: readonly number[] }[],
  at: number,
): boolean {
  return turns.some(({ first, logProbs }) => at >= first && at < first + logProbs.length)
}
