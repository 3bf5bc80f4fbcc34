import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** The launch script of the tests, with 380 rows to train on and 40 to validate, 3 of which are trained on. */
export async function launchFolder(folder: string): Promise<string> {
  const script = join(folder, 'intention.sh')
  copyFileSync(new URL('../src/lab/launch/fixtures/intention.sh', import.meta.url), script)
  await writeTasks(join(folder, 'train.parquet'), { from: 0, to: 380 })
  await writeTasks(join(folder, 'test.parquet'), { from: 377, to: 417 })
  return script
}

/** Tasks in the form of UserRL's files. */
export async function writeTasks(path: string, { from, to }: { from: number; to: number }): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`COPY (
    SELECT 'interact_intention' AS data_source,
           [{'role': 'system', 'content': 'Ask.'}, {'role': 'user', 'content': 'Plan trip ' || i}] AS prompt,
           'interaction' AS ability,
           {'style': 'rule', 'id': CAST(i AS VARCHAR), 'task': 'Plan trip ' || i} AS reward_model
    FROM range(${from}, ${to}) rows(i)) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`)
  connection.closeSync()
}
