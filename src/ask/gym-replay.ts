import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { replay } from '../gym/replay.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { json, list, request } from './fields.js'
import { question } from './question.js'

/** Does klens's gym do what another gym did, step by step, when its simulator answers the same? */

const replayAnswer = z.object({
  episodes: z.number(),
  transitions: z.number(),
  differences: list(
    z.object({
      episode: z.union([z.number(), z.string()]),
      step: z.number(),
      member: z.string(),
      recorded: json,
      replayed: json,
    }),
  ),
})

export type ReplayAnswer = z.infer<typeof replayAnswer>

export const gymReplay = question({
  request: request({ file: z.string() }),
  answer: replayAnswer,
  async ask(_, { file }) {
    const bytes = await readFile(file).catch(() => null)
    if (bytes === null) throw new Problem('not-found', message('gym.no-file', { path: file }))
    return replay(file, textOf(bytes))
  },
})

function textOf(bytes: Buffer): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isCompressed ? gunzipSync(bytes) : bytes).toString('utf8')
}
