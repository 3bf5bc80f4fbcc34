import { stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { openResponseCache } from '../../lab/endpoint/cache.js'
import { EMBEDDING_FORMS, openEmbeddings } from '../../lab/endpoint/embeddings.js'
import { LOGPROB_APIS } from '../../lab/endpoint/prompt-logprobs.js'
import { generateData } from '../../lab/train/generate-data.js'
import { searchBeams } from '../../lab/train/info-beams.js'
import { loadStart } from '../../lab/train/load-start.js'
import { keyIn, openTask } from '../../lab/train/open-task.js'
import { EMBEDDED_PARTS, embedItems, rowsForItems } from '../../lab/train/tasks/llm/embed-items.js'
import { readItems } from '../../lab/train/tasks/llm/items.js'
import { vqaItems } from '../../lab/train/tasks/llm/vqa-files.js'
import { checkPools, queriesOf } from '../../lab/train/tasks/task.js'
import { writeSafetensors } from '../../lab/weights/safetensors.js'
import type { Tensor } from '../../lab/weights/tensor.js'
import { writeTorch } from '../../lab/weights/torch-write.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { configFrom } from './eval.js'
import { list, numberWithin, otherwise, request } from './fields.js'
import { type Asking, question } from './question.js'

/**
 * The data that a training needs: items, their embeddings, beams and groups of scored choices. What asks an endpoint goes
 * on where it was stopped.
 */

const say = sentences({
  'data.bad-embeddings-file': {
    en: '{path} must end in .safetensors or .pt',
    zh: '{path} 的扩展名应为 .safetensors 或 .pt',
  },
  'data.no-endpoint': {
    en: 'name the endpoint with --url and --model, or a file that has the vectors with --vectors',
    zh: '请用 --url 与 --model 指定接口，或用 --vectors 指定已有向量的文件',
  },
  'data.no-likelihood': {
    en: 'beams need a language model: the task is {task}, set task: llm',
    zh: '生成 beam 需要语言模型：当前任务为 {task}，请设 task: llm',
  },
  'data.no-beams': { en: 'no choice could be scored: {reason}', zh: '没有任何选择得到评分：{reason}' },
  'data.no-folder': { en: 'there is no folder {path}', zh: '没有文件夹 {path}' },
})

/** How far it is. */
export interface DataProgress {
  readonly done: number
  readonly total: number
}

export const dataVqa = question({
  request: request({
    questions: z.string(),
    annotations: z.string(),
    /** The folder of COCO's images; without one, items are text. */
    images: z.string().optional(),
    split: z.enum(['train', 'val', 'test'], otherwise('data.bad-split')).nullable().default(null),
    output: z.string(),
  }),
  answer: z.object({
    output: z.string(),
    items: z.number(),
    /** Questions that were left out. */
    unanswered: z.number(),
    imageless: z.number(),
  }),
  async ask(_, { output, images, ...files }) {
    const path = await target(output)
    const { items, ...leftOut } = await vqaItems({ ...files, images: images ?? null })
    await writeFileAtomically(path, items.map(item => `${JSON.stringify(item)}\n`).join(''))
    return { output: path, items: items.length, ...leftOut }
  },
})

export const dataEmbed = question({
  request: request({
    /** Items as `task: llm` reads them: one JSON object a line. */
    items: z.string(),
    output: z.string(),
    part: z.enum(EMBEDDED_PARTS, otherwise('data.bad-part')).default('text'),
    /** How pictures are sent. */
    form: z.enum(EMBEDDING_FORMS, otherwise('data.bad-form')).default('messages'),
    /** The folder of the pictures; without one, that of the items. */
    images: z.string().nullable().default(null),
    /** A file that has the vectors already, by id: nothing is asked. */
    vectors: z.string().optional(),
    url: z.string().optional(),
    model: z.string().optional(),
    keyEnv: z.string().optional(),
    concurrency: numberWithin({ above: 0, whole: true }),
  }),
  answer: z.object({ output: z.string(), rows: z.number(), width: z.number() }),
  async ask({ root }, { items: file, output, ...asked }, { onProgress }: Asking<DataProgress>) {
    const path = await target(output)
    const isTorch = ['.pt', '.pth'].includes(extname(path).toLowerCase())
    if (!isTorch && extname(path).toLowerCase() !== '.safetensors') {
      throw new Problem('bad-request', say('data.bad-embeddings-file', { path }))
    }
    const { part, form, images, vectors, url, model, keyEnv } = asked
    const concurrency = asked.concurrency ?? CONCURRENCY
    const pictures = vectors === undefined ? part !== 'text' : 'names'
    const { items } = await readItems(file, { images: pictures, folder: images })
    const embedded = async (): Promise<Tensor> => {
      if (url === undefined || model === undefined) throw new Problem('bad-request', say('data.no-endpoint', {}))
      const key = keyEnv === undefined ? {} : { apiKey: keyIn(process.env, keyEnv) }
      const embed = openEmbeddings({ url, model, ...key, concurrency }, openResponseCache(join(root, 'answers')), form)
      const progress = (done: number, total: number): void => onProgress?.({ done, total })
      return embedItems(items, { part, embed, concurrency, progress })
    }
    const matrix = vectors === undefined ? await embedded() : await rowsForItems(items, vectors)
    if (isTorch) await writeTorch(path, { tensor: matrix })
    else await writeSafetensors(path, [matrix], {})
    const [rows, width] = matrix.shape
    return { output: path, rows, width }
  },
})

const CONCURRENCY = 8

export const dataGenerate = question({
  request: request({
    config: z.string().optional(),
    task: z.string().optional(),
    set: list(z.string()).default([]),
    output: z.string(),
    /** A checkpoint that proposes choices; without one, similarity does. */
    policy: z.string().optional(),
  }),
  answer: z.object({
    output: z.string(),
    queries: z.number(),
    /** Queries for which there was only one set of examples to propose. */
    leftOut: z.number(),
    /** Choices with a score, and without: those are no zeros in the file. */
    scored: z.number(),
    missing: z.number(),
  }),
  async ask(workspace, { output, policy, ...given }, { signal, onProgress, remark }: Asking<DataProgress>) {
    const path = await target(output)
    const config = await configFrom(given)
    const task = await openTask(config, workspace, process.env)
    for (const said of task.remarks) remark?.(said)
    const loaded = policy === undefined ? null : await loadStart(policy, config, task)
    const progress = (done: number, total: number): void => onProgress?.({ done, total })
    const { records, ...counts } = await generateData({ task, config, policy: loaded, progress, signal })
    const about = { version: 'v3', generator: 'klens', task: task.name, data_hash: task.dataHash, seed: config.seed }
    await writeFileAtomically(path, `${JSON.stringify({ _meta: about, ...records })}\n`)
    return { output: path, ...counts }
  },
})

export const dataBeams = question({
  request: request({
    config: z.string().optional(),
    task: z.string().optional(),
    set: list(z.string()).default([]),
    output: z.string(),
    /** Who gives the log-probabilities of a prompt. */
    api: z.enum(LOGPROB_APIS, otherwise('data.bad-api')).default('chat'),
    /** The first so many queries that train; all unless given. */
    samples: numberWithin({ above: 0, whole: true }),
  }),
  answer: z.object({
    output: z.string(),
    queries: z.number(),
    leftOut: z.number(),
    scored: z.number(),
    missing: z.number(),
  }),
  async ask(workspace, { output, api, samples, ...given }, { signal, onProgress, remark }: Asking<DataProgress>) {
    const path = await target(output)
    const config = await configFrom(given)
    const task = await openTask(config, workspace, process.env)
    for (const said of task.remarks) remark?.(said)
    const likelihood = task.likelihoodOfAnswer?.(api)
    if (likelihood === undefined) throw new Problem('bad-request', say('data.no-likelihood', { task: task.name }))
    checkPools(task, config.policy.shots)
    const { records, reason, ...counts } = await searchBeams({
      queries: queriesOf(task, 'train').slice(0, samples ?? undefined),
      likelihood,
      shots: config.policy.shots,
      beams: config.group.proposals.beams,
      concurrency: config.llm.concurrency,
      progress: (done, total) => onProgress?.({ done, total }),
      signal,
    })
    if (counts.scored === 0 && reason !== null) throw new Problem('unreachable', say('data.no-beams', { reason }))
    if (reason !== null) remark?.(reason)
    const about = { version: 'beams', generator: 'klens', score: 'InfoScore', data_hash: task.dataHash, api }
    await writeFileAtomically(path, `${JSON.stringify({ _meta: about, ...records })}\n`)
    return { output: path, ...counts }
  },
})

/** Told before anything is paid for. */
async function target(output: string): Promise<string> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) throw new Problem('not-found', say('data.no-folder', { path: dirname(path) }))
  if ((await stat(path).catch(() => null)) !== null)
    throw new Problem('bad-request', message('weights.exists', { path }))
  return path
}
