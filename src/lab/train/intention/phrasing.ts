/**
 * What the supervised start hears about own tasks: scripted dialogues in which a detail is asked for by its model question,
 * by a short question made of its description, or by its options, drawn again each time that a task comes round. Short ones
 * are the most frequent: their words are those that other tasks share.
 */
import type { Random } from '../../../stats/random.js'
import { shuffled } from '../../../stats/random.js'
import type { TaskLanguage } from '../../gym/intention/own/tasks.js'
import type { IntentionDetail, IntentionTask } from '../../gym/intention/task.js'
import type { Phrasing } from '../../gym/policies/scripted.js'

/** How often a detail is asked for by its model question, and by its options; else by a short question. */
const SHARES = { model: 0.15, options: 0.05 } as const
/** How often something beside the point comes first: a policy that hears that it does not matter is to ask for something else. */
const ASIDE = 0.15

export function taskPhrasing(tasks: readonly IntentionTask[], language: TaskLanguage): Phrasing {
  const details = tasks.flatMap(({ missing_details: each }) => each)
  const ask = (detail: IntentionDetail, random: Random): string => {
    const draw = random.next()
    if (draw < SHARES.model && detail.inquiry !== '') return detail.inquiry
    if (draw < SHARES.model + SHARES.options && detail.options.length > 1) return optionsQuestion(detail, language)
    return shortQuestion(detail, language)
  }
  const any = (random: Random): string => ask(details[random.below(details.length)], random)
  return {
    any,
    /** The important ones first, equals in any order; whatever was not understood is asked once more in full. */
    inOrder({ missing_details: missing }, random) {
      const ordered = shuffled(missing, random).sort((one, other) => other.importance - one.importance)
      const asked = ordered.flatMap(detail => [...(random.next() < ASIDE ? [any(random)] : []), ask(detail, random)])
      return [...asked, ...ordered.flatMap(({ inquiry }) => inquiry || [])]
    },
  }
}

/** "User's fitness level (current)" becomes "What is your fitness level?". */
export function shortQuestion({ description }: IntentionDetail, language: TaskLanguage): string {
  const bare = description
    .replace(/[(（][^)）]*[)）]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[.。\s]+$/, '')
    .trim()
  if (language === 'zh') return `请问${bare}是什么？`
  const own = bare.replace(/^(?:the )?user[’']?s?[’']? /i, '')
  const thing = `${own === bare ? 'the' : 'your'} ${lowered(own.replace(/^(?:the|your) /i, ''))}`
  return `What ${/[^s]s$/i.test(thing) ? 'are' : 'is'} ${thing}?`
}

function optionsQuestion({ options }: IntentionDetail, language: TaskLanguage): string {
  const some = options.slice(0, 3).map(option => option.trim())
  const last = some[some.length - 1]
  if (language === 'zh') return `您想要${some.slice(0, -1).join('、')}还是${last}？`
  return `Would you prefer ${some.slice(0, -1).map(lowered).join(', ')} or ${lowered(last)}?`
}

/** But for abbreviations. */
function lowered(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
}
