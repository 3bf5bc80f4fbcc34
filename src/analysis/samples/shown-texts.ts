import { readSampleTexts, type TextRow } from '../../store/texts.js'
import type { ExaminedSide, SampleFindings } from './samples.js'

/** The answers that somebody wants to see, and no others: by side, then by prompt. */
export type ShownTexts = readonly ReadonlyMap<string, TextRow>[]

export interface WantedTexts {
  readonly flips: boolean
  readonly failures: boolean
  /** Of each kind. */
  readonly limit: number
  /** Of these prompts in any case. */
  readonly ids: readonly string[]
}

export async function readShownTexts(
  { sides, flips, failures }: SampleFindings,
  wanted: WantedTexts,
): Promise<ShownTexts> {
  const flipped = wanted.flips ? flips.slice(0, wanted.limit).map(({ id }) => id) : []
  const shown: Map<string, TextRow>[] = []
  for (const [at, side] of sides.entries()) {
    const failed = wanted.failures ? failures.flatMap(({ examples }) => examples[at].slice(0, wanted.limit)) : []
    const found = new Map<string, TextRow>()
    for await (const rows of readSampleTexts(side.run, {
      ...side,
      ids: [...new Set([...wanted.ids, ...flipped, ...failed])],
    })) {
      for (const row of rows) if (isShown(side, row, found)) found.set(row.sample, row)
    }
    shown.push(found)
  }
  return shown
}

/** Of several answers to a prompt a failed one is shown, where there is one: it is what was asked about. */
function isShown({ failed }: ExaminedSide, { sample, repeat }: TextRow, found: ReadonlyMap<string, TextRow>): boolean {
  if (!found.has(sample)) return true
  return [...failed.keys()].find(({ id }) => id === sample)?.repeat === repeat
}
