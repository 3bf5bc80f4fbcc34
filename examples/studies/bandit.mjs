/**
 * A training loop of somebody's own, small enough to read: a softmax policy over five actions, policy gradient with a KL
 * penalty to where it began. It writes metrics.jsonl and checkpoints into --out, goes on with --resume, and knows nothing
 * of klens. Started by bandit-kl.yaml.
 */
import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '60' },
    lr: { type: 'string', default: '0.2' },
    'kl.loss.coef': { type: 'string', default: '0' },
    'pause.ms': { type: 'string', default: '0' },
    resume: { type: 'string' },
  },
})

const REWARDS = [0.2, 0.3, 0.4, 0.5, 0.8]
const EVALUATE_EVERY = 5
const SAVE_EVERY = 20
const [seed, steps, lr, klCoefficient, pause] = ['seed', 'steps', 'lr', 'kl.loss.coef', 'pause.ms'].map(key => Number(values[key]))
const metrics = join(values.out, 'metrics.jsonl')
const checkpoints = join(values.out, 'checkpoints')
mkdirSync(checkpoints, { recursive: true })

let { step, logits, state, bytes } =
  values.resume === undefined
    ? { step: 0, logits: REWARDS.map(() => 0), state: seed * 2654435761, bytes: 0 }
    : JSON.parse(readFileSync(values.resume, 'utf8'))
// What was logged behind the checkpoint will be logged again.
if (values.resume === undefined) writeFileSync(metrics, '')
else truncateSync(metrics, bytes)

/** A generator that a checkpoint can hold (Steele and Vigna's mulberry32). */
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

function softmax(scores) {
  const most = Math.max(...scores)
  const weights = scores.map(score => Math.exp(score - most))
  const sum = weights.reduce((a, b) => a + b)
  return weights.map(weight => weight / sum)
}

function drawn(probabilities) {
  let left = random()
  const action = probabilities.findIndex(probability => {
    left -= probability
    return left < 0
  })
  return action < 0 ? probabilities.length - 1 : action
}

while (step < steps) {
  step += 1
  const policy = softmax(logits)
  const group = Array.from({ length: 8 }, () => {
    const action = drawn(policy)
    return { action, reward: random() < REWARDS[action] ? 1 : 0 }
  })
  const mean = group.reduce((sum, { reward }) => sum + reward, 0) / group.length
  const kl = policy.reduce((sum, p) => sum + p * Math.log(p * policy.length), 0)
  logits = logits.map((logit, i) => {
    const policyGradient = group.reduce((sum, { action, reward }) => sum + (reward - mean) * ((action === i ? 1 : 0) - policy[i]), 0)
    const klGradient = policy[i] * (Math.log(policy[i] * policy.length) - kl)
    return logit + lr * (policyGradient / group.length - klCoefficient * klGradient)
  })
  const score = softmax(logits).reduce((sum, p, i) => sum + p * REWARDS[i], 0)
  const row = { step, 'reward.mean': mean, 'kl.ref': kl, ...(step % EVALUATE_EVERY === 0 && { 'val.score': score }) }
  appendFileSync(metrics, `${JSON.stringify(row)}\n`)
  if (step % SAVE_EVERY === 0 || step === steps) {
    const kept = { step, logits, state, bytes: readFileSync(metrics).length }
    writeFileSync(join(checkpoints, `step-${step}.json`), JSON.stringify(kept))
  }
  if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
}
console.log(`done after ${step} steps`)
