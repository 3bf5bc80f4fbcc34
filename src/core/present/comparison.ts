import { type Axis, lengthOn, placeOn } from '../../logs/model/axis.js'
import { median } from '../../stats/descriptive.js'
import { comparisonSentences } from '../../text/compare.js'
import { chance, figure as figureText, fixed, signed, signedFigure } from '../../text/numbers.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import type { CompareAnswer } from '../analysis/compare/result.js'
import { differingSettings, withoutSwitches } from '../analysis/differing-settings.js'
import { type Block, fold, headline, note, pairs, paragraph, section, table } from './blocks.js'
import { evaluationBlocks } from './evaluation-comparison.js'
import { explanationBlocks } from './explanation.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'
import { answerWord, questionText, type VerdictReference, verdictBlock, verdictRow } from './verdict.js'

/** A comparison in blocks: the answer first, then what limits it, what would settle it, and the figures. */

export type PairAnswer = CompareAnswer['others'][number]
type Verdict = CompareAnswer['verdicts'][number]
type Figure = CompareAnswer['summary'][number]['values'][number]['mean']

export interface ComparisonOptions {
  /** Every question with all its reasons, and the whole table. */
  readonly all?: boolean
  /** The numbers, the formula and the measured error rate behind each verdict, and the sources. */
  readonly explain?: boolean
}

export function comparisonBlocks(
  answer: CompareAnswer,
  speaker: Speaker,
  { all = false, explain = false }: ComparisonOptions = {},
): readonly Block[] {
  return [
    ...warningBlocks(answer, speaker),
    ...answer.others.flatMap((_, i) => [
      ...judgementBlocks(answer, i, speaker),
      ...questionBlocks(answer, i, speaker, { all }),
    ]),
    ...(isWithoutSteps(answer) ? [] : [evaluationTable(answer, speaker, all ? 'all' : 'end')]),
    ...(all ? [...summaryBlocks(answer, speaker), ...differenceBlocks(answer, speaker)] : []),
    ...(explain ? explanationBlocks(answer, speaker) : []),
  ]
}

export function warningBlocks({ warnings }: CompareAnswer, { sentence }: Speaker): readonly Block[] {
  return warnings.map(text => note('warning', sentence(text)))
}

/** Checkpoints of one run: what is asked of whole runs would be a table of zeros. */
export function isOfOneRun({ sides, others, verdicts }: CompareAnswer): boolean {
  const isOfCheckpoints = others.every(({ headline }) => verdicts[headline].question === 'checkpoint')
  return isOfCheckpoints && new Set(sides.map(({ runs }) => runs.join())).size === 1
}

/** Checkpoints of one run, and evaluation files: there is no table of steps. */
export function isWithoutSteps(answer: CompareAnswer): boolean {
  return answer.evaluation !== null || isOfOneRun(answer)
}

/** The verdict on one side, which settings differ, and what would settle it. */
export function judgementBlocks(
  answer: CompareAnswer,
  at: number,
  speaker: Speaker,
  { settling = true }: { readonly settling?: boolean } = {},
): readonly Block[] {
  if (answer.evaluation !== null) return evaluationBlocks(answer, at, speaker)
  const other = answer.others[at]
  const { by, margin } = answer
  return [
    headlineBlock(answer, other, speaker),
    paragraph(speaker.sentence(answer.judgedBy.sentence)),
    verdictBlock(answer.verdicts[other.headline], speaker, { by, margin }),
    ...(isOfOneRun(answer)
      ? []
      : [
          settingsBlock(answer, at, speaker),
          ...(settling ? settlingBlocks(answer, at, speaker) : []),
          ...chooseBlocks(answer, other, speaker),
        ]),
  ]
}

function headlineBlock(
  { goal, judgedBy, canonical: meant, table, by }: CompareAnswer,
  { steps }: PairAnswer,
  speaker: Speaker,
): Block {
  const say = saying(speaker, comparisonSentences)
  // A part of some reward that nothing in this training pays is a score.
  const canonical = judgedBy.role === 'independent' && meant === 'val.reward.part' ? 'val.score' : meant
  const better = goal === 'max' ? 'compare.higher-is-better' : 'compare.lower-is-better'
  const direction = say(goal === null ? 'compare.no-direction' : better, {})
  const label = canonical === null ? '' : `${metricLabel(canonical, speaker.language)}${say('compare.comma', {})}`
  const shared = steps === null ? say('compare.no-shared-steps', {}) : coveredText(by, steps, speaker)
  return headline(table.metric, `${label}${direction}`, shared)
}

