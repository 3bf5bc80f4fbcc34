import { createHash } from 'node:crypto'
import { message } from '../../../text/say.js'
import { scoredBaselines } from '../baselines.js'
import { checkWidths, readEmbeddings } from '../embedding-file.js'
import { type Embeddings, positionsFromLargest, rowOf, similarities } from '../embeddings.js'
import { randomChoice, randomForQuery } from '../groups.js'
import { type Choice, missing, type Outcome, type Query, type Split, type Task } from '../task.js'
import { TaskError } from '../task-error.js'
import { firstLine, type Metric, scoreAnswer } from './answer-score.js'
import { openResponseCache } from './cache.js'
import { type EndpointOptions, openEndpoint } from './endpoint.js'
import { type Item, readItems } from './items.js'
import { buildMessages, DEFAULT_TEMPLATE, type PromptTemplate } from './prompt.js'

/**
 * A language model scores: it is shown the chosen examples and asked the query, and its answer is compared with the
 * right ones. Any OpenAI-compatible endpoint will do. Answers are kept on disk, so a training that is run again, or
 * resumed, pays for nothing twice; a question that stays unanswered is a missing reward.
 */
export interface LlmOptions {
  readonly queries: ItemSource
  /** May be the same files as for queries; a query is then never its own example. */
  readonly examples: ItemSource
  readonly endpoint: EndpointOptions
  readonly cacheFolder: string
  readonly metric?: Metric
  readonly template?: PromptTemplate
  readonly poolSize?: number
  /** Random, as the original draws its pools, or the most similar. */
  readonly pool?: 'random' | 'retrieval'
  readonly seed?: number
}

export interface ItemSource {
  /** JSON lines (items.ts). */
  readonly items: string
  /** One row for each item. */
  readonly embeddings: string
}

/** Of queries that do not say themselves which split they belong to. */
const TRAIN_SHARE = 0.8
const VALIDATION_SHARE = 0.1

export async function llmTask(options: LlmOptions): Promise<Task> {
  const { metric = 'vqa', template = DEFAULT_TEMPLATE, poolSize = 64, pool = 'random', seed = 0 } = options
  const asked = await readSource(options.queries)
  const shown = await readSource(options.examples)
  checkWidths(asked.embeddings, options.queries.embeddings, shown.embeddings, options.examples.embeddings)
  const ask = openEndpoint(options.endpoint, openResponseCache(options.cacheFolder))

  const sameFile = options.queries.items === options.examples.items
  const queries = asked.items.map((item, index): Query => {
    const query = { index, id: item.id, split: item.split ?? splitAt(index, asked.items.length), row: index }
    const usable = Int32Array.from(shown.items.keys()).filter(row => !(sameFile && row === index))
    if (usable.length < poolSize) {
      const file = options.examples.items
      throw new TaskError(
        message('llm.too-few-examples', { file, record: item.id, examples: usable.length, size: poolSize }),
      )
    }
    const order =
      pool === 'random'
        ? randomChoice({ ...query, pool: usable }, poolSize, randomForQuery(seed, { ...query, pool: usable }))
        : positionsFromLargest(similarities(rowOf(asked.embeddings, index), shown.embeddings, usable))
    return { ...query, pool: Int32Array.from(order.slice(0, poolSize), position => usable[position]) }
  })

  async function scoreOne(query: Query, choice: Choice): Promise<Outcome> {
    const item = asked.items[query.index]
    const examples = choice.map(position => shown.items[query.pool[position]])
    const reply = await ask(await buildMessages(template, examples, item))
    if (reply.kind === 'missing') return missing(reply.reason)
    return { kind: 'scored', ...scoreAnswer(metric, firstLine(reply.text), item.answers) }
  }

  const { url, model, maxTokens } = options.endpoint
  const settings = JSON.stringify({ metric, template, poolSize, pool, seed, url, model, maxTokens })
  const task: Task = {
    name: 'llm',
    dataHash: createHash('sha256').update(asked.hash).update(shown.hash).update(settings).digest('hex'),
    queryEmbeddings: asked.embeddings,
    candidateEmbeddings: shown.embeddings,
    queries,
    logged: [],
    remarks: [],
    score: (query, choices) => Promise.all(choices.map(choice => scoreOne(query, choice))),
    // Each random draw is a request that somebody pays for.
    baselines: wanted => scoredBaselines(task, { draws: 1, ...wanted }, null),
  }
  return task
}

interface Source {
  readonly items: readonly Item[]
  readonly embeddings: Embeddings
  readonly hash: string
}

async function readSource(source: ItemSource): Promise<Source> {
  const { items, hash } = await readItems(source.items)
  const file = await readEmbeddings(source.embeddings)
  if (file.embeddings.rows !== items.length) {
    throw new TaskError(
      message('llm.rows-differ', {
        file: source.items,
        items: items.length,
        embeddings: source.embeddings,
        rows: file.embeddings.rows,
      }),
    )
  }
  return { items, embeddings: file.embeddings, hash: `${hash}${file.hash}` }
}

function splitAt(index: number, count: number): Split {
  if (index < Math.floor(count * TRAIN_SHARE)) return 'train'
  return index < Math.floor(count * (TRAIN_SHARE + VALIDATION_SHARE)) ? 'val' : 'test'
}
