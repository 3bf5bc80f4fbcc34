import type { VerdictAnswer } from '../../../logs/model/verdict.js'
import { decimalsFor, fixed, signed } from '../../../text/numbers.js'
import { reportSentences as words } from '../../../text/report.js'
import { metricLabel } from '../../../text/vocabulary.js'
import type { RunSide } from '../../analysis/compare/evidence.js'
import type { CompareAnswer } from '../../analysis/compare/result.js'
import { differingSettings } from '../../analysis/differing-settings.js'
import { type Block, type ChartBlock, figure, heading, type Inline, list, paragraph, strong } from '../blocks.js'
import {
  evaluationTable,
  isWithoutSteps,
  judgementBlocks,
  type PairAnswer,
  questionBlocks,
  warningBlocks,
} from '../comparison.js'
import { type Speaker, sentenceWith } from '../speaker.js'
import { differenceOf, verdictBlock } from '../verdict.js'
import { type Diagnosed, diagnosisBlocks, findingsOf, rememberedFindings, uncheckedItems } from './diagnosis.js'
import { changedBlocks, evidenceBlocks, type Frame, framed, type ReportContent } from './frame.js'
import type { Memory } from './memory.js'
import { comparisonTodos, findingTodos, nextStep, sideCost, todoBlocks } from './todo.js'

/** A against B: the answer first, then what to do, then everything that the two rest on. */
export interface PairInput extends Frame {
  readonly sides: readonly RunSide[]
  readonly answer: CompareAnswer
  readonly diagnosed: readonly Diagnosed[]
  readonly charts: { readonly evaluations: readonly ChartBlock[]; readonly training: readonly ChartBlock[] }
}

export function pairReport(speaker: Speaker, input: PairInput): ReportContent {
  const { sides, answer, charts, provenance, before } = input
  // Of evaluations there is no training to diagnose, and no checkpoint to choose.
  const isOfItems = answer.evaluation !== null
  const diagnosed = isOfItems ? [] : input.diagnosed
  const [baseline, ...others] = sides
  const memory = memoryOf({ ...input, diagnosed })
  const hasSteps = !isWithoutSteps(answer)
  const todos = [
    ...(isOfItems ? [] : others).flatMap((side, i) =>
      comparisonTodos(speaker, answer, i, { baseline, side, cost: sideCost(side) }),
    ),
    ...findingTodos(speaker, findingsOf(diagnosed)),
  ]
  const unchecked = uncheckedItems(speaker, diagnosed)
  return framed(speaker, input, {
    title: speaker.say(
      words('report.title.pair', { other: others.map(({ label }) => label).join(', '), baseline: baseline.label }),
    ),
    memory,
    blocks: [
      ...others.flatMap((_, i) => leadBlocks(speaker, answer, i)),
      ...nextStep(speaker, todos),
      ...changedBlocks(speaker, before, memory),
      ...todoBlocks(speaker, todos),
      heading(speaker.say(words('report.head.verdicts', {}))),
      ...warningBlocks(answer, speaker),
      ...others.flatMap((_, i) => [
        ...judgementBlocks(answer, i, speaker, { settling: false }).map(block =>
          block.kind === 'verdict'
            ? { ...block, reference: referencesTo(speaker, input, i)(answer.verdicts[answer.others[i].headline]) }
            : block,
        ),
        ...questionBlocks(answer, i, speaker, { all: true, reference: referencesTo(speaker, input, i) }),
      ]),
      ...(isOfItems ? [] : [heading(speaker.say(words('report.head.curves', {})))]),
      ...charts.evaluations,
      ...(hasSteps ? [evaluationTable(answer, speaker, 'spread')] : []),
      ...(charts.training.length === 0 ? [] : [heading(speaker.say(words('report.head.training', {})))]),
      ...charts.training,
      ...(isOfItems ? [] : diagnosisBlocks(speaker, diagnosed)),
      ...(unchecked.length === 0 ? [] : [heading(speaker.say(words('report.head.open', {}))), list(unchecked)]),
      ...evidenceBlocks(
        speaker,
        sides.flatMap(({ runs }) => runs),
        answer.verdicts,
        provenance,
      ),
    ],
  })
}

