import type { IntentionDetail, IntentionTask } from '../task.js'
import { kindsIn } from './kinds.js'

/**
 * Which details a Chinese question asks for: by klens's kinds of detail, which other people's details are sorted into by
 * their own words; and by the options and the pairs of signs that question and detail have in common.
 */
export function chineseAsked(question: string, task: IntentionTask): readonly number[] {
  const found: number[] = []
  for (const sentence of question.slice(0, MOST_SIGNS).match(/[^。？！；?!;\n]+[。？！；?!;\n]*/g) ?? []) {
    if (!isHeard(sentence)) continue
    for (const clause of sentence.split(/[，、,]|以及|还有|和/)) {
      const position = clauseAsksFor(clause.toLowerCase(), task)
      if (position !== null) found.push(position)
    }
  }
  return found
}

const MOST_SIGNS = 300
const ASKING =
  /[？?]\s*$|什么|多少|几|哪|谁|吗|呢|怎么|怎样|如何|为何|多[\u4e00-\u9fff]|是否|还是|有没有|能不能|要不要|请问|请告诉/
const TALK =
  /对吗|对不对|是吗|是不是[？?]|您说是|这样(?:可以|行|好)吗|是这样|明白(?:我|吗)|(?:就|马上|可以|能)开始|开始吗|动手吗|总结|补充|再(?:详细|问)|别的(?:吗|问题)|心情|您好|谢谢|建议吗/
const FUNCTION =
  /[的是您你他她它们我吗呢了有没要在会能么多少哪几谁什怎样可以想和还这那对给用到上下为把被吧啊或就都也请问得过来去个些种久如何应该共持打算是否不]/g
const FUNCTION_SHARE = 0.15
const FEWEST_SIGNS = 4

function isHeard(sentence: string): boolean {
  const signs = sentence.replace(/[^\u4e00-\u9fff]/g, '')
  if (signs.length < FEWEST_SIGNS || !ASKING.test(sentence) || TALK.test(sentence)) return false
  return (signs.match(FUNCTION)?.length ?? 0) / signs.length >= FUNCTION_SHARE
}

/** Who names more kinds of things in one clause is listing words. */
const MOST_KINDS = 3

function clauseAsksFor(clause: string, task: IntentionTask): number | null {
  const kinds = kindsIn(clause, 'zh')
  if (kinds.length > MOST_KINDS) return null
  const signs = signsOf(task)
  for (const kind of kinds) {
    const position = signs.findIndex(detail => detail.kinds.has(kind))
    if (position >= 0) return position
  }
  const asked = pairsIn(clause)
  const shared = signs.map(({ options, pairs }) => {
    const named = options.filter(option => clause.includes(option)).length
    return asked.filter(pair => pairs.has(pair)).length + FEWEST_SHARED * named
  })
  const best = shared.indexOf(Math.max(...shared))
  return shared[best] >= FEWEST_SHARED ? best : null
}

/** So many pairs of signs in common are no chance; an option that is named is worth as much. */
const FEWEST_SHARED = 2

interface DetailSigns {
  readonly kinds: ReadonlySet<string>
  readonly options: readonly string[]
  readonly pairs: ReadonlySet<string>
}

const known = new WeakMap<IntentionTask, readonly DetailSigns[]>()

function signsOf(task: IntentionTask): readonly DetailSigns[] {
  const before = known.get(task)
  if (before !== undefined) return before
  const topic = new Set(pairsIn(task.task))
  const made = task.missing_details.map(detail => detailSigns(detail, topic))
  known.set(task, made)
  return made
}

function detailSigns(
  { kind, description, inquiry, options }: IntentionDetail,
  topic: ReadonlySet<string>,
): DetailSigns {
  const text = [description, inquiry, ...options].join(' ')
  return {
    kinds: new Set(kind === undefined ? [...kindsIn(description, 'zh'), ...kindsIn(inquiry, 'zh')] : [kind]),
    options: options.map(option => option.toLowerCase()).filter(option => option.length > 1),
    pairs: new Set(pairsIn(text).filter(pair => !topic.has(pair))),
  }
}

/** Neighbouring signs, without those that only hold a sentence together. */
function pairsIn(text: string): readonly string[] {
  const runs =
    text
      .toLowerCase()
      .replace(FUNCTION, ' ')
      .match(/[\u4e00-\u9fff]{2,}/g) ?? []
  return [...new Set(runs.flatMap(run => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2))))]
}
