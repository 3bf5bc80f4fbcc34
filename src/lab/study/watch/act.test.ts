import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { leaveLease, POLITE, startProcess } from '../../../../test/support/processes.js'
import { temporaryFolder } from '../../../../test/workspace.js'
import { birthOf, type LocalProcess, processNumbered } from '../../../core/store/process.js'
import { workspaceAt } from '../../../core/store/workspace.js'
import { announce, announcedStops, stopTraining, veto } from './act.js'
import { runHook, wordsOf } from './notify.js'

const DEAF = `process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')`

async function acted(
  code: string,
  before: (stop: Promise<boolean>, root: string) => Promise<void> = async () => {},
  vetoSeconds = 0.5,
) {
  const { pid } = await startProcess(code)
  const root = temporaryFolder()
  const { stopping, remarks } = stopAt(root, processNumbered(pid), { vetoSeconds })
  await before(stopping, root)
  return { hasStopped: await stopping, remarks }
}

function stopAt(
  root: string,
  trainer: LocalProcess | null,
  { vetoSeconds = 0.5, signal = new AbortController().signal, onRemark = (_: string): void => {}, patience = 0.5 } = {},
) {
  mkdirSync(join(root, 'cache'))
  const remarks: string[] = []
  const remark = ({ key }: { readonly key: string }): void => {
    remarks.push(key)
    onRemark(key)
  }
  const stopping = stopTraining(
    workspaceAt(root),
    { run: 'r1', name: 'run', rule: 'dead', message: 'it learns nothing' },
    { vetoSeconds, trainer, remark, signal, patienceSeconds: [patience, patience] },
  )
  return { stopping, remarks }
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

describe('the process that is signalled', () => {
  it('is the one that holds the run, while it holds it', async () => {
    const root = temporaryFolder()
    const { pid, birth } = await startProcess(POLITE)
    leaveLease(join(root, 'runs', 'r1'), { pid, birth })
    const { stopping, remarks } = stopAt(root, null)
    expect([await stopping, remarks]).toEqual([true, ['act.in', 'act.asked', 'act.stopped']])
  })

  it('is no other that has its number by now', async () => {
    const root = temporaryFolder()
    const { pid, isAlive } = await startProcess(POLITE)
    leaveLease(join(root, 'runs', 'r1'), { pid, birth: '1' })
    const { stopping, remarks } = stopAt(root, null)
    expect([await stopping, remarks, isAlive()]).toEqual([false, ['act.unknown-process'], true])
    const named = stopAt(temporaryFolder(), { pid, birth: '1' })
    expect([await named.stopping, named.remarks, isAlive()]).toEqual([false, ['act.unknown-process'], true])
  })

  it('is none where the training ended within the veto, or its process went on to another run', async () => {
    const root = temporaryFolder()
    const { child, pid, birth, isAlive } = await startProcess(POLITE)
    leaveLease(join(root, 'runs', 'r1'), { pid, birth })
    const release = (key: string): void => {
      if (key === 'act.in') rmSync(join(root, 'runs', 'r1', 'lease.1'))
    }
    const moved = stopAt(root, null, { onRemark: release })
    expect([await moved.stopping, moved.remarks, isAlive()]).toEqual([false, ['act.in', 'act.ended'], true])
    const over = stopAt(temporaryFolder(), { pid, birth }, { onRemark: () => void child.kill('SIGKILL') })
    expect([await over.stopping, over.remarks]).toEqual([false, ['act.in', 'act.ended']])
  })

  it.each([
    ['a group', (pid: number) => ({ pid: -pid }), 0],
    ['everything', () => ({ pid: -1 }), 0],
    ['no number', (pid: number) => ({ pid: String(pid) }), 0],
    ['half a number', (pid: number) => ({ pid: pid + 0.5 }), 0],
    ['one whose lease does not say when it began', (pid: number) => ({ pid }), 0],
    ['one whose lease is dated in the future', (pid: number) => ({ pid, birth: birthOf(pid) }), 3600],
  ])('is never %s', async (_, holder, ahead) => {
    const root = temporaryFolder()
    const { pid, isAlive } = await startProcess(POLITE)
    leaveLease(join(root, 'runs', 'r1'), holder(pid), ahead)
    const { stopping, remarks } = stopAt(root, null)
    expect([await stopping, remarks, isAlive()]).toEqual([false, ['act.unknown-process'], true])
  })

  it('is left to save by a watcher that is stopped itself', async () => {
    const slow = `process.on('SIGINT', () => console.log('saving')); process.on('SIGTERM', () => process.exit(1)); setInterval(() => {}, 1000); console.log('up')`
    const { child, pid, isAlive } = await startProcess(slow)
    const saving = new Promise(resolve => child.stdout.once('data', resolve))
    const ctrlC = new AbortController()
    const { stopping, remarks } = stopAt(temporaryFolder(), processNumbered(pid), {
      signal: ctrlC.signal,
      patience: 60,
    })
    await saving
    ctrlC.abort()
    expect([await stopping, remarks]).toEqual([false, ['act.in', 'act.asked', 'act.left']])
    await pause(300)
    expect(isAlive()).toBe(true)
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
