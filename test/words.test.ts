import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonInside, klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** What people type who have not read the manual. */

async function oneRun(): Promise<string> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'logs', 'calm'), { recursive: true })
  writeFileSync(join(folder, 'logs', 'calm', 'metrics.jsonl'), '{"step":1,"loss":1}\n{"step":2,"loss":2}\n')
  await jsonInside(folder, ['import', 'logs'])
  return folder
}

describe('the command line', () => {
  it('greets in the language that is asked for', async () => {
    const { code, out } = await klensInside(temporaryFolder(), ['--lang', 'zh'])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('训练后：哪里有问题') })
  })

  it('says what it sees when it is asked nothing, and proposes one command', async () => {
    const empty = (await klensInside(temporaryFolder(), [])).out
    expect(empty).toContain('This folder: no training logs.')
    const [, example = ''] = /Try: klens diagnose (.*)/.exec(empty) ?? []
    expect(example).toMatch(/examples\/grpo-addition\/sick-length-bonus$/)

    const folder = await oneRun()
    mkdirSync(join(folder, 'wandb', 'run-1'), { recursive: true })
    writeFileSync(join(folder, 'wandb', 'run-1', 'run-1.wandb'), '')
    writeFileSync(join(folder, 'prompts.jsonl'), '{"prompt":"no log at all"}\n')
    const seen = (await klensInside(folder, [])).out
    expect(seen).toContain('This folder: 2 files look like training logs (JSONL 1, W&B 1).')
    expect(seen).toContain('Workspace: 1 run in .klens.')
    expect(seen).toContain('Try: klens diagnose .')
    for (const line of seen.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('takes a tag away by its sign, and leaves the option for it', async () => {
    const folder = await oneRun()
    await klensInside(folder, ['tag', 'calm', 'good', 'paper'])
    expect((await klensInside(folder, ['tag', 'calm', '-good'])).out).toBe('calm: paper\n')
    expect((await klensInside(folder, ['tag', 'calm', '-r', 'paper'])).out).toBe('calm: no tags\n')
  })

  it('says in JSON what went wrong where JSON was asked for', async () => {
    const folder = await oneRun()
    const { code, out, error } = await klensInside(folder, ['show', 'cal', '--json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(error)).toEqual({
      error: { code: 'not-found', message: expect.stringContaining('did you mean calm?') },
    })
  })

  it('is told where a run was read from in a few lines, however many files there are', async () => {
    const folder = temporaryFolder()
    const steps = Array.from({ length: 40 }, (_, i) => i + 1)
    mkdirSync(join(folder, 'rollouts'))
    for (const step of steps) {
      const answer = JSON.stringify({ input: 'q', output: 'a', score: 1, step })
      writeFileSync(join(folder, 'rollouts', `${step}.jsonl`), `${answer}\n${answer}\n`)
    }
    await jsonInside(folder, ['import', 'rollouts'])
    const { out } = await klensInside(folder, ['show', '*'])
    expect(out.split('\n').filter(line => line.startsWith('read from')).length).toBeLessThan(6)
    expect(out).toContain('37 more files in')
  })
})
