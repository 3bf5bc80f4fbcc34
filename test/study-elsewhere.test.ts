import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StudyRunAnswer } from '../src/logs/model/study/answers.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** A queue of one command: the script is started at once and has ended before submit has. */
const QUEUE = `executor:
  commands:
    submit: [sh, -c, '"$1" > "$2" 2>&1 || true', queue, "{script}", "{log}"]
    status: [echo, nothing]
    states: {running: [RUNNING]}
    stop: ["true"]
    klens: [${JSON.stringify(process.execPath)}, ${JSON.stringify(resolve('bin/klens.js'))}]
`

describe('a study at an executor', () => {
  it('starts nothing of the file before somebody has said yes, then trains the trial it plans', async () => {
    const folder = temporaryFolder()
    const base = 'base: {policy.hidden: 16, data.width: 16, data.candidates: 16, epochs: {rce: 1, grpo: 0}}\n'
    const file = 'tiny.yaml'
    writeFileSync(join(folder, file), `question: does it matter?\n${base}arms: {a: {}}\nseeds: [3]\n${QUEUE}`)
    const planned = await jsonInside<StudyRunAnswer>(folder, ['study', 'run', file, '--dry-run'])
    expect(planned.programs?.executor).toContainEqual(expect.stringContaining('"$2" 2>&1'))
    const refused = await klensInside(folder, ['study', 'run', file])
    expect(refused.code).toBe(2)
    expect(refused.error).toContain('not approved here yet')

    const trust = ['--trust', planned.programs?.hash ?? '']
    const { out } = await klensInside(folder, ['study', 'run', file, ...trust, '--json'])
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toContainEqual(expect.objectContaining({ trial: 'tiny/a/seed3', epoch: 1, phase: 'rce' }))
    const answer: StudyRunAnswer = lines.at(-1)
    expect(answer.trials).toEqual([{ ...planned.trials[0], state: 'done', run: expect.any(String) }])

    // Elsewhere it was trained, here it is known.
    const again = await jsonInside<StudyRunAnswer>(folder, ['study', 'run', file, '--executor', 'local', '--dry-run'])
    expect(again.trials).toEqual(answer.trials)
    const jobs = join(folder, '.klens', 'studies', 'tiny', 'jobs')
    const [record] = readdirSync(jobs).filter(name => name.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(jobs, record), 'utf8'))).toMatchObject({ attempt: 1, end: { state: 'done' } })
  })
})
