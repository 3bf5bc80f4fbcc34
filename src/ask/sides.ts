import { z } from 'zod'
import { shownName } from '../store/manifest.js'
import { list, request } from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'

/** Which runs are meant by these words? Quick, so that curves can be drawn while a verdict is still being worked out. */

const sidesAnswer = z.object({
  sides: list(
    z.object({
      label: z.string(),
      /** Of `RUN@40`. */
      step: z.number().nullable(),
      runs: list(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
})

export const sides = question({
  request: request({ sides: list(z.string()) }),
  answer: sidesAnswer,
  async ask(workspace, asked, asking) {
    const found = await resolveSides(workspace, asked.sides, asking)
    return {
      sides: found.map(({ label, checkpoint, runs }) => ({
        label,
        step: checkpoint,
        runs: runs.map(({ manifest }) => ({ id: manifest.id, name: shownName(manifest) })),
      })),
    }
  },
})
