import { z } from 'zod'
import type { Row } from '../../model/events.js'
import { readLineBlocks } from '../files.js'
import { nthName } from '../run-identity.js'
import type { Belonging, SourceFile } from '../source.js'

/**
 * Several trainings one after another in one table: the step begins again where the first row began. A step that goes
 * back only part of the way goes on from a checkpoint, and rows of other metrics are no training of their own.
 */
export const trainingPlace = z.object({
  nth: z.int(),
  /** The first and the highest step of this training, and how often the step has advanced. */
  first: z.number(),
  highest: z.number(),
  advances: z.int(),
  /** The metrics of its first row. */
  metrics: z.array(z.string()),
})

export type TrainingPlace = z.infer<typeof trainingPlace>

/** So often a step must have advanced before it can begin again: rows in no order are no trainings. */
const FEWEST_ADVANCES = 4

/** Where a reading stands after a row. */
export function nextPlace(place: TrainingPlace | null, { step, metrics }: Row): TrainingPlace {
  if (place === null) return begun(1, step, metrics)
  const { nth, first, highest, advances } = place
  if (step > highest) return { ...place, highest: step, advances: advances + 1 }
  if (step !== first || advances < FEWEST_ADVANCES) return place
  const shared = metrics.filter(metric => place.metrics.includes(metric)).length
  return 2 * shared > metrics.length ? begun(nth + 1, step, metrics) : place
}

function begun(nth: number, step: number, metrics: readonly string[]): TrainingPlace {
  return { nth, first: step, highest: step, advances: 0, metrics: [...metrics] }
}

/** More stretches than this are rows in no order. */
const MOST_TRAININGS = 100

/** How many trainings there are up to this place. */
export function trainingsUpTo(place: TrainingPlace | null): number {
  return place === null || place.nth > MOST_TRAININGS ? 1 : place.nth
}

export function trainingsOf(whole: Belonging, count: number): Belonging[] {
  if (count === 1) return [whole]
  return Array.from({ length: count }, (_, index) => {
    const nth = index + 1
    const member = nth === 1 ? '' : `${MARK}${nth}`
    return { ...whole, run: `${whole.run}#${MARK}${nth}`, member, name: nthName(whole.name, nth) }
  })
}

const MARK = '\0training '

/** Which training of the table is meant; null: all of them, for there is only one. */
export function trainingAsked(run: string): number | null {
  const at = run.lastIndexOf(MARK)
  return at < 0 ? null : Number(run.slice(at + MARK.length))
}

/**
 * Whether the step of the first row may stand in a later one, found by its text and without reading the rows: of a
 * thousand tables one begins again.
 */
export async function mayBeginAgain(file: SourceFile, firstStep: string): Promise<boolean> {
  const wanted = Buffer.from(firstStep)
  let seen = 0
  for await (const { body, rest } of readLineBlocks(file.path)) {
    const block = body === null ? rest : Buffer.concat([NEWLINE, body, NEWLINE])
    for (let at = block.indexOf(wanted); at >= 0; at = block.indexOf(wanted, at + wanted.length)) {
      if (!isDigit(block[at + wanted.length])) seen += 1
      if (seen > 1) return true
    }
  }
  return false
}

const NEWLINE = Buffer.from('\n')

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2e)
}
