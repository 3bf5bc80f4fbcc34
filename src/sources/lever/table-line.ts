/**
 * The table of epochs that Lever-Plus prints while it trains, one for each phase: a line of headings, then a line per
 * epoch with fixed decimals. A later version adds a list behind the numbers.
 */
export type Phase = 'rce' | 'grpo'

const RCE_HEADINGS = /^ {0,9}Epoch {1,20}Train Loss {1,20}Val Loss {1,20}Temperature *$/
const GRPO_HEADINGS =
  /^ {0,9}Epoch {1,20}Train Loss {1,20}Val Loss {1,20}PPO Loss {1,20}KL {1,20}Adv Std {1,20}Adv Max {1,20}Beta(?: {1,40}\S{1,40})? *$/

export function phaseOfHeadings(line: string): Phase | null {
  if (RCE_HEADINGS.test(line)) return 'rce'
  return GRPO_HEADINGS.test(line) ? 'grpo' : null
}

/** What the trainer calls the columns itself, in checkpoints and in its metrics files. */
const METRICS: { readonly [P in Phase]: readonly string[] } = {
  rce: ['rce_loss', 'rce_val_loss', 'temperature'],
  grpo: ['grpo_loss', 'val_loss', 'ppo_loss', 'kl', 'std_advantage', 'max_advantage', 'kl_beta'],
}

export interface EpochLine {
  readonly epoch: number
  readonly metrics: readonly string[]
  readonly values: readonly number[]
  readonly decimals: readonly (number | null)[]
}

const NUMBER = String.raw`[-+]?(?:\d{1,30}(?:\.\d{0,30})?(?:e[-+]?\d{1,3})?|nan|inf)`
const LINE = new RegExp(String.raw`^ {0,9}(\d{1,9})((?: {1,30}${NUMBER}){3,7})(?: {1,40}\[[^\]]{0,200}\])? *$`, 'i')

export function readEpochLine(line: string, phase: Phase): EpochLine | null {
  const match = LINE.exec(line)
  const cells = match?.[2].trim().split(/ +/) ?? []
  const metrics = METRICS[phase]
  if (match === null || cells.length !== metrics.length) return null
  return { epoch: Number(match[1]), metrics, values: cells.map(numberOf), decimals: cells.map(decimalsOf) }
}

function numberOf(cell: string): number {
  if (/nan/i.test(cell)) return Number.NaN
  if (/inf/i.test(cell)) return cell.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(cell)
}

function decimalsOf(cell: string): number | null {
  return /[ein]/i.test(cell) ? null : (cell.split('.')[1]?.length ?? 0)
}
