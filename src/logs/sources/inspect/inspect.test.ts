import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../../test/support/binary.js'
import { fixture, readEvents, sourceFile, withFile } from '../../../../test/support/reading.js'
import { discover } from '../discover.js'
import { inspectLog } from './inspect.js'

const folder = fixture('evaluations/inspect/base')
const [name = ''] = readdirSync(folder).filter(file => file.endsWith('.eval'))
const whole = readFileSync(`${folder}/${name}`)

describe('an .eval archive that is cut off', () => {
  it('behind its samples has their scores, and says that it is cut', async () => {
    const scores = (events: Awaited<ReturnType<typeof readEvents>>) =>
      eventsOf(events, 'samples').flatMap(({ samples }) => samples.scores)
    const complete = await readEvents(inspectLog, `${folder}/${name}`)
    const cut = await withFile(whole.subarray(0, whole.length - 60), path => readEvents(inspectLog, path), 'log.eval')
    expect(scores(cut)).toEqual(scores(complete))
    expect(eventsOf(cut, 'warning').map(({ message }) => message.key)).toEqual(['inspect.cut-off'])
  })

  it.each([100, 2000])('before them (%d bytes) is no run, for the true reason', async bytes => {
    const found = await withFile(whole.subarray(0, bytes), path => discover([path]), 'log.eval')
    expect(found.runs).toEqual([])
    expect(found.skipped.map(({ reason }) => reason.key)).toEqual(['inspect.cut-off'])
    const file = await withFile(whole.subarray(0, bytes), path => sourceFile(path), 'log.eval')
    expect(inspectLog.recognise(file)).toBe(true)
  })
})
