import { sha256 } from '../../../logs/model/id.js'
import type { Message } from '../../../logs/model/run.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import type { EvaluationCell, NewSuspicion } from '../cell.js'
import type { EvaluationRecord } from '../evaluations/records.js'
import type { TrialCheckpoint } from '../trial.js'

/**
 * What makes an evaluation doubtful: scores of other weights than the trial has now, or the very results of other weights.
 * Why results can be equal though weights differ is told by docs/identical-results.md; here it is said which of those
 * causes the records allow.
 */

const say = sentences({
  'study.evaluated-other': {
    en: 'its score is from the weights {scored} ({owner}); the checkpoint at step {step} has {now}: klens study eval evaluates it again',
    zh: '其分数属于权重 {scored}（{owner}）；第 {step} 步的检查点现为 {now}：study eval 会重新评估',
  },
  'study.evaluated-other.trial': { en: 'those of {trial}', zh: '即 {trial} 的权重' },
  'study.evaluated-other.nobody': {
    en: 'not a checkpoint of this study: the file was changed since',
    zh: '不属于本研究的任何检查点：该文件此后被改动过',
  },
  'study.identical-results': {
    en: 'identical results to {others} on all {n} sample{n||s}, although the weights differ: {cause}',
    zh: '在全部 {n} 个样本上与 {others} 结果相同，权重却不同：{cause}',
  },
  'study.identical.blind': {
    en: 'there are at most {distinct} different choice{distinct||s} over {n} sample{n||s}, so this evaluation cannot show what was trained',
    zh: '{n} 个样本至多只有 {distinct} 种不同的选择，这样的评估看不出训练的差别',
  },
  'study.identical.kept': {
    en: 'the scores of one were not evaluated for this study but found in the store, and may belong to another file of that name',
    zh: '其中一份分数并非本研究评估所得，而是取自存储；那里可能以它的名义存了另一文件的分数',
  },
  'study.identical.choices': {
    en: 'both files were read completely and every greedy choice is identical, so the weights differ too little to change one',
    zh: '两份文件都完整读取，而每个选择都相同：权重差异太小，不足以改变不含随机性的选择',
  },
  'study.identical.unknown': {
    en: 'the evaluation wrote no answers, so why is not known',
    zh: '评估没有写出回答，原因未知',
  },
  'study.identical.scores': {
    en: 'the choices differ and every single score is identical, so the scores do not depend on the choice',
    zh: '选择不同而每个分数都相同：分数与选择无关',
  },
})

/** Fewer samples are the same by chance too easily. */
const ENOUGH_SAMPLES = 20
/** Equal scores of different choices are no wonder on fewer, and none where all samples score alike. */
const ENOUGH_SCORES = 100
/** So many of the pieces of choices must differ before equal scores are a wonder. */
const MOSTLY = 0.75
/** A choice that twenty samples share on average is none of theirs. */
const SAMPLES_PER_CHOICE = 20
const MOST_NAMED = 4
/** With a thousand alike, a few are enough to tell. */
const MOST_LOOKED_AT = 50

/** In the order of the cells. */
export function evaluationSuspicions(cells: readonly EvaluationCell[]): readonly (readonly NewSuspicion[])[] {
  const owners = new Map(
    cells.flatMap(({ checkpoint, trial }) =>
      checkpoint === null ? [] : [[checkpoint.contentHash, trial.name] as const],
    ),
  )
  const rows = new Map<EvaluationCell, EvaluatedRow>()
  for (const own of groupBy(cells, rowKey).values()) {
    const row = rowOf(own)
    for (const cell of own) rows.set(cell, row)
  }
  const done = [...new Set(rows.values())].filter(({ isDone }) => isDone)
  const byScores = groupBy(done, ({ results }) => results)
  return cells.map((cell): readonly NewSuspicion[] => {
    const { record, checkpoint } = cell
    if (record !== null && checkpoint !== null && record.contentHash !== checkpoint.contentHash) {
      return [evaluatedOther(record, checkpoint, owners)]
    }
    const row = rows.get(cell)
    if (row === undefined || !row.isDone) return []
    return identicalResults(row, othersIn(byScores.get(row.results), row))
  })
}

function evaluatedOther(
  record: EvaluationRecord,
  { contentHash, step }: TrialCheckpoint,
  owners: ReadonlyMap<string, string>,
): NewSuspicion {
  const trial = owners.get(record.contentHash)
  const owner =
    trial === undefined ? say('study.evaluated-other.nobody', {}) : say('study.evaluated-other.trial', { trial })
  const [scored, now] = [shortHash(record.contentHash), shortHash(contentHash)]
  const message = say('study.evaluated-other', { scored, owner, step, now })
  return { rule: 'evaluated-other', subject: `${record.condition} ${record.contentHash}`, message }
}

