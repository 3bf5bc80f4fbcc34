import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { isParquet, parquetColumns, readParquet } from '../../../logs/sources/parquet/parquet.js'
import { parsePythonJson } from '../../../logs/sources/python-json.js'
import { sentences } from '../../../text/sentences.js'
import { type IntentionTask, taskSchema } from './task.js'

/**
 * Tasks from UserRL's files as they are. Its JSON holds whole records; its Parquet holds prompts and the ids of tasks, whose
 * details stand in the JSON alone. So files are read together: JSON gives tasks, a Parquet chooses among them.
 */

const say = sentences({
  'gym.tasks.unreadable': {
    en: '{path} contains no tasks: it must be a JSON list of tasks, or a Parquet of UserRL with reward_model.id',
    zh: '{path} 中没有任务：应为任务的 JSON 列表，或带 reward_model.id 的 UserRL Parquet',
  },
  'gym.tasks.bad': {
    en: 'task {position} of {path} is invalid at {member}: {reason}',
    zh: '{path} 的第 {position} 个任务在 {member} 处有误：{reason}',
  },
  'gym.tasks.no-details': {
    en: '{path} names task {id} but not its details: also give the JSON file with the details (--data PARQUET --data JSON, or --set data.train=JSON,PARQUET)',
    zh: '{path} 只列出任务 {id}，没有其细节：请同时给出包含细节的 JSON（--data PARQUET --data JSON，或 --set data.train=JSON,PARQUET）',
  },
})

export async function readTasks(paths: readonly string[]): Promise<readonly IntentionTask[]> {
  const known = new Map<string, IntentionTask>()
  const chosen: { readonly path: string; readonly id: string }[] = []
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) throw new Problem('not-found', say('gym.tasks.unreadable', { path }))
    if (isParquet(bytes)) for (const id of await idsIn(path)) chosen.push({ path, id })
    else for (const task of tasksIn(path, bytes.toString('utf8'))) known.set(task.id, task)
  }
  if (chosen.length === 0) return [...known.values()]
  return chosen.map(({ path, id }) => {
    const task = known.get(id)
    if (task === undefined) throw new Problem('not-enough', say('gym.tasks.no-details', { path, id }))
    return task
  })
}

function tasksIn(path: string, text: string): readonly IntentionTask[] {
  const list = z.array(z.unknown()).min(1).safeParse(parsePythonJson(text))
  if (!list.success) throw new Problem('unreadable', say('gym.tasks.unreadable', { path }))
  return list.data.map((record, index) => {
    const parsed = taskSchema.safeParse(record)
    if (parsed.success) return parsed.data
    const [{ path: member, message: reason }] = parsed.error.issues
    throw new Problem(
      'unreadable',
      say('gym.tasks.bad', { path, position: index + 1, member: member.join('.'), reason }),
    )
  })
}

const rewardModel = z.looseObject({ id: z.string() })

async function idsIn(path: string): Promise<readonly string[]> {
  const columns = await parquetColumns(path)
  const column = columns?.find(({ name }) => name === 'reward_model')
  if (column === undefined) throw new Problem('unreadable', say('gym.tasks.unreadable', { path }))
  const ids: string[] = []
  for await (const rows of readParquet(path, { columns: [column], onTooLarge: () => {}, onCut: () => {} })) {
    for (const [cell] of rows) {
      const parsed = rewardModel.safeParse(cell)
      if (!parsed.success) throw new Problem('unreadable', say('gym.tasks.unreadable', { path }))
      ids.push(parsed.data.id)
    }
  }
  return ids
}
