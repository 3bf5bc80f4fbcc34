import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { media, mediaImage } from './media.js'

const FIXTURES = fileURLToPath(new URL('../../logs/sources/fixtures', import.meta.url))
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex')
const IMAGE = 'media/images/image_1_d6325bd24a66141e9be5.png'
const OTHER = 'media/images/images_1_d6325bd24a66141e9be5.png'

async function wandbRun(): Promise<{ readonly workspace: Workspace; readonly folder: string }> {
  const folder = join(temporaryFolder(), 'run-1')
  mkdirSync(join(folder, 'files/media/images'), { recursive: true })
  copyFileSync(join(FIXTURES, 'wandb/media.wandb'), join(folder, 'run-media.wandb'))
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [folder])
  return { workspace, folder }
}

describe('what a log holds beside metrics', () => {
  it('is read from a W&B log: system stats, histograms, and where its pictures are', async () => {
    const { workspace } = await wandbRun()
    const { system, images, histograms } = await answerTo(workspace, media, { run: 'media' })
    expect(system.find(({ name }) => name === 'proc.memory.rssMB')).toEqual({
      name: 'proc.memory.rssMB',
      seconds: [0],
      values: [67.39453125],
    })
    expect(images.find(({ name }) => name === 'image')?.steps[1]).toEqual({ step: 1, file: 0, place: IMAGE })
    const [{ name, steps }] = histograms
    expect(name).toBe('histogram')
    expect(steps.map(({ step, edges, counts }) => [step, edges.length, counts.length])).toEqual([
      [0, 65, 64],
      [1, 65, 64],
    ])
    expect(steps[0].counts.reduce((sum, count) => sum + count, 0)).toBe(3)
  })

  it('has the stats of older W&B, which stand in a file beside the log', async () => {
    const folder = join(temporaryFolder(), 'old')
    cpSync(join(FIXTURES, 'wandb/projects/one'), folder, { recursive: true })
    mkdirSync(join(folder, 'files'))
    const rows = [10, 20].map(time => JSON.stringify({ 'system.gpu.0.gpu': time, _timestamp: time, _wandb: true }))
    writeFileSync(join(folder, 'files/wandb-events.jsonl'), `${rows.join('\n')}\nno JSON\n`)
    const workspace = await temporaryWorkspace()
    await importLogs(workspace, [folder])
    const { system } = await answerTo(workspace, media, { run: 'seed1' })
    expect(system).toEqual([{ name: 'gpu.0.gpu', seconds: [0, 10], values: [10, 20] }])
  })

  it('has the histograms of a TensorBoard file', async () => {
    const workspace = await temporaryWorkspace()
    await importLogs(workspace, [join(FIXTURES, 'tensorboard/scalars')])
    const { histograms } = await answerTo(workspace, media, { run: 'scalars' })
    expect(histograms.map(({ name }) => name)).toContain('weights')
    const [{ edges, counts }] = histograms.find(({ name }) => name === 'weights')?.steps ?? []
    expect(edges).toHaveLength(counts.length + 1)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10)
    expect([edges[0], edges.at(-1)]).toEqual([0, 9])
  })

  it('has the tensors of TensorFlow 2: histograms as three columns, several pictures at a step', async () => {
    const workspace = await temporaryWorkspace()
    await importLogs(workspace, [join(FIXTURES, 'tensorboard/tensorflow2')])
    const run = 'tensorflow2'
    const { histograms, images } = await answerTo(workspace, media, { run })
    expect(histograms).toEqual([
      {
        name: 'weights',
        steps: [1, 2].map(step => ({
          step,
          edges: [0, 1.8, 3.6, 5.4, 7.2, 9].map(edge => expect.closeTo(edge * step, 9)),
          counts: [2, 2, 2, 2, 2],
        })),
      },
      { name: 'constant', steps: [1, 2].map(step => ({ step, edges: [3, 3], counts: [4] })) },
    ])
    expect(images.map(({ name, steps }) => [name, steps.map(({ step }) => step)])).toEqual(
      ['samples/0', 'samples/1', 'one'].map(name => [name, [1, 2]]),
    )
    const sizes = await Promise.all(
      images.map(async ({ steps: [{ file, place }] }) => {
        const { type, data } = await answerTo(workspace, mediaImage, { run, file, place })
        expect(type).toBe('image/png')
        return Buffer.from(data, 'base64').length
      }),
    )
    expect(sizes).toEqual([73, 78, 73])
    const width = answerTo(workspace, mediaImage, { run, file: 0, place: images[0].steps[0].place.replace(/2$/, '0') })
    await expect(width).rejects.toThrow(/media\.no-image|no picture/)
  })

  it('sends a picture by its bytes: no other file, none outside the run, none for readers of another machine', async () => {
    const { workspace, folder } = await wandbRun()
    const ask = (place: string, more = {}) => answerTo(workspace, mediaImage, { run: 'media', file: 0, place, ...more })
    writeFileSync(join(folder, 'files', IMAGE), PNG)
    expect(await ask(IMAGE)).toEqual({ type: 'image/png', data: PNG.toString('base64') })
    writeFileSync(join(folder, 'files/page.png'), '<svg onload="alert(1)"/>')
    writeFileSync(join(dirname(folder), 'secret.png'), PNG)
    symlinkSync(join(dirname(folder), 'secret.png'), join(folder, 'files', OTHER))
    for (const place of ['page.png', OTHER, '../../secret.png', join(dirname(folder), 'secret.png'), '']) {
      await expect(ask(place)).rejects.toThrow(/media\.no-image|no picture/)
    }
    await expect(ask(IMAGE, { reach: 'workspace' })).rejects.toThrow(/media\.no-image|no picture/)
  })
})
