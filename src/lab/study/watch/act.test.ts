import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { workspaceAt } from '../../../core/store/workspace.js'
import { announce, announcedStops, stopTraining, veto } from './act.js'
import { runHook, wordsOf } from './notify.js'

const POLITE = `process.on('SIGINT', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up')`
const DEAF = `process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`

async function training(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  return child
}

async function acted(
  code: string,
  before: (stop: Promise<boolean>, root: string) => Promise<void> = async () => {},
  vetoSeconds = 0.5,
) {
  const root = mkdtempSync(join(tmpdir(), 'klens-act-'))
  mkdirSync(join(root, 'cache'))
  const child = await training(code)
  onTestFinished(() => void child.kill('SIGKILL'))
  const remarks: string[] = []
  const workspace = workspaceAt(root)
  const stopping = stopTraining(
    workspace,
    { run: 'r1', name: 'run', rule: 'dead', message: 'it learns nothing' },
    {
      vetoSeconds,
      pid: child.pid ?? null,
      remark: ({ key }) => remarks.push(key),
      signal: new AbortController().signal,
      patienceSeconds: [0.5, 0.5],
    },
  )
  await before(stopping, root)
  return { hasStopped: await stopping, remarks }
}

describe('a training that is to stop', () => {
  it('is asked as Ctrl-C asks, and ends by itself', async () => {
    expect(await acted(POLITE)).toEqual({ hasStopped: true, remarks: ['act.in', 'act.asked', 'act.stopped'] })
  })

  it('is asked twice, and never killed', async () => {
    const { hasStopped, remarks } = await acted(DEAF)
    expect(hasStopped).toBe(false)
    expect(remarks).toEqual(['act.in', 'act.asked', 'act.asked', 'act.stubborn'])
  })

  it('goes on when somebody says no in time', async () => {
    const sayNo = async (_: unknown, root: string) => {
      const workspace = workspaceAt(root)
      while ((await announcedStops(workspace)).length === 0) await pause(5)
      expect(await announcedStops(workspace)).toMatchObject([{ run: 'r1', rule: 'dead', watcher: process.pid }])
      await veto(workspace, 'r1')
      expect(await announcedStops(workspace)).toEqual([])
    }
    const { hasStopped, remarks } = await acted(POLITE, sayNo, 60)
    expect([hasStopped, remarks]).toEqual([false, ['act.in', 'act.kept']])
  })
})

it('a stop that is still being written is not announced', async () => {
  const workspace = workspaceAt(temporaryFolder())
  const stop = { run: 'r1', name: 'run', rule: 'dead', message: '', at: 0, watcher: process.pid }
  mkdirSync(join(workspace.root, 'cache'))
  writeFileSync(join(workspace.root, 'cache', 'stop-r1.77.1.tmp'), JSON.stringify(stop))
  expect(await announcedStops(workspace)).toEqual([])
  await announce(workspace, stop)
  expect(await announcedStops(workspace)).toEqual([stop])
})

describe('a program that is told', () => {
  it('gets its words as they are quoted, and nothing is expanded', () => {
    expect(wordsOf(`say "two words" 'it''s' $HOME *.txt ; rm`)).toEqual([
      'say',
      'two words',
      'its',
      '$HOME',
      '*.txt',
      ';',
      'rm',
    ])
    expect(() => wordsOf(`say "x`)).toThrow(/hook.unfinished/)
    expect(() => wordsOf('  ')).toThrow(/hook.empty/)
  })

  it('reads the event on its standard input, whatever a run is called', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'klens-hook-')), 'event.json')
    const copy = `require('fs').writeFileSync(process.argv[1], require('fs').readFileSync(0))`
    const event = { event: 'end', name: '$(touch /tmp/owned); `id`' }
    expect(await runHook([process.execPath, '-e', copy, file], event)).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(event)
    expect(await runHook(['no-such-program-here'], event)).toContain('ENOENT')
  })
})
