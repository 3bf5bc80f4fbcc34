import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { takeLease } from '../../core/store/lease.js'
import { changeRun } from '../../core/store/manage.js'
import { runFolder } from '../../core/store/workspace.js'
import { render } from '../../text/sentences.js'
import { diagnose } from './diagnose.js'
import { importRuns } from './import.js'
import { resolveAll } from './names.js'
import { show } from './show.js'

async function twoSeeds() {
  const workspace = await temporaryWorkspace()
  const logs = temporaryFolder()
  for (const name of ['warm0', 'warm1']) {
    mkdirSync(join(logs, name))
    writeFileSync(
      join(logs, name, 'metrics.jsonl'),
      [1, 2, 3].map(step => `${JSON.stringify({ step, loss: step, name })}\n`).join(''),
    )
  }
  const { runs } = await importLogs(workspace, [logs])
  return { workspace, logs, runs }
}

describe('a run that is named', () => {
  it('is answered from the store while another process is writing it', async () => {
    const { workspace, logs, runs } = await twoSeeds()
    writeFileSync(join(logs, 'warm0', 'metrics.jsonl'), `${JSON.stringify({ step: 4, loss: 4 })}\n`, { flag: 'a' })
    const [{ id }] = runs
    const lease = await takeLease(runFolder(workspace, id), 'follow')
    const answer = await answerTo(workspace, show, { run: join(logs, 'warm0') })
    expect(answer.run).toMatchObject({ id, points: 3 })
    expect((await answerTo(workspace, diagnose, { runs: [logs] })).runs).toHaveLength(2)
    // An import must not say that it has read what it has not.
    const imported = await answerTo(workspace, importRuns, { paths: [join(logs, 'warm0')] })
    expect(imported).toMatchObject({ runs: [], skipped: [{ reason: expect.stringContaining('being written') }] })
    await lease.release()
  })

  it('may have a sign left open', async () => {
    const { workspace } = await twoSeeds()
    const named = async (pattern: string) =>
      (await resolveAll(workspace, [pattern], {})).map(({ manifest }) => manifest.name).sort()
    expect(await named('warm?')).toEqual(['warm0', 'warm1'])
    expect(await named('*m?')).toEqual(['warm0', 'warm1'])
    expect(await named('w*1')).toEqual(['warm1'])
    await expect(named('warm??')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('is guessed where it is mistyped', async () => {
    const { workspace } = await twoSeeds()
    const refused = await answerTo(workspace, show, { run: 'wrm0' }).catch(error => error)
    expect(render(refused.sentence, 'en')).toContain('(did you mean warm0?)')
  })

  it('is told from its namesakes by source, path and start', async () => {
    const { workspace, logs, runs } = await twoSeeds()
    for (const { id } of runs) await changeRun(workspace, id, () => ({ givenName: 'same' }))
    const refused = await answerTo(workspace, show, { run: 'same' }).catch(error => error)
    const said = render(refused.sentence, 'en')
    for (const { id } of runs) expect(said).toContain(id)
    for (const name of ['warm0', 'warm1']) expect(said).toContain(join(logs, name, 'metrics.jsonl'))
  })
})
