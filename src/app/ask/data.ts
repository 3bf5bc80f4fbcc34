import { stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { openResponseCache } from '../../lab/endpoint/cache.js'
import { openEmbeddings } from '../../lab/endpoint/endpoint.js'
import { generateData } from '../../lab/train/generate-data.js'
import { loadStart } from '../../lab/train/load-start.js'
import { keyIn, openTask } from '../../lab/train/open-task.js'
import { embedItems } from '../../lab/train/tasks/llm/items.js'
import { writeSafetensors } from '../../lab/weights/safetensors.js'
import { writeTorch } from '../../lab/weights/torch-write.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { configFrom } from './eval.js'
import { list, numberWithin, request } from './fields.js'
import { type Asking, question } from './question.js'

/** The data that a training needs: embeddings of texts, and groups of scored choices. Both go on where they were stopped. */

const say = sentences({
  'data.bad-embeddings-file': {
    en: '{path} must end in .safetensors or .pt',
    zh: '{path} 的扩展名应为 .safetensors 或 .pt',
  },
  'data.no-folder': { en: 'there is no folder {path}', zh: '没有文件夹 {path}' },
})

/** How far it is. */
export interface DataProgress {
  readonly done: number
  readonly total: number
}

export const dataEmbed = question({
  request: request({
    /** Items as `task: llm` reads them: one JSON object a line. */
    items: z.string(),
    output: z.string(),
    url: z.string(),
    model: z.string(),
    keyEnv: z.string().optional(),
    concurrency: numberWithin({ above: 0, whole: true }),
  }),
  answer: z.object({ output: z.string(), rows: z.number(), width: z.number() }),
  async ask({ root }, { items, output, url, model, keyEnv, concurrency }, { onProgress }: Asking<DataProgress>) {
    const path = await target(output)
    const isTorch = ['.pt', '.pth'].includes(extname(path).toLowerCase())
    if (!isTorch && extname(path).toLowerCase() !== '.safetensors') {
      throw new Problem('bad-request', say('data.bad-embeddings-file', { path }))
    }
    const options = {
      url,
      model,
      ...(keyEnv !== undefined && { apiKey: keyIn(process.env, keyEnv) }),
      ...(concurrency !== null && { concurrency }),
    }
    const embed = openEmbeddings(options, openResponseCache(join(root, 'answers')))
    const matrix = await embedItems(items, embed, (done, total) => onProgress?.({ done, total }))
    if (isTorch) await writeTorch(path, { tensor: matrix })
    else await writeSafetensors(path, [matrix], {})
    const [rows, width] = matrix.shape
    return { output: path, rows, width }
  },
})

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

/** Told before anything is paid for. */
async function target(output: string): Promise<string> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) throw new Problem('not-found', say('data.no-folder', { path: dirname(path) }))
  if ((await stat(path).catch(() => null)) !== null)
    throw new Problem('bad-request', message('weights.exists', { path }))
  return path
}
