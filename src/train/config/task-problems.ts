import type { Message } from '../../model/run.js'
import { message } from '../../text/say.js'
import type { TrainConfig } from './schema.js'

/** What a task needs and was not told, or was told and cannot use. Nothing here repeats a value that may be a secret. */
export function taskProblems(config: TrainConfig): readonly Message[] {
  const { task, data, policy } = config
  const problems: Message[] = []
  if (task !== 'lever' && policy.shots > data.candidates) {
    problems.push(message('train-config.shots', { shots: policy.shots, candidates: data.candidates }))
  }
  if (task !== 'lever' && config.epochs.rce > 0 && proposalCount(config) < 2) {
    problems.push(message('train-config.no-proposals', {}))
  }
  if (task !== 'lever' && data.val !== null) problems.push(message('train-config.val-not-lever', { task }))
  if (task === 'digits') return problems
  const needed = {
    'data.train': data.train,
    'data.query_embeddings': data.query_embeddings,
    ...(data.examples !== null && { 'data.candidate_embeddings': data.candidate_embeddings }),
  }
  for (const [key, value] of Object.entries(needed)) {
    if (value === null) problems.push(message('train-config.task-needs', { task, key }))
  }
  const shares = (data.val_share ?? 0) + (data.test_share ?? 0)
  if (shares >= 1) problems.push(message('train-config.shares', { shares: String(shares) }))
  return task === 'llm' ? [...problems, ...endpointProblems(config)] : problems
}

function proposalCount({ group }: TrainConfig): number {
  const { beams, temperatures, samples, random, retrieval } = group.proposals
  return beams + temperatures.length * samples + random + retrieval
}

/** By convention, and so that a key pasted here by mistake is told from a name. */
const VARIABLE_NAME = /^[A-Z_][A-Z0-9_]*$/

function endpointProblems({ llm }: TrainConfig): readonly Message[] {
  const problems: Message[] = []
  for (const [key, value] of [
    ['llm.url', llm.url],
    ['llm.model', llm.model],
  ] as const) {
    if (value === null) problems.push(message('train-config.llm-needs', { key }))
  }
  if (llm.url !== null && !isEndpoint(llm.url)) problems.push(message('train-config.llm-url', {}))
  if (llm.key_env !== null && !VARIABLE_NAME.test(llm.key_env)) problems.push(message('train-config.key-name', {}))
  return problems
}

/** A user, a password or a query in the address could hold a key, and the address is written into the run. */
function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}
