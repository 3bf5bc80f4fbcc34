import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { exportRuns } from './export.js'
import { importRuns } from './import.js'
import { remove, rename, tag } from './manage.js'
import { runs } from './runs.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('rename, tag and remove', () => {
  it('keep a name and tags over a later import, until the run is removed', async () => {
    const workspace = await temporaryWorkspace()
    const again = { paths: [join(EXAMPLES, 'plan-six', 'plan-five')] }
    await answerTo(workspace, importRuns, again)
    const { id } = await answerTo(workspace, rename, { run: 'plan-five', name: ' the fifth ' })
    const tagged = await answerTo(workspace, tag, { run: 'the fifth', tag: ['good', '+old'] })
    expect(tagged).toEqual([{ id, name: 'the fifth', tags: ['good', 'old'] }])
    await answerTo(workspace, importRuns, again)
    expect(await answerTo(workspace, runs, { tag: ['good'] })).toMatchObject([{ name: 'the fifth' }])
    expect(await answerTo(workspace, tag, { run: id, tag: ['-old'], remove: ['good'] })).toMatchObject([{ tags: [] }])
    expect(await answerTo(workspace, remove, { runs: ['the fifth'] })).toEqual({ removed: [id] })
    expect(await answerTo(workspace, runs, {})).toEqual([])
  })

  it('remove what has a name here, and import nothing for it', async () => {
    const asked = answerTo(await temporaryWorkspace(), remove, { runs: [EXAMPLES] })
    await expect(asked).rejects.toMatchObject({ code: 'not-found', sentence: { key: 'run.unknown-name' } })
  })

  it('give no run the name of another, but let it keep its own', async () => {
    const workspace = await temporaryWorkspace()
    await answerTo(workspace, importRuns, { paths: [join(EXAMPLES, 'plan-six')] })
    const [first, second] = await answerTo(workspace, runs, {})
    const taken = answerTo(workspace, rename, { run: first.id, name: second.name })
    await expect(taken).rejects.toMatchObject({ sentence: { key: 'rename.taken', params: { id: second.id } } })
    expect(await answerTo(workspace, rename, { run: first.id, name: first.name })).toMatchObject({ name: first.name })
  })

  it('want a name, and at least one tag', async () => {
    const workspace = await temporaryWorkspace()
    const sentence = (key: string) => ({ sentence: { key } })
    await expect(answerTo(workspace, rename, { run: 'x', name: ' ' })).rejects.toMatchObject(sentence('rename.empty'))
    await expect(answerTo(workspace, tag, { run: 'x' })).rejects.toMatchObject(sentence('tag.nothing'))
  })
})

describe('export', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'userrl-intentiongym'))
  const names = ['no-kl', 'kl', 'no-kl']

  it('writes the same points as CSV, JSONL and Parquet', async () => {
    const folder = temporaryFolder()
    const written = async (file: string) => {
      const output = join(folder, file)
      const { path, points } = await answerTo(workspace(), exportRuns, { runs: names, metric: ['val.score'], output })
      expect([path, points]).toEqual([output, 18])
      return readFileSync(path)
    }
    const csv = (await written('x.csv')).toString().trim().split('\n').slice(1)
    const jsonl = (await written('x.jsonl')).toString().trim().split('\n')
    expect(jsonl.map(line => JSON.parse(line).value)).toEqual(csv.map(line => Number(line.split(',')[3])))
    expect((await written('x.parquet')).subarray(0, 4).toString()).toBe('PAR1')
  })

  it.each([
    ['a format', { output: 'x.xml' }, { key: 'export.bad-format', params: { value: 'xml' } }],
    ['a folder', { output: '/nowhere/x.csv' }, { key: 'export.no-folder', params: { path: '/nowhere' } }],
    ['a file', { output: '/dev/null', format: 'csv' }, { key: 'export.no-file' }],
    ['a metric', { output: '/tmp/x.csv', metric: ['nope'] }, { key: 'export.no-metric', params: { metric: 'nope' } }],
  ])('refuses %s of which there is none', async (_, input, sentence) => {
    await expect(answerTo(workspace(), exportRuns, { runs: names, ...input })).rejects.toMatchObject({ sentence })
  })
})