/** What was compared, and over which stretch of the axis. */
function coveredText(by: Axis, { n, from, to, windows }: NonNullable<PairAnswer['steps']>, speaker: Speaker): string {
  const say = saying(speaker, comparisonSentences)
  if (by === 'steps' && windows === null) return say('compare.shared', { n, from: shortStep(from), to: shortStep(to) })
  const ends = { n, from: placeOn(by, from), to: placeOn(by, to) }
  return windows === null
    ? say('compare.along', ends)
    : say('compare.in-windows', { ...ends, width: lengthOn(by, windows) })
}

/** In which settings two sides differ, and what would tell their effects apart. */
function settingsBlock({ sides, others, attribution }: CompareAnswer, at: number, speaker: Speaker): Block {
  const say = saying(speaker, comparisonSentences)
  const [{ label: baseline }] = sides
  const confounds = withoutSwitches(others[at].confounds)
  const { knobs, smallestFix, separating } = attribution[at]
  const { turned, beside } = differingSettings(others[at].confounds)
  const rows = (shown: typeof confounds) =>
    pairs(
      shown.map(({ key, values }) => [
        settingLabel(key, speaker.language),
        values.map(value => settingText(key, value, speaker)).join(' → '),
      ]),
    )
  const label = knobLabel(others[at], speaker)
  const count = turned.length
  const title =
    confounds.length === 0
      ? say('compare.no-differences', {})
      : knobs.length === 0
        ? say('compare.only-other-keys', {})
        : say(knobs.length > 1 ? 'compare.cannot-credit' : 'compare.differences', { count })
  return section(
    ofSide(others, at, title),
    ...(turned.length === 0 ? [] : [rows(turned)]),
    ...separating.map(({ knob, run }) => paragraph(say('compare.separating', { run, baseline, setting: label(knob) }))),
    ...(smallestFix === null
      ? []
      : [paragraph(say('compare.smallest-fix', { baseline, setting: label(smallestFix) }))]),
    ...(beside.length === 0 ? [] : [fold(say('compare.differing-beside', {}), rows(beside))]),
  )
}

/** In one line: how many settings differ, and from what to what. */
export function settingsLine({ others }: CompareAnswer, at: number, speaker: Speaker): string {
  const { turned } = differingSettings(others[at].confounds)
  const say = saying(speaker, comparisonSentences)
  if (turned.length === 0) return say('compare.no-differences', {})
  const parts = turned.map(({ key, values }) => {
    const [from, to] = values.map(value => settingText(key, value, speaker))
    return `${settingLabel(key, speaker.language)} ${from} → ${to}`
  })
  return `${say('compare.differences', { count: turned.length })}: ${parts.join(', ')}`
}

/** A knob by the label of the first of its settings that differ. */
export function knobLabel(other: PairAnswer, { language }: Speaker): (knob: string) => string {
  const confounds = withoutSwitches(other.confounds)
  return knob => settingLabel(confounds.find(confound => confound.knob === knob)?.key ?? knob, language)
}

/** Of several sides, which one is meant. */
function ofSide(others: CompareAnswer['others'], at: number, title: string): string {
  return others.length === 1 ? title : `${others[at].label}: ${title}`
}

function settingText(key: string, value: PairAnswer['confounds'][number]['values'][number], speaker: Speaker): string {
  if (key.endsWith('.coef') && (value === null || value === 0)) {
    return saying(speaker, comparisonSentences)('compare.off', {})
  }
  if (typeof value === 'number') return figureText(value, 4)
  return value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
}

export interface SettlingRow {
  readonly kind: 'free' | 'evals' | 'prompts' | 'seeds'
  /** What it is about, in words. */
  readonly about: string
  readonly text: string
}

/** What would settle an open question; the cheapest first. */
export function settlingRows(
  { toSettle, answer }: Pick<Verdict, 'toSettle' | 'answer'>,
  { unused }: Pick<PairAnswer, 'unused'>,
  speaker: Speaker,
): readonly SettlingRow[] {
  if (answer !== 'undetermined') return []
  const say = saying(speaker, comparisonSentences)
  const { evals, prompts, seeds, note } = toSettle
  const row = (kind: SettlingRow['kind'], text: string): SettlingRow[] => [
    { kind, about: say(`compare.settle.${kind}`, {}), text: speaker.sentence(text) },
  ]
  return [
    ...unused.flatMap(text => row('free', text)),
    ...(evals === undefined ? [] : row('evals', say('compare.settle.more-evals', { evals }))),
    ...(prompts === undefined ? [] : row('prompts', say('compare.settle.more-prompts', { prompts }))),
    ...(seeds === undefined ? [] : row('seeds', say('compare.settle.more-seeds', { seeds }))),
    ...(note === undefined ? [] : row('seeds', note)),
  ]
}

