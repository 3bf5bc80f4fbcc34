import { z } from 'zod'
import { shownName } from '../../core/store/manifest.js'
import { announcedStops, veto } from '../../lab/study/watch/act.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { list, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** Trainings that `klens watch --act` will stop unless somebody says no, and saying no. */

const say = sentences({
  'stops.none': {
    en: 'no stop of {run} is announced (or it was carried out already); there is nothing to veto',
    zh: '没有宣布要停止 {run}（或已执行），无需否决',
  },
})

const stopsAnswer = z.object({
  stops: list(
    z.object({
      run: z.string(),
      name: z.string(),
      rule: z.string(),
      /** Why, in the words of whoever watches. */
      message: z.string(),
      /** Until it is asked to stop. */
      seconds: z.number(),
    }),
  ),
})

export const stops = question({
  request: request({}),
  answer: stopsAnswer,
  async ask(workspace) {
    const announced = await announcedStops(workspace)
    return {
      stops: announced.map(({ run, name, rule, message, at }) => ({
        ...{ run, name, rule, message },
        seconds: Math.max(0, at - Date.now() / 1000),
      })),
    }
  },
})

export const keepRunning = question({
  request: request({ runs: list(z.string()) }),
  answer: z.object({ kept: list(z.object({ id: z.string(), name: z.string() })) }),
  async ask(workspace, { runs: names }) {
    const runs = await resolveAll(workspace, names, { importPaths: false })
    const announced = new Set((await announcedStops(workspace)).map(({ run }) => run))
    const spared = runs.filter(({ manifest }) => announced.has(manifest.id))
    if (spared.length === 0) throw new Problem('not-found', say('stops.none', { run: names.join(', ') }))
    for (const { manifest } of spared) await veto(workspace, manifest.id)
    return { kept: spared.map(({ manifest }) => ({ id: manifest.id, name: shownName(manifest) })) }
  },
})
