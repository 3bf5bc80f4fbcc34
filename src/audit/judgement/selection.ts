import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { isStated } from '../stance.js'
import { hitOn, once } from './hits.js'

/**
 * A checkpoint that was chosen by the scores it is then praised for. The best of several evaluations is above what it
 * will score again, so the figure is none of the model's but of the choice.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.chosen-on-test': { en: '“{quote}”: chosen from several by the very scores it is reported with, so that these are too good by chance (lines {lines}); choose on other data, or evaluate the chosen one again', zh: '“{quote}”：按它自己的评估分数从多个中选出，分数因而偏高（第 {lines} 行）；应在另外的数据上挑选，或对选出的重新评估' },
})

const CHECKPOINT = '(?:checkpoint|ckpt|epoch|step|iteration|权重|轮次?|步)'
const BEST = '(?:(?<![a-z])best(?![a-z])|最[优佳好])'
const IS = '(?:是|为|仍|达到|(?<![a-z])(?:is|was|remains|gives?|reach(?:es|ed)|achieve[sd]?|came|comes|with)(?![a-z]))'
const CHOSEN = new RegExp(
  `${BEST}[^.。;；]{0,16}${CHECKPOINT}[^.。;；:：]{0,12}${IS}|${CHECKPOINT}[^.。;；:：]{0,16}${IS}[^.。;；]{0,16}${BEST}`,
  'i',
)
/** The loss on validation data is what one may choose by. */
const BY_VALIDATION = /val(?:idation)?[ _]?loss|验证(?:集)?损失/i
/** Who chose elsewhere may praise it. */
const ELSEWHERE =
  /held[- ]?out|留出|独立(?:的)?测试集|(?:select|chos|pick)\w* (?:on|by|using|with) (?:the )?(?:validation|dev)|(?:按|根据|基于)验证(?:集|损失)/i

export function* selection(evidence: Evidence): Generator<Fault> {
  const { text, statements } = evidence.document
  if (ELSEWHERE.test(text)) return
  yield* once(evidence, 'chosen-on-test', statements.filter(isPraised).map(hitOn), said =>
    say('audit.chosen-on-test', said),
  )
}

function isPraised(statement: Statement): boolean {
  const { kind, text } = statement
  const isProse = kind === 'sentence' || kind === 'item'
  return isProse && CHOSEN.test(text) && !BY_VALIDATION.test(text) && isStated(statement, 0, text.length)
}
