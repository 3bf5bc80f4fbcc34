import type { z } from 'zod'
import { KL_COEFFICIENTS } from '../../logs/model/vocabulary/effective-kl.js'
import type { Encoded } from '../../text/encode.js'
import { signedFigure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import type { sweepAnswer } from '../analysis/sweep/answer.js'
import { type Block, paragraph, section, table, toned } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'

/** A sweep: the answer, the matrix, what is wrong with it, what would settle it. */

export type SweepAnswer = Encoded<z.infer<typeof sweepAnswer>>

type Cell = SweepAnswer['cells'][number]
type Verdict = SweepAnswer['verdicts'][number]
type Score = { readonly mean: number; readonly spread: number | null }

const MISSING = '·'
const IDENTICAL = '='

export function sweepBlocks(answer: SweepAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { cells, metric, over, problems, settling } = answer
  const head = say('sweep.head', {
    metric,
    runs: cells.reduce((sum, { runs }) => sum + runs.length, 0),
    settings: cells.length,
    keys: over.join(' × '),
  })
  return [
    section(head, paragraph(toned(cellsText(answer, speaker), 'quiet')), ...goalBlocks(answer, speaker)),
    answerBlock(answer, speaker),
    ...matrixBlocks(answer, speaker),
    ...linesUnder(say('sweep.problems', {}), problems),
    ...resolutionBlocks(answer, speaker),
    ...linesUnder(say('sweep.settle', {}), settling),
    ...(over.some(key => KL_COEFFICIENTS.includes(key)) ? [paragraph(toned(say('sweep.frontier', {}), 'quiet'))] : []),
  ]
}

function linesUnder(title: string, lines: readonly string[]): readonly Block[] {
  return lines.length === 0 ? [] : [section(title, ...lines.map(line => paragraph(line)))]
}

function cellsText({ conditions, cells }: SweepAnswer, speaker: Speaker): string {
  const say = saying(speaker, words)
  const complete = conditions.find(condition => condition.complete)
  if (complete === undefined) return say('sweep.cell.none', {})
  const { steps, shared } = complete
  const [from, to] = [shortStep(steps[0]), shortStep(steps[steps.length - 1])]
  const many = cells.some(({ runs }) => runs.length > 1) ? say('sweep.cell.replicates', {}) : ''
  if (steps.length === 1) return say('sweep.cell.one', { step: from }) + many
  return (
    (steps.length < shared
      ? say('sweep.cell.final', { n: steps.length, shared, from, to })
      : say('sweep.cell.level', { n: steps.length, from, to })) + many
  )
}

function answerBlock({ matters, verdicts, sentence, take }: SweepAnswer, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const word = matters === true ? 'sweep.matters' : matters === false ? 'sweep.matters-not' : 'sweep.undetermined'
  const trends = verdicts.filter(({ question }) => question === 'trend')
  const lines = (trends.length > 0 ? trends : verdicts.slice(0, 1)).flatMap(verdict => {
    const estimate = estimateText(verdict, speaker)
    const names = `${verdict.other} − ${verdict.baseline}`
    return [`${say(`question.${verdict.question}`, {})}  ${names}   ${estimate}`.trimEnd(), ...verdict.reasons]
  })
  return section(
    `${say(word, {})}  ${sentence}`,
    ...(take === null ? [] : [paragraph(speaker.clauses(take.why))]),
    ...lines.map(line => paragraph(line)),
  )
}

function estimateText({ estimate, interval }: Verdict, speaker: Speaker): string {
  if (estimate === null) return ''
  if (interval === null) return signedFigure(Number(estimate))
  const [low, high] = interval.map(end => shortNumber(Number(end)))
  return `${signedFigure(Number(estimate))}   ${speaker.say(words('compare.interval', { low, high }))}`
}

function resolutionBlocks({ resolution }: SweepAnswer, speaker: Speaker): readonly Block[] {
  if (resolution === null) return []
  const say = saying(speaker, words)
  const { n, halfWidth, unpaired, paired } = resolution
  const [low, high] = paired.map(points)
  return [
    paragraph(say('sweep.resolution', { n, half: points(halfWidth) })),
    paragraph(say('sweep.resolution.differences', { n, unpaired: points(unpaired), low, high })),
  ]
}

function points(share: number): string {
  return (100 * share).toFixed(1)
}

/** Empty cells show a mark, and so do cells that are too equal to others. */
function matrixBlocks(answer: SweepAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { cells, conditions, over, verdicts } = answer
  const crossing = over.length === 2 && conditions.length === 1
  const matrix = crossing ? crossed(answer) : listed(answer, speaker)
  const contrasts = verdicts.filter(({ question }) => question !== 'trend')
  const legend = [
    ...(matrix.rows.flat().includes(MISSING) ? [say('sweep.legend.missing', {})] : []),
    ...(cells.some(({ identical }) => identical) ? [say('sweep.legend.identical', {})] : []),
  ]
  return [
    table(matrix.header, matrix.rows),
    ...(legend.length === 0 ? [] : [paragraph(toned(legend.join('    '), 'quiet'))]),
    ...(crossing
      ? [
          table(
            [],
            contrasts.map(verdict => [verdict.other, againstText(verdict, speaker)]),
          ),
        ]
      : []),
  ]
}

interface Matrix {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function cellText({ identical }: Cell, score: Score | null): string {
  if (score === null) return MISSING
  const spread = score.spread === null ? '' : ` ±${shortNumber(Number(score.spread.toPrecision(2)))}`
  return `${shortNumber(score.mean)}${spread}${identical ? IDENTICAL : ''}`
}

function summaryText(cell: Cell): string {
  return cellText(cell, cell.mean === null ? null : { mean: cell.mean, spread: cell.spread })
}

export function valuesText(values: Cell['values']): string {
  return Object.values(values).map(String).join(', ')
}

/** Knob by knob. */
function crossed({ cells, over, tried: [rows, across] }: SweepAnswer): Matrix {
  const find = (row: unknown, column: unknown): Cell | undefined =>
    cells.find(({ values }) => values[over[0]] === row && values[over[1]] === column)
  return {
    header: [over.join(' × '), ...across.map(String)],
    rows: rows.map(row => [
      String(row),
      ...across.map(column => {
        const cell = find(row, column)
        return cell === undefined ? MISSING : summaryText(cell)
      }),
    ]),
  }
}

/** Settings down, conditions across, and each against the baseline. */
function listed({ cells, conditions, baseline, verdicts, over }: SweepAnswer, speaker: Speaker): Matrix {
  const say = saying(speaker, words)
  const several = conditions.length > 1
  const reference = JSON.stringify(baseline)
  return {
    header: [
      over.join(', '),
      ...conditions.map(condition => conditionText(condition, speaker)),
      ...(several ? [say('sweep.column.mean', {})] : []),
      say('sweep.column.runs', {}),
      say('sweep.column.against', { baseline: valuesText(baseline) }),
    ],
    rows: cells.map(cell => {
      const verdict = verdicts.find(({ question, other }) => question !== 'trend' && other === cell.label)
      return [
        valuesText(cell.values),
        ...cell.scores.map(score => cellText(cell, score)),
        ...(several ? [summaryText(cell)] : []),
        String(cell.runs.length),
        JSON.stringify(cell.values) === reference ? say('sweep.baseline', {}) : againstText(verdict, speaker),
      ]
    }),
  }
}

function againstText(verdict: Verdict | undefined, speaker: Speaker): string {
  if (verdict === undefined) return ''
  const say = saying(speaker, words)
  const { answer, estimate, interval, scope } = verdict
  const about = scope === 'runs' && answer !== 'undetermined' ? ` (${say('scope.runs', {})})` : ''
  const word = `${say(`answer.${answer}`, {})}${about}`
  if (estimate === null) return word
  const ends = interval?.map(end => shortNumber(Number(end))).join(' … ')
  return `${word}  ${signedFigure(Number(estimate))}${ends === undefined ? '' : ` (${ends})`}`
}

export function conditionText(
  { metric, condition: { dataset, shots } }: SweepAnswer['conditions'][number],
  speaker: Speaker,
): string {
  if (shots === undefined) return dataset ?? metric
  const counted = speaker.say(words('sweep.shots', { shots }))
  return dataset === undefined ? counted : `${dataset} ${counted}`
}
