import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klens } from './cli.js'
import { temporaryFolder } from './workspace.js'

describe('examples/loop', () => {
  it('trains, asks the gate and does what it says, by exit codes alone', () => {
    const folder = temporaryFolder()
    const ran = spawnSync(process.execPath, [resolve('examples/loop/run.mjs'), folder, '--tries', '1'], {
      encoding: 'utf8',
    })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toMatch(/^start\+optimiser\.epsilon=1e-9: (?:discard|keep|more)/)
    const [question, ...loop] = ['gate', 'start/*', 'start+optimiser.epsilon=1e-9/*', '--loop', 'demo']
    // Nothing new since: the ledger answers, and its code is that of the decision.
    const { code, out } = klens(folder, [question, ...loop, '--json'])
    const { decision, fromLedger } = JSON.parse(out)
    expect({ decision, fromLedger, code }).toEqual({ decision, fromLedger: true, code: decision === 'keep' ? 0 : 1 })
    expect(klens(folder, [question, ...loop.slice(0, 2), '--loop', '../x']).code).toBe(2)
  })
})
