import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { places } from '../lexicon.js'
import { isDenied, isStated } from '../stance.js'
import { type Hit, hitOn, once } from './hits.js'

/**
 * A verdict on one run a side. Where a report nowhere speaks of seeds, repeats or a spread between runs, another run may
 * turn every "best" and "better" in it. The first few are listed: a reader needs to be told once.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.one-run': { en: '“{quote}”: no repeat of any run is mentioned, and another seed may turn this verdict (lines {lines}); repeat both sides over several seeds, or say that it is one run', zh: '“{quote}”：全文未提到重复运行，换一个随机种子结论就可能不同（第 {lines} 行）；应以多个种子重复，或写明只跑了一次' },
})

/** Repeats, a spread, or a word on what cannot be told apart: such an author need not be told. */
const WEIGHED =
  /(?<![a-z])intervals?(?![a-z])|区间|indistinguishable|not distinguishable|cannot be told|无法区分|不可区分|分不出|\d\s?±\s?\d|(?<![a-z])seeds(?![a-z])|(?:个|多|不同)(?:随机)?种子|重复(?:实验|运行|训练|试验|\s?\d)|independent (?:runs|trials)|runs? (?:each|per (?:arm|setting|side|configuration))|(?:deviation|std|variance|spread) (?:over|across|between) (?:\w+ )?(?:runs|seeds)|一次运行|单次运行|single run|only (?:one|1) run/i

const MOST = 6
const LONGEST = 300

export function* oneRun(evidence: Evidence): Generator<Fault> {
  const { statements, text } = evidence.document
  const isMeasured = evidence.matrices.length > 0 || statements.some(({ quantities }) => quantities.length > 0)
  if (!isMeasured || WEIGHED.test(text)) return
  const hits = statements.flatMap(verdictIn).slice(0, MOST)
  yield* once(evidence, 'one-run', hits, said => say('audit.one-run', said))
}

function verdictIn(statement: Statement): readonly Hit[] {
  const { kind, text, offsetOf } = statement
  if ((kind !== 'sentence' && kind !== 'item') || text.length > LONGEST || LABEL.test(text)) return []
  const said = places(text, 'verdict').find(({ from, to }) => {
    const isName = /^-|-$/.test(text.slice(Math.max(0, from - 1), to + 1))
    return !isName && !FIGURE.test(text.slice(from)) && !isDenied(text, from) && isStated(statement, from, to)
  })
  return said === undefined ? [] : [{ ...hitOn(statement), offset: offsetOf(said.from) }]
}

/** The best value of a curve is a figure, and no verdict on an arm. */
const FIGURE =
  /^(?:best(?: [a-z]+){0,2} (?:score|reward|accuracy|loss|value)|最[优佳好]的?.{0,4}(?:得分|分数|奖励|损失|准确率|值|结果为))/i

/** "Best score: 7.6" names a figure and judges nothing. */
const LABEL = /^\W*(?:(?:previous|current|new) )?(?:best|最[优佳好])[^:：是]{0,20}[:：]/i
