import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

describe('a follower', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('obeys %s while its first import ends', async signal => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'logs'))
    const lines = Array.from({ length: 2000 }, (_, step) => `${JSON.stringify({ step, 'val/score': step })}\n`)
    writeFileSync(join(folder, 'logs', 'metrics.jsonl'), lines.join(''))
    const runs = join(folder, '.klens', 'runs')
    // The points are there before the import commits them: it is ending.
    const isEnding = (): boolean =>
      existsSync(runs) && readdirSync(runs).some(id => existsSync(join(runs, id, 'points', '0.parquet')))
    let isTold = false
    const watch = (): void => {
      if (!isEnding()) return void setImmediate(watch)
      isTold = true
      process.emit(signal)
    }
    setImmediate(watch)
    const { code } = await klensInside(folder, ['import', 'logs', '--follow'])
    expect({ code, isTold }).toEqual({ code: 130, isTold: true })
  })
})