function settlingBlocks({ verdicts, others }: CompareAnswer, at: number, speaker: Speaker): readonly Block[] {
  const rows = settlingRows(verdicts[others[at].headline], others[at], speaker)
  if (rows.length === 0) return []
  const title = saying(speaker, comparisonSentences)('compare.head.settle', {})
  return [section(ofSide(others, at, title), pairs(rows.map(({ about, text }) => [about, text])))]
}

/** What to take where a choice cannot wait for more data. */
function chooseBlocks(
  { verdicts }: CompareAnswer,
  { choose, headline }: PairAnswer,
  speaker: Speaker,
): readonly Block[] {
  if (choose === null || verdicts[headline].answer !== 'undetermined') return []
  return [pairs([[saying(speaker, comparisonSentences)('compare.head.choose', {}), choose.sentence]])]
}

/** The other questions, a line each; folded into one where the data cannot speak, unless all are wanted. */
export function questionBlocks(
  answer: CompareAnswer,
  at: number,
  speaker: Speaker,
  { all, reference }: { readonly all: boolean; readonly reference?: VerdictReference },
): readonly Block[] {
  if (isWithoutSteps(answer)) return []
  const say = saying(speaker, comparisonSentences)
  const other = answer.others[at]
  const main = answer.verdicts[other.headline]
  const rest = [
    ...other.verdicts
      .filter(place => place !== other.headline)
      .map(place => answer.verdicts[place])
      // What the headline says of the other validation sets stands among its reasons.
      .filter(({ question, metric }) => question !== 'cost' && (all || metric === main.metric)),
    ...other.costs.map(place => answer.costs[place]),
  ]
  const name = (verdict: Verdict): string => {
    const isOfOtherSet = verdict.question !== 'cost' && verdict.metric !== main.metric
    return [questionText(verdict, speaker), ...(isOfOtherSet ? [verdict.metric] : [])].join(' ')
  }
  const isFolded = ({ question, answer }: Verdict): boolean => !all && FOLDED.has(question) && answer === 'undetermined'
  const rows = rest
    .filter(verdict => !isFolded(verdict))
    .map(verdict => verdictRow(verdict, speaker, { name: name(verdict), by: answer.by, reference }))
  const folded = rest.filter(isFolded)
  return [
    ...(rows.length === 0 ? [] : [table([], rows)]),
    ...(folded.length === 0 ? [] : [pairs([[speaker.listed(folded.map(name)), say('compare.folded', {})]])]),
    ...setsBlocks(other, speaker),
    ...phasesBlocks(answer, other, speaker),
  ]
}

const FOLDED = new Set<string>(['speed', 'stability', 'final'])

/** The headline's question on every validation set. */
function setsBlocks({ sets }: PairAnswer, speaker: Speaker): readonly Block[] {
  if (sets.length < 2) return []
  const rows = sets.map(({ metric, answer }) => [metric, answerWord({ answer }, speaker)] as const)
  return [fold(saying(speaker, comparisonSentences)('compare.sets', {}), pairs(rows))]
}

/** Early, middle, late: what the curves look like, without a verdict on any of it. */
function phasesBlocks({ by }: CompareAnswer, { phases }: PairAnswer, speaker: Speaker): readonly Block[] {
  if (phases.length === 0) return []
  const say = saying(speaker, comparisonSentences)
  const parts = phases.map(({ from, to, baseline, other }) => {
    const size = signedFigure(other - baseline, 3)
    return by === 'steps'
      ? say('compare.phase', { from: shortStep(from), to: shortStep(to), size })
      : say('compare.phase-along', { from: placeOn(by, from), to: placeOn(by, to), size })
  })
  return [pairs([[say('compare.phases', {}), parts.join('   ')]])]
}

/** So many rows at the end of a table that is not wanted whole, and in a document. */
const END_ROWS = 12
const SPREAD_ROWS = 40

type RowChoice = 'end' | 'spread' | 'all'

