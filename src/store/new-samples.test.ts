import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/workspace.js'
import { discover } from '../sources/discover.js'
import { withNewSamples } from './new-samples.js'

function dump(folder: string, step: number, ageSeconds: number): void {
  const path = join(folder, 'val_dump', `${step}.jsonl`)
  writeFileSync(path, `${JSON.stringify({ input: 'a', output: 'b', score: 1, step })}\n`)
  const written = Date.now() / 1000 - ageSeconds
  utimesSync(path, written, written)
}

it('notices dumps of later steps beside a log, once they are whole', async () => {
  const folder = join(temporaryFolder(), 'exp')
  mkdirSync(join(folder, 'val_dump'), { recursive: true })
  writeFileSync(join(folder, 'log.jsonl'), '{"step":1,"data":{"loss":1}}\n')
  dump(folder, 5, 60)
  const [found] = (await discover([folder])).runs
  expect(await withNewSamples(found, {})).toBeNull()
  dump(folder, 15, 0)
  expect(await withNewSamples(found, {})).toBeNull()
  dump(folder, 10, 60)
  const again = await withNewSamples(found, {})
  expect(again?.tables.map(({ file }) => file.path.split('/').at(-1))).toEqual(['5.jsonl', '10.jsonl'])
})
