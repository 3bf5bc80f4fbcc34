import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { jsonInside, klensInside } from './cli-inside.js'
import { expectRefusal, HEALTHY, importAll, jsonLines, put, wandbLog } from './hostile.js'
import { temporaryFolder } from './workspace.js'

/** Mistakes at the prompt: exit code 2 and one sentence that says what to do, in the reader's language. */

const MISTAKES: readonly (readonly [words: string, english: string, chinese: string])[] = [
  ['import', 'the argument <path> is missing', '缺少参数 <path>'],
  ['rename healthy', 'the argument <name> is missing', '缺少参数 <name>'],
  ['fly', 'there is no command "fly"', '没有“fly”这个命令'],
  ['improt logs', 'did you mean import?', '是否想输入 import？'],
  ['runs --wrong', 'unknown option --wrong', '未知选项 --wrong'],
  ['runs --status', 'the option --status <status> needs a value', '选项 --status <status> 需要一个值'],
  ['runs --status asleep', '--status is "asleep"', '--status 是“asleep”'],
  ['runs --where kl', '--where is "kl"', '--where 是“kl”'],
  ['runs healthy', 'too many arguments', '参数过多'],
  ['show nobody', 'no run is called "nobody"', '没有名为“nobody”的 run'],
  ['show H --metric kl', 'matches 2 runs', '对应 2 个 run'],
  ['show healthy --metric kl', 'has no metric "kl"', '没有指标“kl”'],
  ['export healthy --format xml', 'the format "xml" is unknown', '未知格式“xml”'],
  ['export healthy --format parquet', 'Parquet needs a file', 'Parquet 需要写入文件'],
  ['export healthy --metric kl', 'has the metric "kl"', '都没有指标“kl”'],
  [
    'export healthy -o /nowhere/at/all/x.csv',
    'there is no folder /nowhere/at/all',
    '没有可写入的文件夹 /nowhere/at/all',
  ],
  ['export healthy --format csv -o /dev/null', '/dev/null is a folder or a device', '/dev/null 是文件夹或设备'],
  ['tag healthy', 'name at least one tag', '至少给出一个标签'],
]

describe('a mistake at the prompt', () => {
  const folder = async (): Promise<string> => {
    const made = temporaryFolder()
    put(made, 'logs/h1/run-h1.wandb', wandbLog({ id: 'H1' }))
    put(made, 'logs/h2/run-h2.wandb', wandbLog({ id: 'H2' }))
    await importAll(made)
    return made
  }

  it('is told in one sentence, in English and in Chinese', async () => {
    const made = await folder()
    for (const [words, english, chinese] of MISTAKES) {
      expectRefusal(await klensInside(made, words.split(' ')), english)
      expectRefusal(await klensInside(made, words.split(' '), { LANG: 'zh_CN.UTF-8' }), chinese)
    }
  })

  it('in the language itself is told in the language of the locale', async () => {
    const made = temporaryFolder()
    expectRefusal(await klensInside(made, ['runs', '--lang', 'fr']), '--lang is "fr"; it must be zh or en')
    expectRefusal(
      await klensInside(made, ['runs', '--lang=fr'], { LANG: 'zh_CN.UTF-8' }),
      '--lang 是“fr”，只能是 zh 或 en',
    )
    expectRefusal(await klensInside(made, ['runs', '--lang']), 'needs a value')
  })

  it('where there is no workspace leaves none behind', async () => {
    const made = temporaryFolder()
    const nowhere = { KLENS_HOME: '' }
    for (const words of [
      ['show', 'x'],
      ['export', 'x'],
      ['rm', 'x'],
      ['tag', 'x', 'y'],
      ['rename', 'x', 'y'],
    ]) {
      expectRefusal(await klensInside(made, words, nowhere), 'no run is called "x"')
    }
    expectRefusal(await klensInside(made, ['show', 'x', '--lang', 'zh'], nowhere), '没有名为“x”的 run')
    const listed = await klensInside(made, ['runs'], nowhere)
    expect(listed).toMatchObject({
      code: 0,
      out: '',
      error: 'no runs here yet; klens import PATH reads logs\n',
    })
    expect(await klensInside(made, ['runs', '--json'], nowhere)).toMatchObject({ code: 0, out: '[]\n', error: '' })
    expect(readdirSync(made)).toEqual([])
  })

  it('of a path without logs says so', async () => {
    const made = temporaryFolder()
    put(made, 'logs/notes.txt', 'nothing here')
    const missing = await klensInside(made, ['import', 'nowhere'])
    expect(missing).toMatchObject({ code: 2, error: 'klens: no run could be read\n' })
    expect(missing.out).toContain('no such file or folder')
    expectRefusal(
      await klensInside(made, ['show', 'logs']),
      'no run could be read from logs: not a training log that klens knows',
    )
    const json = await klensInside(made, ['import', 'nowhere', 'logs', '--json'])
    expect(json.code).toBe(2)
    expect(JSON.parse(json.out).runs).toEqual([])
  })

  it('of a pattern full of stars is answered at once', async () => {
    const made = temporaryFolder()
    put(made, `logs/${'a'.repeat(200)}/x.wandb`, wandbLog({ id: 'w', name: 'a'.repeat(10_000) }))
    await importAll(made)
    expectRefusal(await klensInside(made, ['show', `${'a*'.repeat(40)}b`]), 'no run is called')
    expect(await jsonInside<unknown[]>(made, ['export', `${'a*'.repeat(40)}`, '-o', 'x.csv'])).toMatchObject({
      runs: ['w'],
    })
  })
})

describe('a reader that goes away', () => {
  const KLENS = fileURLToPath(new URL('../bin/klens.js', import.meta.url))
  const shell = (folder: string, command: string) =>
    spawnSync('bash', ['-c', `set -o pipefail; ${command.replaceAll('klens', `"${process.execPath}" "${KLENS}"`)}`], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: '', NO_COLOR: '1', KLENS_HOME: `${folder}/.klens` },
    })

  it('is no error, and leaves nothing in the temporary folder', async () => {
    const made = temporaryFolder()
    const rows = Array.from({ length: 5_000 }, (_, step) => ({
      step,
      data: { 'actor/kl_loss': step, 'actor/pg_loss': 1 },
    }))
    put(made, 'logs/long/long.jsonl', jsonLines(rows))
    await importAll(made)
    for (const verb of ['runs', 'show long', 'show long --json', 'export long --format csv', 'import logs']) {
      const { status, stderr } = shell(made, `TMPDIR="$PWD" klens ${verb} | head -c 1`)
      expect({ verb, status, stderr }).toEqual({ verb, status: 0, stderr: '' })
    }
    expect(readdirSync(made).sort()).toEqual(['.klens', 'logs'])
  })

  it('that is a full disk is told in one sentence', async () => {
    const made = temporaryFolder()
    put(made, 'logs/one.jsonl', HEALTHY)
    await importAll(made)
    for (const verb of ['runs', 'runs --json', 'show healthy', 'export healthy --format csv']) {
      const { status, stderr } = shell(made, `klens ${verb} > /dev/full`)
      const sentence =
        'the disk is full: standard output could not be written; free some space and run the same command again'
      const told = verb.includes('--json')
        ? JSON.stringify({ error: { code: 'unwritable', message: sentence } })
        : `klens: ${sentence}`
      expect({ verb, status, stderr }).toEqual({ verb, status: 2, stderr: `${told}\n` })
    }
  })
})
