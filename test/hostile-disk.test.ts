import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportAnswer } from '../src/app/ask/import.js'
import type { RunAnswer } from '../src/app/ask/run-schema.js'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { takeLease } from '../src/core/store/lease.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectHarmless, expectRefusal, HEALTHY, jsonLines, put, system } from './hostile.js'
import { smallDisk } from './support/small-disk.js'
import { temporaryFolder } from './workspace.js'

/** A store that cannot be written, because its disk is full or it is nobody's to write. */

const FULL = 'the disk is full: '
const FULL_CHINESE = '磁盘已满，无法写入 '

function rows(count: number): string {
  let value = 0.5
  return jsonLines(
    Array.from({ length: count }, (_, step) => {
      value = (value * 997.13) % 1
      return { step, data: { 'actor/pg_loss': value, 'actor/kl_loss': 1 - value, 'actor/entropy': value * value } }
    }),
  )
}

describe('a full disk', () => {
  it('stops an import with one sentence; what was there stays readable, and with room the import goes on', async context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 256)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    put(folder, 'small/metrics.jsonl', HEALTHY)
    put(folder, 'large/metrics.jsonl', rows(20_000))
    expect((await klensInside(folder, ['import', 'small'], home)).code).toBe(0)
    expectRefusal(await klensInside(folder, ['import', 'large'], home), FULL + home.KLENS_HOME)
    expectRefusal(
      await klensInside(folder, ['import', 'large', '--json', '--lang', 'zh'], home),
      FULL_CHINESE + home.KLENS_HOME,
    )
    const listed = await klensInside(folder, ['runs', '--json'], home)
    expect(JSON.parse(listed.out).map((run: { name: string }) => run.name)).toEqual(['small'])
    system('mount -o remount,size=32m "$1"', disk)
    expect(await klensInside(folder, ['import', 'large'], home)).toMatchObject({ code: 0, error: '' })
    const { run } = JSON.parse((await klensInside(folder, ['show', 'large', '--json'], home)).out)
    expect(run.points).toBe(60_000)
  })

  it('under the manifest alone leaves no run behind, and harms no other', async context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 256)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    put(folder, 'small/metrics.jsonl', HEALTHY)
    put(folder, 'wide/metrics.jsonl', HEALTHY)
    put(
      folder,
      'wide/config.json',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`key.${i}`, `value ${i} of a long config`])),
      ),
    )
    expect((await klensInside(folder, ['import', 'small'], home)).code).toBe(0)
    expectRefusal(await klensInside(folder, ['import', 'wide'], home), FULL + home.KLENS_HOME)
    expect(JSON.parse((await klensInside(folder, ['runs', '--json'], home)).out)).toHaveLength(1)
    expect((await klensInside(folder, ['show', 'small'], home)).code).toBe(0)

    expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
    for (const words of [
      ['tag', 'small', 'best'],
      ['rename', 'small', 'other'],
      ['import', 'wide'],
    ]) {
      expectRefusal(await klensInside(folder, words, home), FULL)
    }
    const [kept] = JSON.parse((await klensInside(folder, ['runs', '--json'], home)).out)
    expect(kept).toMatchObject({ name: 'small', tags: [], points: 2 })
  })

  it('does not keep klens rm from making room, except of a run that is being written', async context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 256)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    put(folder, 'small/metrics.jsonl', HEALTHY)
    put(folder, 'other/metrics.jsonl', rows(3))
    expect((await klensInside(folder, ['import', 'small', 'other'], home)).code).toBe(0)
    const runs: RunAnswer[] = JSON.parse((await klensInside(folder, ['runs', '--json'], home)).out)
    const held = runs.find(({ name }) => name === 'other')?.id ?? ''
    const lease = await takeLease(join(home.KLENS_HOME, 'runs', held), 'train')
    expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
    expectRefusal(await klensInside(folder, ['rm', 'other'], home), 'is being written by process')
    expect(await klensInside(folder, ['rm', 'small'], home)).toMatchObject({ code: 0, error: '' })
    await lease.release()
    expect(readdirSync(join(home.KLENS_HOME, 'runs'))).toEqual([held])
    expect((await klensInside(folder, ['show', 'other'], home)).code).toBe(0)
    expect((await klensInside(folder, ['doctor'], home)).out).toContain('0 damaged')
  })

  it('keeps no log from being judged: the answer comes first, then that its run was not kept', async context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 64)
    if (disk === null) return context.skip()
    const home = { KLENS_HOME: join(disk, '.klens') }
    put(folder, 'logs/metrics.jsonl', HEALTHY)
    expect(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
    const { code, out, error } = await klensInside(folder, ['diagnose', 'logs', '--json'], home)
    expect(JSON.parse(out).runs).toHaveLength(1)
    expect(code).toBe(2)
    expect(error).toContain(`The answer stands, but its runs were not kept: ${FULL}${home.KLENS_HOME}`)
    rmSync(join(disk, 'ballast'))
    expect((await klensInside(folder, ['diagnose', 'logs', '--json'], home)).code).toBe(0)
    expect(JSON.parse((await klensInside(folder, ['runs', '--json'], home)).out)).toHaveLength(1)
  })

  it('where an export goes leaves no half of it', async context => {
    const folder = temporaryFolder()
    const disk = smallDisk(folder, 64)
    if (disk === null) return context.skip()
    put(folder, 'large/metrics.jsonl', rows(20_000))
    await jsonInside(folder, ['import', 'large'])
    for (const format of ['csv', 'jsonl', 'parquet']) {
      const words = ['export', 'large', '-o', join(disk, `points.${format}`)]
      expectRefusal(await klensInside(folder, words), FULL)
    }
    expect(readdirSync(disk)).toEqual([])
  })
})

