import { argv, stdin, version } from 'node:process'
import { createInterface } from 'node:readline'
import { createEngine } from '../../src/lab/train/kernels/engine.js'
import { createLanguageModel } from '../../src/lab/train/lm/language-model.js'
import { startPartner } from '../../src/lab/train/lm/partner/partner.js'
import type { Rollout, RolloutTurn } from '../../src/lab/train/lm/rollouts.js'
import { type JudgedRollout, type UpdateOptions, updatePolicy } from '../../src/lab/train/lm/update.js'
import { openVoices, type Voices } from '../../src/lab/train/lm/voices.js'
import type { TokenGrpoOptions } from '../../src/lab/train/objectives/token-grpo.js'
import { createAdamW, DEFAULT_ADAMW } from '../../src/lab/train/optimiser/adamw.js'
import { seededRandom } from '../../src/stats/random.js'
import type { LmAnswer, LmRequest, Part } from './contest.js'
import { GROUP, type PlannedTurn, readWork } from './work.js'

/** klens as a contestant of `npm run bench -- lm`, with as many threads as its second argument says: what a trainer of language models does in a step, on the given work. */

const work = readWork(argv[2])
const { settings, shape } = work
const objective: TokenGrpoOptions = {
  clip: { low: settings.clipRatio, high: settings.clipRatio, dual: settings.dualClip },
  ratio: 'token',
  klCoefficient: settings.klCoefficient,
  klEstimator: 'k3',
  entropyCoefficient: settings.entropyCoefficient,
}
const options: UpdateOptions = {
  ...{ objective, aggregation: 'token-mean', longestResponse: 160, temperature: 1 },
  learningRate: settings.learningRate,
}

console.log(JSON.stringify({ version: `Node ${version}` }))
for await (const line of createInterface({ input: stdin })) {
  const request: LmRequest = JSON.parse(line)
  console.log(JSON.stringify(request.what === 'given' ? onGiven(request.steps) : await training(request.steps)))
}

function createModels() {
  const engine = createEngine('float32')
  const policy = createLanguageModel(engine, shape)
  const reference = createLanguageModel(engine, shape, { trainable: false })
  for (const { parameters } of [policy, reference]) parameters.load(work.values)
  const { weightDecay, clip } = settings
  const optimiser = createAdamW(policy.parameters, { ...DEFAULT_ADAMW, weightDecay, clipNorm: clip })
  return { policy, reference, optimiser }
}

function onGiven(steps: number) {
  const { policy, reference, optimiser } = createModels()
  const done = Array.from({ length: steps }, () => {
    const batch = work.given.map(({ tokens, scored, advantage, moved }): JudgedRollout => {
      const { logProbs } = policy.score([{ tokens, scored }])
      let at = 0
      const turns = runsOf(scored).map(
        ({ first, length }): RolloutTurn => ({
          ...{ first, reward: 0 },
          logProbs: Array.from({ length }, () => logProbs[at] + moved[at++]),
        }),
      )
      return { rollout: { tokens, turns }, advantages: new Float64Array(moved.length).fill(advantage) }
    })
    return updatePolicy(policy, reference, optimiser, batch, options)
  })
  return { losses: done.map(({ loss }) => loss), norms: done.map(({ gradientNorm }) => gradientNorm) }
}

function runsOf(scored: readonly number[]): readonly { readonly first: number; readonly length: number }[] {
  const runs: { first: number; length: number }[] = []
  scored.forEach((isScored, i) => {
    if (isScored !== 1) return
    if (scored[i - 1] !== 1) runs.push({ first: i, length: 0 })
    runs[runs.length - 1].length++
  })
  return runs
}

async function training(steps: number): Promise<LmAnswer> {
  const { policy, reference, optimiser } = createModels()
  const size = { count: work.plans.length, capacity: 160 }
  const partner = argv[3] === '2' ? startPartner(policy, size) : null
  const voices = openVoices(policy, size, partner)
  const random = seededRandom(0)
  const advantages = work.plans.map(() => random.normal())
  const answer: LmAnswer = {
    rollout: { seconds: [], cpuSeconds: [] },
    update: { seconds: [], cpuSeconds: [] },
    evaluation: { seconds: [], cpuSeconds: [] },
  }
  function timed<Result>(part: Part, done: () => Result): Result {
    const cpuBefore = process.cpuUsage()
    const start = performance.now()
    const result = done()
    const { user, system } = process.cpuUsage(cpuBefore)
    answer[part].seconds.push((performance.now() - start) / 1000)
    answer[part].cpuSeconds.push((user + system) / 1e6)
    return result
  }
  for (let step = 0; step < steps; step++) {
    const rollouts = timed('rollout', () => dialogues(voices, work.prompts, GROUP, work.plans, step))
    const batch = rollouts.map(
      (rollout, i): JudgedRollout => ({
        rollout,
        advantages: Float64Array.from(rollout.turns.flatMap(turn => turn.logProbs.map(() => advantages[i]))),
      }),
    )
    timed('update', () => updatePolicy(policy, reference, optimiser, batch, options, partner))
    if (step % 5 !== 0) continue
    timed('evaluation', () => dialogues(voices, work.evaluationPrompts, 1, work.evaluationPlans, null))
  }
  await partner?.stop()
  return answer
}

/** `copies` rollouts of each prompt by their plans; greedy where there is no seed. */
function dialogues(
  voices: Voices,
  prompts: readonly (readonly number[])[],
  copies: number,
  plans: readonly (readonly PlannedTurn[])[],
  seed: number | null,
): readonly Rollout[] {
  voices.begin(plans.length)
  for (const [i, prompt] of prompts.entries()) voices.append(i * copies, prompt)
  // The last token of a prompt is left to be computed by each rollout, which draws its first token from it.
  voices.prepare(prompts.map((_, i) => i * copies))
  plans.forEach((_, slot) => {
    if (slot % copies !== 0) voices.fork(slot - (slot % copies), slot)
  })
  const speakers = plans.map((_, slot) => ({ slot, random: seededRandom(1000 * (seed ?? 0) + slot) }))
  const turnsOf = plans.map((): RolloutTurn[] => [])
  const decoding =
    seed === null ? ({ kind: 'greedy' } as const) : ({ kind: 'sample', temperature: 1, topP: 1 } as const)
  for (let turn = 0; ; turn++) {
    const speaking = speakers.flatMap(each =>
      turn < plans[each.slot].length ? [{ ...each, limit: plans[each.slot][turn].own }] : [],
    )
    if (speaking.length === 0) break
    const first = speaking.map(({ slot }) => voices.tokens(slot).length)
    voices.speak(speaking, { decoding, stop: [] }).forEach((said, i) => {
      turnsOf[said.slot].push({ first: first[i], logProbs: said.logProbs, reward: 0 })
      voices.append(said.slot, plans[said.slot][turn].reply)
    })
  }
  return turnsOf.map((turns, slot) => ({ tokens: [...voices.tokens(slot)], turns }))
}