/** A verdict can be asked for again by the ids of the runs, which stay what they are when runs are renamed. */
function referencesTo({ language }: Speaker, { sides, answer }: PairInput, at: number) {
  const [baseline, other] = [sides[0], sides[at + 1]].map(({ runs, checkpoint }) =>
    runs.map(({ manifest: { id } }) => (checkpoint === null ? id : `${id}@${checkpoint}`)).join('+'),
  )
  const margin = answer.margin === null ? '' : ` --margin ${marginWord(answer.margin)}`
  return ({ question, metric }: Pick<VerdictAnswer, 'question' | 'metric'>, part?: string): string | undefined =>
    answer.by === 'steps' && answer.evaluation === null && ASKED_AGAIN.has(question) && !/[\s"]/.test(metric)
      ? `compare ${baseline} ${other} ${question}${part === undefined ? '' : ` ${part}`} --metric ${metric}${margin} --lang ${language}`
      : undefined
}

const ASKED_AGAIN: ReadonlySet<string> = new Set(['final', 'level', 'checkpoint', 'speed', 'stability'])

const marginWord = (margin: NonNullable<CompareAnswer['margin']>): string =>
  'share' in margin ? `${100 * margin.share}%` : String(margin.absolute)

function memoryOf({ answer, diagnosed }: PairInput): Memory {
  return {
    runs: answer.sides.flatMap(({ runs }) => runs).sort(),
    metric: answer.table.metric,
    evaluations: Math.max(0, ...answer.others.map(({ steps }) => steps?.n ?? 0)),
    verdicts: answer.verdicts.map(({ question, other, answer }) => ({ question, other, answer })),
    findings: rememberedFindings(diagnosed),
  }
}

/** The first screen: the answer in one sentence with its size and scope, and what not to conclude. */
function leadBlocks(speaker: Speaker, answer: CompareAnswer, at: number): readonly Block[] {
  const other = answer.others[at]
  const parts: Inline[] = [strong(leadSentence(speaker, answer, at))]
  const size = sizeParts(speaker, answer, other)
  if (size.length > 0) parts.push(' ', ...size)
  for (const sentence of scopeSentences(speaker, answer, at)) parts.push(' ', sentence)
  return [paragraph(...parts), ...(isWithoutSteps(answer) ? [] : notToConclude(speaker, answer, other))]
}

function runsOf({ sides }: CompareAnswer, at: number): { readonly first: number; readonly second: number } {
  return { first: sides[0].runs.length, second: sides[at + 1].runs.length }
}

function leadSentence(speaker: Speaker, comparison: CompareAnswer, at: number): string {
  const pair = comparison.others[at]
  const { answer, scope, interval, other, baseline, margin, level } = comparison.verdicts[pair.headline]
  if (interval === null) return speaker.say(words('report.answer.none', {}))
  switch (answer) {
    case 'undetermined':
      return speaker.say(
        words(`report.answer.undetermined.${scope}`, { n: pair.steps?.n ?? 0, ...runsOf(comparison, at) }),
      )
    case 'same':
    case 'different-but-small': {
      const share = level === null || level === 0 ? null : speaker.percent((margin ?? 0) / Math.abs(level))
      return speaker.say(
        words(`report.answer.${answer}.${scope}`, { margin: share?.replace(/^\+/, '') ?? String(margin ?? '–') }),
      )
    }
    case 'higher':
    case 'lower':
      return speaker.say(words(`report.answer.${answer}`, { other, baseline }))
    default:
      return speaker.say(words(`report.answer.${answer}.${scope}`, { other, baseline }))
  }
}

/** "On val.score, kl stands 0.031 below no-kl on average (−1.6 %; 95 % interval −0.220 to +0.159)." */
function sizeParts(speaker: Speaker, comparison: CompareAnswer, { headline }: PairAnswer): readonly Inline[] {
  const verdict = comparison.verdicts[headline]
  const { estimate, interval, baseline, other, level } = verdict
  const difference = differenceOf(verdict, speaker, comparison.by)
  if (difference === null || estimate === null || interval === null) return []
  const ends = [Number(interval[0]), Number(interval[1])] as const
  const decimals = decimalsFor(ends)
  const { canonical, table } = comparison
  const source = typeof difference.size !== 'string' && 'source' in difference.size ? difference.size.source : ''
  const direction = words(Number(estimate) < 0 ? 'report.below' : 'report.above', { baseline })
  const text = words('report.by', {
    metric: canonical === null ? table.metric : metricLabel(canonical, speaker.language),
    other,
    size: '',
    direction,
    share: level === null || level === 0 ? '–' : speaker.percent(Number(estimate) / Math.abs(level)),
    low: signed(ends[0], decimals),
    high: signed(ends[1], decimals),
  })
  return sentenceWith(speaker, text, { size: figure(fixed(Math.abs(Number(estimate)), decimals), source) })
}

function scopeSentences(speaker: Speaker, answer: CompareAnswer, at: number): readonly string[] {
  const verdict = answer.verdicts[answer.others[at].headline]
  const { first, second } = runsOf(answer, at)
  const { knobs } = answer.attribution[at]
  const isOneSeed = first === 1 && second === 1
  const { tags } = verdictBlock(verdict, speaker, answer)
  return [
    ...(verdict.scope === 'checkpoints'
      ? []
      : verdict.scope === 'configs'
        ? [speaker.say(words('report.scope.configs', { first, second }))]
        : [
            speaker.say(isOneSeed ? words('report.scope.one-seed', {}) : words('report.scope.runs', { first, second })),
          ]),
    ...(knobs.length > 1
      ? [
          speaker.say(
            words('report.scope.confounded', { count: differingSettings(answer.others[at].confounds).turned.length }),
          ),
        ]
      : []),
    ...tags.map(({ text }) => text),
  ]
}

/** What a hasty reader would take from the curves, and the data does not support. */
function notToConclude(speaker: Speaker, answer: CompareAnswer, other: PairAnswer): readonly Block[] {
  const verdicts = other.verdicts.map(at => answer.verdicts[at])
  const open = (asked: string): boolean =>
    verdicts.some(({ question, answer }) => question === asked && answer === 'undetermined')
  const items = [
    ...(open('speed') ? [words('report.not.faster', {})] : []),
    ...(open('stability') ? [words('report.not.steadier', {})] : []),
    ...(answer.verdicts[other.headline].answer === 'undetermined' ? [words('report.not.equal', {})] : []),
  ].map(speaker.say)
  if (items.length === 0) return []
  const text = speaker.say(words('report.not.pair', { list: items.join(speaker.say(words('report.or', {}))) }))
  return [paragraph(strong(speaker.say(words('report.not', {}))), ' ', text)]
}
