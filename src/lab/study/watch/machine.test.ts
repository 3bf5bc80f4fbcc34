import { expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../../test/workspace.js'
import { machineUnder } from './machine.js'

it('tells the room left and the process that was named, and nothing of what it cannot know', async () => {
  const workspace = await temporaryWorkspace()
  const folder = temporaryFolder()
  const own = await machineUnder(workspace, { run: 'r', folder, pid: process.pid })
  expect(own.freeBytes).toBeGreaterThan(0)
  expect(own.process).toMatchObject({ pid: process.pid, isAlive: true })
  if (process.platform === 'linux') {
    const { rss } = process.memoryUsage()
    expect(Math.abs((own.process?.residentBytes ?? 0) / rss - 1)).toBeLessThan(0.5)
    expect(own.process?.cores).toBeGreaterThan(0)
  }
  const none = await machineUnder(workspace, { run: 'r', folder: `${folder}/gone`, pid: null })
  expect(none).toEqual({ freeBytes: null, process: null })
  const dead = await machineUnder(workspace, { run: 'r', folder: null, pid: 2 ** 22 + 1 })
  expect(dead.process).toEqual({ pid: 2 ** 22 + 1, isAlive: false, cores: null, residentBytes: null })
})