describe('a store that is nobody’s to write', () => {
  it('is told in one sentence', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/metrics.jsonl', HEALTHY)
    const home = { KLENS_HOME: put(folder, 'a-file', '') }
    expectRefusal(
      await klensInside(folder, ['import', 'logs'], home),
      `${home.KLENS_HOME} is a file where a folder is needed`,
    )
    expectRefusal(
      await klensInside(folder, ['import', 'logs', '--lang', 'zh'], home),
      `${home.KLENS_HOME} 应是文件夹，却是一个文件`,
    )
  })

  it('can still be read', { skip: process.getuid?.() === 0 }, async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/metrics.jsonl', HEALTHY)
    await jsonInside(folder, ['import', 'logs'])
    chmodSync(join(folder, '.klens'), 0o500)
    expect((await jsonInside<ShowAnswer>(folder, ['show', 'logs'])).run.points).toBe(2)
    chmodSync(join(folder, '.klens'), 0o700)
  })
})

describe('a damaged store', () => {
  it('says which part is damaged or missing, and is whole again after what it advises', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/one/metrics.jsonl', HEALTHY)
    const [{ id }] = (await jsonInside<ImportAnswer>(folder, ['import', 'logs'])).runs
    const part = join(folder, '.klens', 'runs', id, 'points', '0.parquet')
    const whole = readFileSync(part)
    const flipped = Buffer.from(
      whole.map((byte, i) => (i > 4 && i < whole.length - 60 && i % 7 === 0 ? byte ^ 0x5a : byte)),
    )
    for (const content of [whole.subarray(0, 100), Buffer.alloc(0), Buffer.alloc(2000, 'x'), flipped]) {
      writeFileSync(part, content)
      expectRefusal(
        await klensInside(folder, ['show', 'one']),
        `${part} is damaged or missing; klens doctor ${id} --repair`,
      )
    }
    rmSync(part)
    expectRefusal(
      await klensInside(folder, ['export', 'one', '--format', 'csv', '--lang', 'zh']),
      `${part} 已损坏或丢失`,
    )
    put(folder, 'logs/one/metrics.jsonl', `${HEALTHY}{"step":3,"data":{"actor/pg_loss":1}}\n`)
    expect((await klensInside(folder, ['import', 'logs'])).out).toContain(`klens doctor ${id} --repair`)
    expect((await klensInside(folder, ['doctor'])).code).toBe(1)
    const repaired = await klensInside(folder, ['doctor', id, '--repair'])
    expect(repaired).toMatchObject({ code: 0, out: expect.stringContaining('read again from its logs') })
    expect((await klensInside(folder, ['doctor'])).out).toContain('0 damaged')
    expect((await jsonInside<ShowAnswer>(folder, ['show', 'one'])).run.points).toBe(3)
  })

  it('says which manifest, what to do, and shows the rest', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/one/metrics.jsonl', HEALTHY)
    put(folder, 'logs/two/metrics.jsonl', rows(3))
    await jsonInside(folder, ['import', 'logs'])
    const runs = await jsonInside<RunAnswer[]>(folder, ['runs'])
    const broken = runs.find(({ name }) => name === 'two')?.id ?? ''
    const manifest = join(folder, '.klens', 'runs', broken, 'run.json')
    writeFileSync(manifest, '{"format":1,')
    writeFileSync(join(folder, '.klens', 'cache', 'runs.json'), '{"x":')
    const listed = await klensInside(folder, ['runs', '--json'])
    expect(listed.code).toBe(0)
    expect(listed.error).toContain(`${manifest} is damaged`)
    expect(JSON.parse(listed.out).map((run: { name: string }) => run.name)).toEqual(['one'])
    expectRefusal(await klensInside(folder, ['show', broken]), /no run is called|is damaged/)
    expect(existsSync(manifest)).toBe(true)
  })

  it('has no use for a vocabulary that is a bomb, a folder or noise, and says so', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/one/metrics.jsonl', HEALTHY)
    await jsonInside(folder, ['import', 'logs'])
    const vocabulary = join(folder, '.klens', 'vocabulary.yaml')
    const bomb = `a: &a [x,x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`},*${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}`
    for (const content of [
      bomb,
      '\u0000\u001b[31m: [',
      '['.repeat(100_000),
      'metrics: {kl.ref: {names: 3}}',
      'x'.repeat(300_000),
    ]) {
      writeFileSync(vocabulary, content)
      const shown = await klensInside(folder, ['show', 'one'])
      expect(shown.code).toBe(0)
      expect(shown.error).toContain('vocabulary.yaml')
      expectHarmless(shown)
    }
    rmSync(vocabulary)
    mkdirSync(vocabulary)
    expect((await klensInside(folder, ['show', 'one'])).code).toBe(0)
  })
})
