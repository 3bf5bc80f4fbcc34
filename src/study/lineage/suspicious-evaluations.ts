import { groupBy } from '../../model/group-by.js'
import type { Message } from '../../model/run.js'
import { listed } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import type { EvaluationCell } from '../evaluations/matrix.js'
import type { EvaluationRecord } from '../evaluations/records.js'
import type { NewSuspicion } from './suspicion.js'

/**
 * What makes an evaluation doubtful: scores of other weights than the trial has now, or the very choices of other weights.
 * Why results can be equal though weights differ is told by docs/identical-results.md; here it is said which of those
 * causes the records allow.
 */

const say = sentences({
  'study.evaluated-other': {
    en: 'its score is of the weights {scored} ({owner}); the checkpoint at step {step} has {now}: study eval evaluates it anew',
    zh: '其分数属于权重 {scored}（{owner}）；第 {step} 步的检查点现为 {now}：study eval 会重新评估',
  },
  'study.evaluated-other.trial': { en: 'those of {trial}', zh: '即 {trial} 的权重' },
  'study.evaluated-other.nobody': {
    en: 'those of no checkpoint of this study: the file was changed since',
    zh: '不属于本研究的任何检查点：该文件此后被改动过',
  },
  'study.identical-results': {
    en: 'the same results as {others} on all {n} samples, though the weights differ: {cause}',
    zh: '在全部 {n} 个样本上与 {others} 结果相同，权重却不同：{cause}',
  },
  'study.identical.blind': {
    en: 'there are only {distinct} different choices over {n} samples, so that this evaluation cannot see what was trained',
    zh: '{n} 个样本只有 {distinct} 种不同的选择，这样的评估看不出训练的差别',
  },
  'study.identical.kept': {
    en: 'the scores of one were not evaluated for this study but found in the store, where those of another file can have been kept under its name',
    zh: '其中一份分数并非本研究评估所得，而是取自存储；那里可能以它的名义存了另一文件的分数',
  },
  'study.identical.choices': {
    en: 'both files were read whole and every choice is the same, so the weights differ too little to change a choice that leaves nothing to chance',
    zh: '两份文件都完整读取，而每个选择都相同：权重差异太小，不足以改变不含随机性的选择',
  },
  'study.identical.scores': {
    en: 'the choices differ and every single score is the same, so the scores do not depend on the choice',
    zh: '选择不同而每个分数都相同：分数与选择无关',
  },
})

/** Fewer samples are the same by chance too easily. */
const ENOUGH_SAMPLES = 20
/** Equal scores of different choices are no wonder on fewer, and none where all samples score alike. */
const ENOUGH_SCORES = 100
const SAMPLES_PER_CHOICE = 20
const MOST_NAMED = 4

/** In the order of the cells. */
export function evaluationSuspicions(cells: readonly EvaluationCell[]): readonly (readonly NewSuspicion[])[] {
  const owners = new Map(
    cells.flatMap(({ checkpoint, trial }) =>
      checkpoint === null ? [] : [[checkpoint.contentHash, trial.name] as const],
    ),
  )
  const done = cells.filter(({ state }) => state === 'done')
  const byChoices = groupBy(done, ({ record }) => resultKey(record, 'choices'))
  const byScores = groupBy(done, ({ record }) => resultKey(record, 'scores'))
  return cells.map((cell): readonly NewSuspicion[] => {
    const { record, checkpoint, step } = cell
    if (record === null || checkpoint === null) return []
    if (record.contentHash !== checkpoint.contentHash) {
      const trial = owners.get(record.contentHash)
      const owner =
        trial === undefined ? say('study.evaluated-other.nobody', {}) : say('study.evaluated-other.trial', { trial })
      const [scored, now] = [record.contentHash.slice(0, 12), checkpoint.contentHash.slice(0, 12)]
      const message = say('study.evaluated-other', { scored, owner, step: step ?? 0, now })
      return [{ rule: 'evaluated-other', subject: `${record.condition} ${record.contentHash}`, message }]
    }
    if (record.n < ENOUGH_SAMPLES) return []
    const alike = othersIn(byChoices.get(resultKey(record, 'choices')), cell)
    if (alike.length > 0) return [identical(cell, record, alike, choicesCause(record, alike))]
    if (record.n < ENOUGH_SCORES || record.distinctScores < 2) return []
    const scoredAlike = othersIn(byScores.get(resultKey(record, 'scores')), cell)
    return scoredAlike.length === 0
      ? []
      : [identical(cell, record, scoredAlike, keptCause(record, scoredAlike) ?? say('study.identical.scores', {}))]
  })
}

/** What was evaluated alike: the same data and condition, however far the plan names them alike. */
function resultKey(record: EvaluationRecord | null, result: 'choices' | 'scores'): string {
  return record === null ? '' : `${record.condition} ${record.dataset} ${record.split} ${record[result]}`
}

/** Other trials with other weights: neighbouring checkpoints of one training may well choose alike. */
function othersIn(group: readonly EvaluationCell[] | undefined, cell: EvaluationCell): readonly EvaluationCell[] {
  return (group ?? [])
    .filter(other => other.trial.id !== cell.trial.id && other.checkpoint?.contentHash !== cell.checkpoint?.contentHash)
    .slice(0, MOST_NAMED + 1)
}

function identical(
  { condition }: EvaluationCell,
  { n, scores }: EvaluationRecord,
  alike: readonly EvaluationCell[],
  cause: Message,
): NewSuspicion {
  const names = alike.map(({ trial, step }) => `${trial.name}@${step}`)
  const message = say('study.identical-results', { others: listed(names, MOST_NAMED), n, cause })
  return { rule: 'identical-results', subject: `${condition.hash} ${scores}`, message }
}

function choicesCause(record: EvaluationRecord, alike: readonly EvaluationCell[]): Message {
  const { n, distinctChoices: distinct } = record
  if (distinct * SAMPLES_PER_CHOICE <= n) return say('study.identical.blind', { distinct, n })
  return keptCause(record, alike) ?? say('study.identical.choices', {})
}

function keptCause(record: EvaluationRecord, alike: readonly EvaluationCell[]): Message | null {
  const isKept = [record, ...alike.map(other => other.record)].some(each => each?.origin === 'store')
  return isKept ? say('study.identical.kept', {}) : null
}
