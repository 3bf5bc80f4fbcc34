import { z } from 'zod'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import type { Watched } from './episode.js'
import type { InstantEpisode } from './gym.js'

/** How the recorded episodes of a gym are opened again: what its simulator said is played back, call by call. */
export interface ReplayForm {
  /** Members of a recorded step that are compared, beside feedback, reward and flags. */
  readonly members: readonly string[]
  /** Throws a `ZodError` where this is no episode of the gym. */
  open(episode: unknown, calls: RecordedCalls): InstantEpisode & Watched<object>
}

export interface RecordedCalls {
  reply(): RecordedAnswer
  judge(): RecordedAnswer
  /** What the gym asks about, as it stands in its prompts. */
  hear(question: string): void
}

export const rawAnswerSchema = z.union([z.string(), z.object({ error: z.string() })])

export type RecordedAnswer =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'missing'; readonly reason: Message }

const say = sentences({
  'gym.recorded-failure': { en: 'the recorded call failed: {detail}', zh: '录制的调用失败：{detail}' },
})

export function recordedAnswer(raw: z.output<typeof rawAnswerSchema> = { error: 'not recorded' }): RecordedAnswer {
  return typeof raw === 'string'
    ? { kind: 'answer', text: raw }
    : { kind: 'missing', reason: say('gym.recorded-failure', { detail: raw.error }) }
}
