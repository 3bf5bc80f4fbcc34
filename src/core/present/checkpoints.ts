import type { z } from 'zod'
import type { Encoded } from '../../text/encode.js'
import { figure, figuresApart } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import type { rankedCheckpoints } from '../analysis/checkpoints/rank-run.js'
import { type Block, paragraph, section, table } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'

/** Which checkpoint to take, why, and the best of the others beside it. */

type CheckpointsAnswer = Encoded<z.infer<typeof rankedCheckpoints>>

const ROWS_SHOWN = 10

export function checkpointsBlocks(answer: CheckpointsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { best, take, reasons } = answer
  const lines = [
    ...(take.saved === null ? [say('checkpoints.saved-unknown', {})] : []),
    ...(take.loss !== null && take.loss > 0 ? [say('checkpoints.loss', { loss: figure(take.loss, 2) })] : []),
    bestText(best, speaker),
    ...reasons,
  ]
  return [
    section(
      say('checkpoints.headline', { step: shortStep(take.step), why: take.why }),
      ...goalBlocks(answer, speaker),
      ...lines.map(line => paragraph(line)),
    ),
    rankingTable(answer, speaker, ROWS_SHOWN),
  ]
}

function bestText({ value, step, shrunken, interval }: CheckpointsAnswer['best'], speaker: Speaker): string {
  const say = saying(speaker, words)
  const top = { value: shortNumber(value), step: shortStep(step) }
  if (shrunken === null || interval === null) return say('checkpoints.best-plain', top)
  const [low, high] = interval.map(shortNumber)
  return say('checkpoints.best', { ...top, shrunken: shortNumber(Number(shrunken)), low, high })
}

/** Best first; `=` marks what the evaluations cannot tell from the best. */
export function rankingTable(
  { metric, ranking, indistinguishable, beside }: CheckpointsAnswer,
  speaker: Speaker,
  most: number,
): Block {
  const alike = new Set(indistinguishable)
  const shown = ranking.slice(0, most)
  const score = figuresApart(shown.map(({ value }) => value))
  const rows = shown.map(({ step, value, others }) => [
    shortStep(step),
    score(value),
    alike.has(step) ? '=' : '',
    ...beside.map(other => (others[other] === undefined ? '' : shortNumber(Number(others[other])))),
  ])
  const header = ['step', metric, speaker.say(words('checkpoints.column.alike', {})), ...beside]
  return table(header, ranking.length > most ? [...rows, ['…']] : rows)
}
