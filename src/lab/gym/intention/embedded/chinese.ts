import type { IntentionTask } from '../task.js'
import { kindsIn } from './kinds.js'

/** Which details a Chinese question asks for. */

const ASKING =
  /什么|多少|几|哪|谁|吗|呢|怎么|怎样|如何|多久|多大|多长|多[\u4e00-\u9fff]|是否|还是|有没有|能不能|要不要|请问|请告诉/
const FUNCTION =
  /[的是您你他她它们我吗呢了有没要在会能么多少哪几谁什怎样可以想和还这那对给用到上下为把被吧啊或就都也请问得过来去个些种久如何应该共持打算是否]/g
const FUNCTION_SHARE = 0.15
const FEWEST_SIGNS = 4

export function chineseAsked(question: string, task: IntentionTask): readonly number[] {
  const found: number[] = []
  for (const sentence of question.split(/[。？！；?!;\n]+/)) {
    const signs = sentence.replace(/[^\u4e00-\u9fff]/g, '')
    if (signs.length < FEWEST_SIGNS || !ASKING.test(sentence)) continue
    const holding = signs.match(FUNCTION)?.length ?? 0
    if (holding / signs.length < FUNCTION_SHARE) continue
    for (const clause of sentence.split(/[，、,]|以及|还有|和/)) {
      const kinds = kindsIn(clause.toLowerCase(), 'zh')
      const kind = kinds.find(each => task.missing_details.some(detail => detail.kind === each))
      if (kind !== undefined) found.push(task.missing_details.findIndex(detail => detail.kind === kind))
    }
  }
  return found
}
