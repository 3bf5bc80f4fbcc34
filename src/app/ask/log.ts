import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { follow } from '../../core/store/follow.js'
import { importLogs } from '../../core/store/ingest.js'
import { changeRun } from '../../core/store/manage.js'
import { encodeJson, isJsonObject, type Json, type JsonObject } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import { sentences } from '../../text/sentences.js'
import { list, request } from './fields.js'
import { type Asking, question } from './question.js'

/**
 * For people with a loop of their own: lines of JSON, as they are printed, become a run that grows. They are kept as a
 * log of the plainest kind, `.klens/logs/NAME/metrics.jsonl`, which is then read like anybody else's; so nothing is lost
 * when klens is killed, a Python helper can write the same file without klens, and the file can be read again.
 */

const say = sentences({
  'log.bad-name': {
    en: '"{name}" cannot be the name of a logged run: letters, digits, ".", "_" and "-", and not "." first',
    zh: '“{name}”不能作为记录的 run 名：只能用字母、数字、“.”、“_”和“-”，且不能以“.”开头',
  },
  'log.bad-step': {
    en: 'line {line} has the step {step}, which is not a number; such lines are left out',
    zh: '第 {line} 行的 step 为 {step}，不是数值；这样的行不予保存',
  },
  'log.long-line': {
    en: 'line {line} is longer than {limit} MB; such lines are left out',
    zh: '第 {line} 行超过 {limit} MB；这样的行不予保存',
  },
})

const NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}._-]{0,99}$/u

/** A line of a log is not read beyond this length (logs/sources/files.ts); what is longer is no row of metrics. */
export const LONGEST_LINE = 16 << 20

export interface LogProgress {
  /** A line that is no metric, which the training printed for people. */
  readonly line: string
}

/** What came in on standard input, and where it went. */
export const log = question({
  request: request({
    name: z.string(),
    /** Lines as they come, cut behind `LONGEST_LINE` characters; only a caller in this process can give them. */
    lines: z.custom<AsyncIterable<string>>(value => value !== null && typeof value === 'object'),
  }),
  answer: z.object({
    rows: z.number(),
    ignored: z.number(),
    runs: list(z.object({ id: z.string(), name: z.string() })),
  }),
  async ask(workspace, { name, lines }, { signal, onProgress, remark }: Asking<LogProgress>) {
    if (!NAME.test(name)) throw new Problem('bad-request', say('log.bad-name', { name }))
    const folder = join(workspace.root, 'logs', name)
    await mkdir(folder, { recursive: true })
    const file = await open(join(folder, 'metrics.jsonl'), 'a')
    const ending = new AbortController()
    const stop = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])])
    const following = follow(workspace, [folder], { signal: stop })
    const counts = { lines: 0, rows: 0, ignored: 0, step: 0 }
    const said = new Set<string>()
    const leaveOut = (why: Message): void => {
      counts.ignored += 1
      if (!said.has(why.key)) remark?.(why)
      said.add(why.key)
    }
    try {
      for await (const line of lines) {
        if (signal?.aborted) break
        counts.lines += 1
        if (line.length > LONGEST_LINE) {
          leaveOut(say('log.long-line', { line: counts.lines, limit: LONGEST_LINE >> 20 }))
          continue
        }
        const record = parsed(line)
        if (record === null) {
          counts.ignored += 1
          onProgress?.({ line })
          continue
        }
        const badStep = STEP_KEYS.find(key => (record[key] ?? null) !== null && numericStep(record[key]) === null)
        if (badStep !== undefined) {
          const step = JSON.stringify(record[badStep]).slice(0, 60)
          leaveOut(say('log.bad-step', { line: counts.lines, step }))
        } else if (isJsonObject(record.config) && Object.keys(record).length === 1) {
          await writeFile(join(folder, 'config.json'), JSON.stringify(record.config, null, 1))
        } else {
          counts.rows += 1
          counts.step = stepOf(record) ?? counts.step + 1
          await file.appendFile(`${encodeJson(completed(record, counts.step))}\n`)
        }
      }
    } finally {
      await file.close()
      ending.abort()
      await following
    }
    const { runs } = await importLogs(workspace, [folder], { keepsEarlier: true, joins: false })
    // Nothing more will come, and a pipe does not tell whether the training ended well.
    for (const { id, status } of runs) {
      if (status === 'running') await changeRun(workspace, id, () => ({ status: 'unknown' }))
    }
    return { rows: counts.rows, ignored: counts.ignored, runs: runs.map(({ id, name }) => ({ id, name })) }
  },
})

/** As trackers and Python write it: a training that explodes says NaN. */
function parsed(line: string): JsonObject | null {
  const text = line.trim()
  const value = text.startsWith('{') ? parsePythonJson(text) : undefined
  return isJsonObject(value) ? value : null
}

const STEP_KEYS = ['step', '_step', 'global_step', 'training_step']
const TIME_KEYS = ['time', 'timestamp', '_timestamp']

function stepOf(record: JsonObject): number | null {
  return STEP_KEYS.map(key => numericStep(record[key])).find(step => step !== null) ?? null
}

function numericStep(told: Json | undefined): number | null {
  return typeof told === 'number' && Number.isFinite(told) ? told : null
}

/** With a step and a time, where the loop told none. */
function completed(record: JsonObject, step: number): JsonObject {
  const isTimed = TIME_KEYS.some(key => key in record)
  return {
    ...record,
    ...(stepOf(record) === null && { step }),
    ...(!isTimed && { timestamp: Date.now() / 1000 }),
  }
}