/**
 * One checkpoint of a trial under all conditions of an evaluation. Only all of them together count: at one shot on a few
 * queries two policies of one start choose alike soon enough.
 */
interface EvaluatedRow {
  readonly cells: readonly EvaluationCell[]
  readonly isDone: boolean
  /** Samples, over all conditions. */
  readonly n: number
  /** Equal for rows that were asked the same and got the same scores. */
  readonly results: string
  /** By condition. */
  readonly choices: readonly string[]
  /** Of the condition with the most. */
  readonly distinctChoices: number
  readonly distinctScores: number
  readonly isKept: boolean
}

function rowKey({ trial, condition, step }: EvaluationCell): string {
  return `${trial.id} ${condition.evaluation} ${step}`
}

function rowOf(cells: readonly EvaluationCell[]): EvaluatedRow {
  const records = cells.flatMap(({ record, state }) => (record === null || state !== 'done' ? [] : [record]))
  return {
    cells,
    isDone: records.length === cells.length,
    n: records.reduce((sum, { n }) => sum + n, 0),
    results: [
      placeOf(cells[0]),
      ...records.map(({ condition, dataset, split, scores }) => `${condition} ${dataset} ${split} ${scores}`),
    ].join(),
    choices: records.map(({ choices }) => choices),
    distinctChoices: Math.max(0, ...records.map(({ distinctChoices }) => distinctChoices)),
    distinctScores: Math.max(0, ...records.map(({ distinctScores }) => distinctScores)),
    isKept: records.some(({ origin }) => origin === 'store'),
  }
}

/** Only what stands in one column is compared: the last with the last, step 10 with step 10. */
function placeOf({ condition: { checkpoints, evaluation }, step }: EvaluationCell): string {
  return `${evaluation} ${typeof checkpoints === 'string' && checkpoints !== 'all' ? checkpoints : step}`
}

/** Of other trials, with other weights. */
function othersIn(group: readonly EvaluatedRow[] | undefined, row: EvaluatedRow): readonly EvaluatedRow[] {
  const [own] = row.cells
  return (group ?? [])
    .slice(0, MOST_LOOKED_AT)
    .filter(({ cells: [other] }) => other.trial.id !== own.trial.id && weightsOf(other) !== weightsOf(own))
}

function weightsOf({ checkpoint }: EvaluationCell): string {
  return checkpoint?.contentHash ?? ''
}

/** Choices that are the same; else, where most differ, scores that are the same in spite of it. */
function identicalResults(row: EvaluatedRow, scoringAlike: readonly EvaluatedRow[]): readonly NewSuspicion[] {
  const { n, distinctChoices: distinct, distinctScores } = row
  // A program may write scores alone. Few of them, with few digits, are the same by chance.
  if (row.choices.every(choices => choices === '')) {
    const isWonder = scoringAlike.length > 0 && n >= ENOUGH_SCORES && distinctScores > 1
    return isWonder ? [identical(row, scoringAlike, say('study.identical.unknown', {}))] : []
  }
  const choosingAlike = scoringAlike.filter(other => differingShare(row, other) === 0)
  if (choosingAlike.length > 0 && n >= ENOUGH_SAMPLES) {
    const asked = Math.round(n / row.cells.length)
    const isBlind = distinct * SAMPLES_PER_CHOICE <= asked
    const blind = say('study.identical.blind', { distinct, n: asked })
    return [identical(row, choosingAlike, isBlind ? blind : say('study.identical.choices', {}))]
  }
  const inSpite = scoringAlike.filter(other => differingShare(row, other) > MOSTLY)
  const isTelling = inSpite.length > 0 && n >= ENOUGH_SCORES && distinctScores > 1
  return isTelling ? [identical(row, inSpite, say('study.identical.scores', {}))] : []
}

/** Of pieces of the samples, not of samples: where few choices differ, few pieces do. */
function differingShare({ choices }: EvaluatedRow, other: EvaluatedRow): number {
  const piecesOf = (all: readonly string[]): readonly string[] => all.flatMap(each => each.split(' '))
  const [pieces, theirs] = [piecesOf(choices), piecesOf(other.choices)]
  return pieces.filter((piece, i) => piece !== theirs[i]).length / Math.max(1, pieces.length)
}

/** Scores that were found in the store are the likeliest explanation, before any other. */
function identical(row: EvaluatedRow, alike: readonly EvaluatedRow[], seen: Message): NewSuspicion {
  const cause = [row, ...alike].some(({ isKept }) => isKept) ? say('study.identical.kept', {}) : seen
  const others = listed(
    alike.map(({ cells: [{ trial, step }] }) => `${trial.name}@${step}`),
    MOST_NAMED,
  )
  const subject = sha256(row.results)
  return { rule: 'identical-results', subject, message: say('study.identical-results', { others, n: row.n, cause }) }
}
