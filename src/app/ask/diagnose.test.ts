import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryFolder } from '../../../test/workspace.js'
import type { Message } from '../../logs/model/run.js'
import { diagnose } from './diagnose.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('diagnose', () => {
  const workspace = sharedWorkspace(`${EXAMPLES}/userrl-intentiongym`)

  it('has one answer for several runs, and says which check passed on all of them', async () => {
    const { runs, findings, passed, notChecked } = await answerTo(workspace(), diagnose, { runs: ['kl', 'no-kl'] })
    expect(runs.map(({ name }) => name)).toEqual(['kl', 'no-kl'])
    expect(findings.length).toBeGreaterThan(0)
    const ids = new Set(runs.map(({ id }) => id))
    for (const { run } of [...findings, ...notChecked]) expect(ids).toContain(run)
    for (const rule of passed) expect(runs.every(run => run.passed.includes(rule))).toBe(true)
  })

  it('speaks the language of the request', async () => {
    const { findings } = await answerTo(workspace(), diagnose, { runs: ['kl'], lang: 'zh' })
    for (const { message, remedy } of findings) expect(message + remedy).toMatch(/[\u4e00-\u9fff]/)
  })

  it('passes over a file that is no log, and says so beside the answer', async () => {
    const remarks: Message[] = []
    const notes = join(temporaryFolder(), 'notes.txt')
    writeFileSync(notes, 'nothing here')
    const names = ['kl', notes]
    const { runs } = await answerTo(workspace(), diagnose, { runs: names }, { remark: said => remarks.push(said) })
    expect(runs).toHaveLength(1)
    expect(remarks).toMatchObject([{ key: 'run.nothing-at-path' }])
  })

  it('tells how far it is, and stops when it is asked to', async () => {
    const stopping = new AbortController()
    const seen: number[] = []
    const onProgress = ({ done }: { readonly done: number }): void => {
      seen.push(done)
      stopping.abort()
    }
    const { signal } = stopping
    await expect(answerTo(workspace(), diagnose, { runs: ['kl', 'no-kl'] }, { signal, onProgress })).rejects.toThrow()
    expect(seen).toEqual([1])
  })
})