/** Step by step: the end, which the headline is about; rows evenly spread, the first and the last among them; or all. */
export function evaluationTable(answer: CompareAnswer, speaker: Speaker, choice: RowChoice): Block {
  const say = saying(speaker, comparisonSentences)
  const { sides, by } = answer
  const { rows, before, after } = chosenRows(answer.table.rows, choice)
  const decimals = rowDecimals(rows)
  const unit = say(`compare.column.${by}`, {})
  const header = [
    answer.table.windows === null ? unit : say('compare.column.until', { unit }),
    ...sides.map(({ label }) => label),
    differenceTitle(answer, speaker),
  ]
  // What `klens fill` can find again: one run's value at a step.
  const isShown = by === 'steps' && answer.table.windows === null && sides.every(({ metric }) => !/[\s"]/.test(metric))
  const cells = rows.map(row => [
    by === 'steps' ? shortStep(row.step) : figureText(row.step, 4),
    ...row.values.map((value, i) =>
      value === null
        ? ''
        : {
            figure: fixed(Number(value), decimals),
            source: say('verdict.source', {
              metric: sides[i].metric,
              runs: sides[i].label,
              aggregate: say('compare.source-at', { place: placeOn(by, row.step) }),
            }),
            reference:
              isShown && sides[i].runs.length === 1
                ? `show ${sides[i].runs[0]} ${sides[i].metric} @${row.step} : ${decimals}`
                : undefined,
          },
    ),
    rowDifference(row, decimals),
  ])
  return table(header, [...(before ? [['…']] : []), ...cells, ...(after ? [['…']] : [])])
}

function chosenRows(rows: CompareAnswer['table']['rows'], choice: RowChoice) {
  if (choice === 'all') return { rows, before: false, after: false }
  if (choice === 'spread') {
    const stride = Math.ceil(rows.length / SPREAD_ROWS)
    return {
      rows: rows.filter((_, i) => i % stride === 0 || i === rows.length - 1),
      before: false,
      after: false,
    }
  }
  const end = rows.findLastIndex(({ diff }) => diff !== null) + 1 || rows.length
  const start = Math.max(0, end - END_ROWS)
  return { rows: rows.slice(start, end), before: start > 0, after: end < rows.length }
}

/** Of more than two sides, the last against the first. */
export function differenceTitle({ sides }: CompareAnswer, speaker: Speaker): string {
  if (sides.length > 2) return `${sides[sides.length - 1].label} − ${sides[0].label}`
  return saying(speaker, comparisonSentences)('compare.column.difference', {})
}

type TableRows = CompareAnswer['table']['rows']

/** Of the figures as logged, like the headline. */
export function rowDifference({ diff }: TableRows[number], decimals: number): string {
  return diff === null ? '' : signed(Number(diff), decimals)
}

const MOST_DECIMALS = 6
const DIFFERENCE_DIGITS = 3

/** As many as show three digits of the usual difference: of 5.141 and 5.152 the difference could not be told. */
export function rowDecimals(rows: TableRows): number {
  const sizes = rows.flatMap(({ diff }) => (Number(diff) === 0 ? [] : Math.abs(Number(diff)))).filter(Number.isFinite)
  const usual = sizes.length === 0 ? 1 : median(sizes)
  const told = DIFFERENCE_DIGITS - 1 - Math.floor(Math.log10(usual))
  return Math.max(decimalsIn(rows.flatMap(({ values }) => values)), Math.min(MOST_DECIMALS, told))
}

/** A column of numbers reads best with as many decimals throughout as its values have in four digits. */
export function decimalsIn(values: readonly (number | string | null)[]): number {
  const texts = values.map(value => (value === null ? '' : (shortNumber(Number(value)).split('.')[1] ?? '')))
  return Math.min(MOST_DECIMALS, Math.max(0, ...texts.map(text => text.replace(/e.*/, '').length)))
}

/** Each side over all metrics that every side logs. */
export function summaryBlocks({ sides, summary }: CompareAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, comparisonSentences)
  const columns = (['first', 'last', 'mean', 'min', 'max', 'change'] as const).map(name =>
    say(`compare.column.${name}`, {}),
  )
  const at = (value: Figure, step: Figure | null): string =>
    step === null ? shortNumber(Number(value)) : `${shortNumber(Number(value))}@${shortStep(Number(step))}`
  return sides.map(({ label }, i) =>
    fold(
      say('compare.summary-head', { side: label }),
      table(
        ['', ...columns],
        summary.map(({ metric, values }) => {
          const { first, last, mean, min, max, change, minStep, maxStep } = values[i]
          const plain = [first, last, mean].map(value => shortNumber(Number(value)))
          return [metric, ...plain, at(min, minStep), at(max, maxStep), signedFigure(Number(change))]
        }),
      ),
    ),
  )
}

/** Every metric, the surest difference first. */
function differenceBlocks({ differences, others }: CompareAnswer, speaker: Speaker): readonly Block[] {
  if (differences === null || differences.length === 0) return []
  const rows = [...differences]
    .sort((a, b) => a.q - b.q)
    .map(({ metric, other, estimate, p, q }) => [
      metric,
      ...(others.length > 1 ? [other] : []),
      signedFigure(estimate),
      `p ${chance(p)}`,
      `q ${chance(q)}`,
    ])
  return [fold(saying(speaker, comparisonSentences)('compare.differences-head', {}), table([], rows))]
}
