import { message } from '../../text/say.js'
import { progressOf } from '../progress.js'
import type { AuditRule } from '../rule.js'

/**
 * "Training is complete" beside "needs more steps", "still in warm-up" or "train to at least 50 steps". More training
 * after the end is a fair wish, so advice counts only when it asks for steps that are already done.
 */
export const progressContradicted: AuditRule = {
  id: 'progress-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty: 'Training is complete: 400 steps.\n\nThe schedule is still in warmup.',
    sound: 'Training is complete: 400 steps.\n\nThe schedule ended at a rate of zero.',
  },
  *check(document) {
    const { done, total } = progressOf(document)
    if (done === null) return
    const { line } = document.placeOf(done.offsetOf(0))
    for (const statement of document.statements) {
      if (statement.kind === 'cell' || statement.kind === 'code' || CONDITION.test(statement.text)) continue
      const asked = AT_LEAST.exec(statement.text)
      const goal = asked && statement.quantities.find(({ from }) => from >= asked.index + asked[0].length - 1)
      const most = goal?.ends?.[1] ?? goal?.value
      if (asked !== null && most !== undefined && total !== null && goal?.unit === 'step' && most <= total) {
        yield {
          offset: statement.offsetOf(asked.index),
          message: message('audit.progress-steps-done', { goal: goal.ends?.join('–') ?? most, total, line }),
          found: String(goal.ends?.join('–') ?? most),
          expected: String(total),
        }
        continue
      }
      const word = UNDER_WAY.exec(statement.text)
      if (word === null || !ABOUT_THE_TRAINING.test(statement.text.slice(0, word.index))) continue
      yield {
        offset: statement.offsetOf(word.index),
        message: message('audit.progress-contradicted', { found: word[0], line }),
        found: word[0],
        expected: done.text.slice(0, 80),
        severity: 'warning',
      }
    }
  },
}

const CONDITION = /如果|假如|若要|如需|(?<![a-z])(?:if|unless|in case)(?![a-z])/i
const AT_LEAST = /(?:至少)?训练(?:到|至|满)\s?|(?<![a-z])train(?:ing)? (?:to|until|for|up to)(?: at least)?\s/i
/** With another name before it ("run 32 is still training") it is about another run. */
const ABOUT_THE_TRAINING =
  /^(?:[^\p{L}\p{N}]|当前|目前|状态|训练|模型|实验|学习率|调度|继续|监控|观察|因此|但|(?:the|model|training|it|we|is|are|currently|lr|learning|rate|scheduler?|but|this|status)(?![a-z]))*$/iu
const UNDER_WAY =
  /需要更多(?:的)?(?:训练)?步数|仍(?:然)?(?:处于|在|为)?[^,;。]{0,12}(?:warm-?up|预热)(?:阶段)?|仍在训练|正在训练|训练(?:仍在)?进行中|后续训练步骤|(?<![a-z])(?:needs? more (?:training )?steps|more (?:training )?steps (?:are )?(?:needed|required)|still in (?:the )?warm-?up|still (?:training|warming up)|training is (?:still )?(?:ongoing|running|in progress)|the remaining (?:training )?steps)(?![a-z])/i
