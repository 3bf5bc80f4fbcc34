import { choiceSpread, type Evaluated, isBlind, type PairAgreement } from '../../lab/train/evaluate.js'
import { diffWeights } from '../../lab/weights/diff.js'
import { withWeights } from '../../lab/weights/open.js'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'

/** What makes scores say nothing about what was trained (docs/identical-results.md). */
export interface EvaluationFinding {
  readonly rule: 'eval-blind' | 'weights-not-loaded' | 'weights-differ-results-identical'
  readonly severity: 'error' | 'warning'
  readonly message: Message
}

const say = sentences({
  'eval.blind': {
    en: '{name}, {shots} {shots|shot|shots}: {distinct} distinct {distinct|choice|choices} over {queries} quer{queries|y|ies} (pools of {pool}): this evaluation cannot show what was trained',
    zh: '{name}，{shots} shot：{queries} 个查询只有 {distinct} 种不同的选择（候选池大小 {pool}）：这样的评测看不出训练的任何差别',
  },
  'eval.not-loaded': {
    en: "{name} names {count} tensor{count||s} ({tensors}) like Lever-Plus's converter, and its own model does not know them: its inference leaves them random and runs another policy than the one scored here; klens weights convert writes names that it knows, --load original scores what it runs",
    zh: '{name} 中有 {count} 个张量（{tensors}）沿用 Lever-Plus 转换脚本的名字，其推理所建的模型并不认识：推理时这些部分保持随机初始化，与这里评测的不是同一个策略；klens weights convert 会写出它认识的名字，--load original 则按它实际加载的方式评测',
  },
  'eval.identical-results': {
    en: '{first} and {second} differ in {count} tensor{count||s} ({tensors}) and make identical selections on all {n} quer{n|y|ies}: were these tensors loaded for the evaluation? If so, they changed too little to matter',
    zh: '{first} 与 {second} 有 {count} 个张量不同（{tensors}），但对全部 {n} 个查询的选择完全相同：产生分数的程序是否真的加载了这些张量？若已加载，则改动太小，不起作用',
  },
})

export async function evaluationFindings(
  all: readonly Evaluated[],
  agreements: readonly PairAgreement[],
  nameOf: (checkpoint: string) => string,
): Promise<readonly EvaluationFinding[]> {
  return [
    ...all.flatMap(one => blindness(one, nameOf(one.checkpoint))),
    ...notLoaded(all, nameOf),
    ...(await identicalResults(agreements, nameOf)),
  ]
}

function blindness({ shots, validation }: Evaluated, name: string): readonly EvaluationFinding[] {
  const spread = choiceSpread(validation.asked)
  if (!isBlind(spread)) return []
  const { distinct, queries } = spread
  const { least, most } = spread.pool
  const pool = least === most ? String(least) : `${least}–${most}`
  return [
    { rule: 'eval-blind', severity: 'error', message: say('eval.blind', { name, shots, distinct, queries, pool }) },
  ]
}

function notLoaded(all: readonly Evaluated[], nameOf: (path: string) => string): readonly EvaluationFinding[] {
  const partly = new Map(all.map(one => [one.checkpoint, one]))
  return [...partly.values()].flatMap(({ checkpoint, loaded: { unknownToOriginal }, load }) => {
    if (unknownToOriginal.length === 0 || load === 'original') return []
    const message = say('eval.not-loaded', {
      name: nameOf(checkpoint),
      count: unknownToOriginal.length,
      tensors: some(unknownToOriginal),
    })
    return [{ rule: 'weights-not-loaded', severity: 'error', message } as const]
  })
}

/** Of two files with other weights that choose alike at every number of shots. */
async function identicalResults(
  agreements: readonly PairAgreement[],
  nameOf: (path: string) => string,
): Promise<readonly EvaluationFinding[]> {
  const pairs = new Map<string, PairAgreement[]>()
  for (const one of agreements) {
    const key = JSON.stringify([one.first, one.second])
    pairs.set(key, [...(pairs.get(key) ?? []), one])
  }
  const findings: EvaluationFinding[] = []
  for (const pair of pairs.values()) {
    const [{ first, second, sameWeights, n }] = pair
    if (sameWeights || pair.some(({ share }) => share < 1)) continue
    const changed = await withWeights(first, one =>
      withWeights(second, async other => {
        const { entirely, partly } = await diffWeights(one, other)
        return [...entirely, ...partly]
      }),
    )
    const message = say('eval.identical-results', {
      first: nameOf(first),
      second: nameOf(second),
      count: changed.length,
      tensors: some(changed),
      n,
    })
    findings.push({ rule: 'weights-differ-results-identical', severity: 'warning', message })
  }
  return findings
}

const NAMED = 3

function some(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '')
}
