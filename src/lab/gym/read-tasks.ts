import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../../logs/model/problem.js'
import { isParquet, parquetColumns, readParquet } from '../../logs/sources/parquet/parquet.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import { sentences } from '../../text/sentences.js'

/**
 * Tasks from UserRL's files as they are. Its JSON holds whole records; its Parquet holds prompts and names tasks, by id or by
 * title, and only of some gyms all that a task needs. So files are read together: JSON gives tasks, a Parquet chooses among
 * them.
 */
export interface TaskForm<Task> {
  readonly schema: z.ZodType<Task>
  /** The records in a JSON file; a list of them unless said. */
  records?(json: unknown): unknown
  /** All names by which a Parquet may mean this task. */
  namesOf(task: Task): readonly string[]
  /** What a row's `reward_model` says: the task's name, and its record where that is whole. */
  row(rewardModel: { readonly [name: string]: unknown }): { readonly name: unknown; readonly record?: object }
}

const say = sentences({
  'gym.tasks.missing': {
    en: '{path} does not exist or cannot be read',
    zh: '{path} 不存在或无法读取',
  },
  'gym.tasks.unreadable': {
    en: '{path} contains no tasks of this gym: it must be a JSON list of tasks, or a Parquet of UserRL with reward_model',
    zh: '{path} 中没有该 gym 的任务：应为任务的 JSON 列表，或带 reward_model 的 UserRL Parquet',
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

export async function readTaskFiles<Task>(form: TaskForm<Task>, paths: readonly string[]): Promise<readonly Task[]> {
  const known: Task[] = []
  const byName = new Map<string, Task>()
  const chosen: { readonly path: string; readonly name: string; readonly task: Task | null }[] = []
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) throw new Problem('not-found', say('gym.tasks.missing', { path }))
    if (isParquet(bytes)) {
      for (const row of await rowsIn(path, form)) chosen.push({ path, ...row })
      continue
    }
    for (const task of tasksIn(path, bytes.toString('utf8'), form)) {
      known.push(task)
      // Of two with one name UserRL takes the first.
      for (const name of form.namesOf(task).map(keyOf)) if (!byName.has(name)) byName.set(name, task)
    }
  }
  if (chosen.length === 0) return known
  return chosen.map(({ path, name, task: whole }) => {
    const task = byName.get(keyOf(name)) ?? whole
    if (task === null) throw new Problem('not-enough', say('gym.tasks.no-details', { path, id: name }))
    return task
  })
}

const keyOf = (name: string): string => name.toLowerCase()

function tasksIn<Task>(
  path: string,
  text: string,
  { schema, records = json => json }: TaskForm<Task>,
): readonly Task[] {
  const list = z
    .array(z.unknown())
    .min(1)
    .safeParse(records(parsePythonJson(text)))
  if (!list.success) throw new Problem('unreadable', say('gym.tasks.unreadable', { path }))
  return list.data.map((record, index) => {
    const parsed = schema.safeParse(record)
    if (parsed.success) return parsed.data
    const [{ path: member, message: reason }] = parsed.error.issues
    throw new Problem(
      'unreadable',
      say('gym.tasks.bad', { path, position: index + 1, member: member.join('.'), reason }),
    )
  })
}

const rewardModel = z.record(z.string(), z.unknown())

async function rowsIn<Task>(path: string, { schema, row }: TaskForm<Task>) {
  const unreadable = (): Problem => new Problem('unreadable', say('gym.tasks.unreadable', { path }))
  const columns = await parquetColumns(path)
  const column = columns?.find(({ name }) => name === 'reward_model')
  if (column === undefined) throw unreadable()
  const rows: { readonly name: string; readonly task: Task | null }[] = []
  for await (const cells of readParquet(path, { columns: [column], onTooLarge: () => {}, onCut: () => {} })) {
    for (const [cell] of cells) {
      const parsed = rewardModel.safeParse(cell)
      const { name, record } = parsed.success ? row(parsed.data) : {}
      if (typeof name !== 'string') throw unreadable()
      rows.push({ name, task: record === undefined ? null : (schema.safeParse(record).data ?? null) })
    }
  }
  return rows
}
