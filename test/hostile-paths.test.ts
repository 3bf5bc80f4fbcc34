import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectHarmless, expectRefusal, HEALTHY, importAll, jsonLines, put, system, wandbLog } from './hostile.js'
import { temporaryFolder } from './workspace.js'

/** Folders that never end, files that are no files, names that a shell or a query would read as more than names. */

describe('what lies in a folder', () => {
  it('may be loops, broken links, pipes, sockets and devices: the rest is imported', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'logs'))
    symlinkSync('.', join(folder, 'logs', 'self'))
    symlinkSync('..', join(folder, 'logs', 'parent'))
    symlinkSync('loop-b', join(folder, 'logs', 'loop-a'))
    symlinkSync('loop-a', join(folder, 'logs', 'loop-b'))
    symlinkSync('nowhere.jsonl', join(folder, 'logs', 'broken.jsonl'))
    symlinkSync('/dev/zero', join(folder, 'logs', 'zero.jsonl'))
    symlinkSync('/dev/zero', join(folder, 'logs', 'config.yaml'))
    system('mkfifo "$@"', join(folder, 'logs', 'pipe.jsonl'), join(folder, 'logs', 'config.json'))
    const socket = createServer().listen(join(folder, 'logs', 'socket.jsonl'))
    put(folder, 'logs/empty.jsonl', '')
    put(folder, 'logs/steps.jsonl', HEALTHY)
    const { runs, skipped } = await importAll(folder)
    expect(runs.map(({ name }) => name).sort()).toEqual(['healthy', 'steps'])
    const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path.slice(folder.length + 1), reason]))
    expect(reasons).toEqual({
      'logs/loop-a': 'a loop of symbolic links',
      'logs/loop-b': 'a loop of symbolic links',
      'logs/broken.jsonl': 'no such file or folder',
      'logs/empty.jsonl': 'empty file',
    })
    expectHarmless(await klensInside(folder, ['import', 'logs', '--lang', 'zh']))

    for (const odd of ['logs/pipe.jsonl', 'logs/zero.jsonl', 'logs/socket.jsonl']) {
      const asked = await klensInside(folder, ['import', odd])
      expect(asked.code).toBe(2)
      expect(asked.out).toContain('is not a regular file (a pipe, socket or device)')
      expect((await klensInside(folder, ['import', odd, '--lang', 'zh'])).out).toContain(
        '不是可读取的文件（管道、套接字或设备）',
      )
    }
    expect((await klensInside(folder, ['import', 'logs/loop-a'])).out).toContain('a loop of symbolic links')
    socket.close()
  })

  it('may be forbidden', { skip: process.getuid?.() === 0 }, async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/closed/steps.jsonl', HEALTHY)
    put(folder, 'logs/secret.jsonl', HEALTHY)
    for (const path of ['logs/closed', 'logs/secret.jsonl']) chmodSync(join(folder, path), 0)
    const { skipped } = await importAll(folder)
    expect(skipped.map(({ reason }) => reason)).toEqual(['no permission to read it', 'no permission to read it'])
    chmodSync(join(folder, 'logs/closed'), 0o700)
  })

  it('may be named with spaces, quotes, line breaks, glob characters and Chinese', async () => {
    const folder = temporaryFolder()
    const names = [
      'with space',
      "it's",
      'double"quote',
      'line\nbreak',
      'a[1]*?',
      '{a,b}',
      '中文目录',
      '-rf',
      '$(touch x)',
      '%s%n',
      '\\',
    ]
    names.forEach((name, i) => {
      put(folder, `logs/${name}/${name}.jsonl`, jsonLines([{ step: 1, data: { loss: i } }]))
    })
    const { runs, skipped } = await importAll(folder)
    expect(skipped).toEqual([])
    expect(runs.map(run => run.name).sort()).toEqual([...names, 'healthy'].sort())
    for (const name of names.slice(0, 4)) {
      const shown = await jsonInside<ShowAnswer>(folder, ['show', join('logs', name, `${name}.jsonl`)])
      expect(shown.series[0].points).toEqual([[1, names.indexOf(name)]])
    }
    expectHarmless(await klensInside(folder, ['import', 'logs']))
  })

  it('may lie in a workspace whose own path is full of such names', async () => {
    const folder = join(temporaryFolder(), "a[1]*? it's {b}\n中文")
    mkdirSync(folder)
    await importAll(folder)
    expect((await jsonInside<ShowAnswer>(folder, ['show', 'healthy'])).series[0].points).toEqual([
      [1, 0.5],
      [2, 0.25],
    ])
    expect((await klensInside(folder, ['export', 'healthy', '--format', 'csv'])).out.split('\n')).toHaveLength(4)
  })
})

describe('the same data in several places', () => {
  it('is counted once per run: twice the same argument, a link to a folder, a folder within another', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/one/steps.jsonl', HEALTHY)
    symlinkSync('one', join(folder, 'logs', 'again'))
    const { runs } = await importAll(folder, [
      'logs',
      'logs',
      'logs/one',
      'logs/one/steps.jsonl',
      'logs/again/steps.jsonl',
    ])
    expect(runs.map(({ name, points }) => `${name} ${points}`).sort()).toEqual(['healthy 2', 'steps 2'])
  })

  it('is a second run when a folder was copied, and says so; W&B runs know themselves', async () => {
    const folder = temporaryFolder()
    put(folder, 'logs/one/steps.jsonl', jsonLines([{ step: 7, data: { loss: 0.125 } }]))
    put(folder, 'logs/w/run-w.wandb', wandbLog({ id: 'w', name: 'twin' }))
    const before = await importAll(folder)
    cpSync(join(folder, 'logs/one'), join(folder, 'logs/two'), { recursive: true })
    cpSync(join(folder, 'logs/w'), join(folder, 'logs/v'), { recursive: true })
    const { runs } = await importAll(folder)
    expect(runs.filter(({ name }) => name === 'twin')).toEqual(before.runs.filter(({ name }) => name === 'twin'))
    const original = before.runs.find(({ name }) => name === 'steps')
    const copies = runs.filter(({ name, id }) => name === 'steps' && id !== original?.id)
    expect(copies.map(({ warnings }) => warnings)).toEqual([[`has the same data as run ${original?.id}`]])
    // A copy made while the run was still going on holds nothing new either.
    put(folder, 'logs/early/run-w.wandb', wandbLog({ id: 'w', name: 'twin' }).subarray(0, 60))
    for (const _ of ['once', 'again']) {
      const twins = (await importAll(folder)).runs.filter(({ name }) => name === 'twin')
      expect(twins).toEqual(before.runs.filter(({ name }) => name === 'twin'))
    }
    expectRefusal(
      await klensInside(folder, ['show', 'steps']),
      /"steps" matches 2 runs: \w+ \(verl, .*steps\.jsonl, .*\); \w+ \(verl, .*\)\. Name one by its id/,
    )
    expectRefusal(await klensInside(folder, ['show', 'steps', '--lang', 'zh']), '对应 2 个 run')
  })
})
