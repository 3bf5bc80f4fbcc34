import { join } from 'node:path'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import type { TrainConfig } from './config/selector-settings.js'
import { digitsTask } from './tasks/digits/digits.js'
import { leverTask } from './tasks/lever/lever.js'
import { llmTask } from './tasks/llm/llm.js'
import type { SplitOptions, Task } from './tasks/task.js'

/** Variables of the process, among them the keys of endpoints. */
export type Environment = { readonly [variable: string]: string | undefined }

/** The task that a config names, with its data read and checked. Throws a Problem where the data or the key does not hold. */
export async function openTask(config: TrainConfig, workspace: Workspace, environment: Environment): Promise<Task> {
  const { task, data } = config
  if (task === 'digits') return digitsTask({ poolSize: data.candidates, width: data.width, seed: data.draw })
  const queryEmbeddings = needed(config, 'data.query_embeddings', data.query_embeddings)
  const candidateEmbeddings = data.candidate_embeddings ?? queryEmbeddings
  const train = needed(config, 'data.train', data.train)
  if (task === 'llm') {
    const apiKey = config.llm.key_env === null ? undefined : keyIn(environment, config.llm.key_env)
    return openLlm(config, workspace, apiKey, {
      queries: { items: train, embeddings: queryEmbeddings },
      examples: { items: data.examples ?? train, embeddings: candidateEmbeddings },
    })
  }
  const { val: validation, fallback, methods, candidates: poolSize } = data
  const files = { data: train, validation, queryEmbeddings, candidateEmbeddings }
  return leverTask({ ...files, fallback, methods, poolSize, split: splitIn(config) })
}

type LlmSources = Pick<Parameters<typeof llmTask>[0], 'queries' | 'examples'>

/** Answers were paid for, so they lie beside the runs and not in the cache, which may be deleted at any time. */
async function openLlm(
  config: TrainConfig,
  { root }: Workspace,
  apiKey: string | undefined,
  sources: LlmSources,
): Promise<Task> {
  const { data, llm } = config
  return llmTask({
    ...sources,
    endpoint: {
      url: needed(config, 'llm.url', llm.url),
      model: needed(config, 'llm.model', llm.model),
      ...(apiKey !== undefined && { apiKey }),
      temperature: llm.temperature,
      maxTokens: llm.max_tokens,
      beams: llm.beams,
      concurrency: llm.concurrency,
      ...(llm.requests_per_minute !== null && { requestsPerMinute: llm.requests_per_minute }),
      attempts: llm.attempts,
      timeoutSeconds: llm.timeout,
    },
    cacheFolder: llm.cache_dir ?? join(root, 'answers'),
    metric: llm.metric,
    template: llm.prompt,
    answer: llm.answer,
    images: llm.images,
    imageFolder: data.images,
    poolSize: data.candidates,
    pool: llm.pool,
    seed: data.draw,
    split: splitIn(config),
  })
}

/** Shares that were not set stay the task's own. */
function splitIn({ data }: TrainConfig): Partial<SplitOptions> {
  return {
    ...(data.val_share !== null && { validationShare: data.val_share }),
    ...(data.test_share !== null && { testShare: data.test_share }),
    order: data.split,
    draw: data.draw,
  }
}

/** Only what an HTTP header can carry; a line break in it would be shown again in an error message. */
const HEADER_SAFE = /^[\x21-\x7e]+$/

export function keyIn(environment: Environment, variable: string): string {
  const key = environment[variable]?.trim() ?? ''
  if (key === '') throw new Problem('bad-request', message('llm.no-key', { variable }))
  if (!HEADER_SAFE.test(key)) throw new Problem('bad-request', message('llm.bad-key', { variable }))
  return key
}

function needed(config: TrainConfig, key: string, value: string | null): string {
  if (value === null) throw new Problem('bad-request', message('train-config.task-needs', { task: config.task, key }))
  return value
}
