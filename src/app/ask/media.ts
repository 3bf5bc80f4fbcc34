import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { isInside } from '../../core/analysis/origin.js'
import type { RunView } from '../../core/analysis/run-view.js'
import { imageOf, mediaOf } from '../../core/store/media.js'
import { Problem } from '../../logs/model/problem.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import type { SystemSeries } from '../../logs/sources/media.js'
import { sentences } from '../../text/sentences.js'
import { list, numberWithin, request } from './fields.js'
import { resolveOne } from './names.js'
import { question } from './question.js'

/** What the log of a run holds beside metrics: how busy the machine was, pictures, histograms. Read from the log each time. */

const say = sentences({
  'media.no-image': {
    en: 'no picture is there any more, or it is no PNG, JPEG, GIF or WebP of at most 8 MiB',
    zh: '该图片已不存在，或不是 8 MiB 以内的 PNG、JPEG、GIF 或 WebP',
  },
})

/** Files outside the workspace are opened only where the person who asks could open them, too. */
const reach = z.enum(['registered', 'workspace']).default('registered')

const mediaAnswer = z.object({
  /** By seconds since the first of them. */
  system: list(z.object({ name: z.string(), seconds: list(z.number()), values: list(z.number()) })),
  images: list(
    z.object({
      name: z.string(),
      steps: list(z.object({ step: z.number(), file: z.number(), place: z.string() })),
    }),
  ),
  histograms: list(
    z.object({
      name: z.string(),
      steps: list(z.object({ step: z.number(), edges: list(z.number()), counts: list(z.number()) })),
    }),
  ),
})

export const media = question({
  request: request({ run: z.string(), reach }),
  answer: mediaAnswer,
  async ask(workspace, asked, asking) {
    const run = await resolveOne(workspace, asked.run, asking)
    const found = await mediaOf(run.manifest, { mayOpen: await opener(run, asked.reach), signal: asking.signal })
    const images = found.flatMap(({ file, images }) => images.map(image => ({ file, ...image })))
    const histograms = found.flatMap(each => each.histograms)
    return {
      system: systemSeries(found.flatMap(({ system }) => [...system])),
      images: [...groupBy(images, ({ name }) => name)].map(([name, steps]) => ({
        name,
        steps: steps.map(({ step, file, place }) => ({ step, file, place })),
      })),
      histograms: [...groupBy(histograms, ({ name }) => name)].map(([name, steps]) => ({
        name,
        steps: steps.map(({ step, edges, counts }) => ({ step, edges, counts })),
      })),
    }
  },
})

export const mediaImage = question({
  request: request({
    run: z.string(),
    file: numberWithin({ above: -1, whole: true }),
    place: z.string(),
    reach,
  }),
  /** `data` in Base64. */
  answer: z.object({ type: z.string(), data: z.string() }),
  async ask(workspace, asked, asking) {
    const run = await resolveOne(workspace, asked.run, asking)
    const options = { mayOpen: await opener(run, asked.reach), signal: asking.signal }
    const image = await imageOf(run.manifest, { file: asked.file ?? 0, place: asked.place }, options)
    if (image === null) throw new Problem('not-found', say('media.no-image', {}))
    return { type: image.type, data: image.bytes.toString('base64') }
  },
})

async function opener({ workspace }: RunView, asked: z.infer<typeof reach>): Promise<(path: string) => boolean> {
  const home = await realpath(workspace.root)
  return path => asked === 'registered' || isInside(home, path)
}

/** As many as a panel has pixels for. */
const MOST_POINTS = 300

/** A name that several logs of a run have goes on from one to the next. */
function systemSeries(found: readonly (readonly [string, SystemSeries])[]): z.infer<typeof mediaAnswer>['system'] {
  const start = Math.min(...found.map(([, { times }]) => times[0]))
  return [...groupBy(found, ([name]) => name)].map(([name, parts]) => {
    const times = parts.flatMap(([, part]) => part.times)
    const values = parts.flatMap(([, part]) => part.values)
    const each = Math.ceil(times.length / MOST_POINTS)
    const firsts = Array.from({ length: Math.ceil(times.length / each) }, (_, i) => i * each)
    const meanOf = (all: readonly number[], from: number): number => {
      const part = all.slice(from, from + each)
      return part.reduce((sum, value) => sum + value, 0) / part.length
    }
    return {
      name,
      seconds: firsts.map(from => meanOf(times, from) - start),
      values: firsts.map(from => meanOf(values, from)),
    }
  })
}
