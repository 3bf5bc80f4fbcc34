import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { POLITE, startProcess } from './support/processes.js'
import { temporaryFolder } from './workspace.js'

/** Evaluations that rise to 2.2 and fall to nothing, as a run of a real system did, every five steps. */
const SCORES = [
  ...Array.from({ length: 25 }, (_, i) => 1.7 + 0.45 * (1 - Math.exp(-i / 6)) + 0.05 * Math.sin(3 * i)),
  ...[2.148, 1.597, 0.425, 0.02, 0, 0, 0],
]

function writeLog(folder: string, scores: readonly number[], steps = 5 * scores.length): string {
  const run = join(folder, 'run')
  mkdirSync(run, { recursive: true })
  writeFileSync(join(run, 'config.json'), JSON.stringify({ trainer: { total_training_steps: steps, test_freq: 5 } }))
  for (let step = 1; step <= 5 * scores.length; step += 1) {
    const data: { [metric: string]: number } = {
      'critic/rewards/mean': 1 + (step % 7) / 50,
      'actor/grad_norm': 1 + (step % 5) / 9,
    }
    if (step % 5 === 0) data['val-core/gym/reward/mean@1'] = scores[step / 5 - 1]
    appendFileSync(join(run, 'metrics.jsonl'), `${JSON.stringify({ step, data })}\n`)
  }
  return run
}

async function watched(scores: readonly number[], ...words: readonly string[]) {
  const folder = temporaryFolder()
  const run = writeLog(folder, scores)
  const { code, out, error } = await klensInside(folder, ['watch', run, '--json', '--until-end', ...words])
  return {
    code,
    error,
    events: out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  }
}

describe('klens watch', () => {
  it('says that a collapsed run should stop at its second low evaluation, with evidence, and that it ended', async () => {
    const { code, events } = await watched(SCORES)
    const stop = events.find(({ event }) => event === 'stop')
    expect(stop).toMatchObject({ rule: 'collapse', step: 140, evidence: { metric: 'val-core/gym/reward/mean@1' } })
    expect(stop.falseStops).toContain('106 healthy runs')
    expect(events.some(({ event, rule }) => event === 'finding' && rule === 'validation-collapse')).toBe(true)
    expect(events.at(-1)).toMatchObject({ event: 'end', status: 'finished', step: 160 })
    for (const event of events) expect(Object.keys(event)).toEqual(expect.arrayContaining(['time', 'run', 'event']))
    expect(code).toBe(0)
  })

  it('ends with 1 at the first reason where that is asked for', async () => {
    const { code } = await watched(SCORES, '--fail-on', 'error')
    expect(code).toBe(1)
  })

  it('leaves a healthy run alone, but for a limit that was named', async () => {
    const healthy = SCORES.slice(0, 26)
    expect((await watched(healthy)).events.filter(({ event }) => event === 'stop')).toEqual([])
    const limited = await watched(healthy, '--stop', 'steps=100')
    expect(limited.events.find(({ event }) => event === 'stop')).toMatchObject({ rule: 'budget', step: 100 })
  })

  it('ends after its own stop, which is no crash, though the log says nothing of an end', {
    timeout: 60_000,
  }, async () => {
    const folder = temporaryFolder()
    const { pid, isAlive } = await startProcess(POLITE)
    const run = writeLog(folder, SCORES, 2000)
    const later = Date.now() / 1000 + 1
    utimesSync(join(run, 'metrics.jsonl'), later, later)
    const words = ['watch', run, '--json', '--until-end', '--act', '--veto', '0', '--pid', String(pid)]
    const { code, out, error } = await klensInside(folder, words)
    expect([code, isAlive()]).toEqual([0, false])
    expect(error).toContain(`process ${pid} has stopped`)
    expect(out).not.toContain('"crash"')
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({ event: 'end', status: 'killed' })
  })

  it('stops no process that it does not know', async () => {
    const folder = temporaryFolder()
    const run = writeLog(folder, SCORES)
    for (const pid of ['0', '99999999', '1.5', 'x']) {
      const { code, error } = await klensInside(folder, ['watch', run, '--act', '--pid', pid])
      expect([code, error]).toEqual([2, expect.stringContaining('there is no process')])
    }
  })

  it('says of two running sides when a word on them may be said, and no word before', async () => {
    const folder = temporaryFolder()
    const short = SCORES.slice(0, 12)
    const higher = short.map((score, i) => score + 0.05 + 0.02 * Math.cos(5 * i))
    const sides = [writeLog(join(folder, 'a'), short, 2000), writeLog(join(folder, 'b'), higher, 2000)]
    // As logs that were begun before their last line was written: those of runs that go on.
    const later = Date.now() / 1000 + 1
    for (const side of sides) utimesSync(join(side, 'metrics.jsonl'), later, later)
    const { out } = await klensInside(folder, ['watch', ...sides, '--json', '--fail-on', 'error', '--stop', 'steps=1'])
    const events = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(events.filter(({ event }) => event === 'verdict')).toMatchObject([
      {
        step: 60,
        answer: 'undetermined',
        message: expect.stringContaining('the first interim analysis is at step 250'),
      },
    ])
  })

  it('refuses a rule or an address that it does not know', async () => {
    const folder = temporaryFolder()
    const run = writeLog(folder, SCORES.slice(0, 3))
    const unknown = await klensInside(folder, ['watch', run, '--stop', 'luck'])
    expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining('there is no stop rule "luck"')])
    const unset = await klensInside(folder, ['watch', run, '--notify', 'slack=NO_SUCH_VARIABLE_HERE'])
    expect([unset.code, unset.error]).toEqual([2, expect.stringContaining('NO_SUCH_VARIABLE_HERE is not set')])
  })
})
