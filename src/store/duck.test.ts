import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { duck, spillTo, sqlText } from './duck.js'

it('sorts a second large run after a first one has spilled', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'klens-'))
  try {
    const connection = await duck()
    await connection.run(`SET memory_limit = '100MB'`)
    for (const run of ['first.parquet', 'second.parquet']) {
      await spillTo(join(folder, 'spill'))
      const sorted = 'SELECT range AS i, hash(range) AS h FROM range(4_000_000) ORDER BY h'
      await connection.run(`COPY (${sorted}) TO ${sqlText(join(folder, run))} (FORMAT parquet)`)
    }
    expect(await readdir(folder)).toEqual(['first.parquet', 'second.parquet', 'spill'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
