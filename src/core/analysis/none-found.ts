import type { Json } from '../../logs/model/json.js'
import { namesNear } from '../../logs/model/vocabulary/suggest.js'
import { figure } from '../../text/numbers.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { RunEntry } from '../store/catalogue.js'
import { type ChosenRuns, conditionValue, fits, type RunCondition } from './run-table.js'

/** Why a question about runs found none, and what there is instead: of each filter that alone lets no run through. */

const say = sentences({
  'none-found.status': {
    en: 'no run is {status}; statuses here: {known}',
    zh: '没有状态为 {status} 的 run；现有：{known}',
  },
  'none-found.tag': {
    en: 'no run has the tag {tag}; tags here: {known}',
    zh: '没有带标签 {tag} 的 run；现有标签：{known}',
  },
  'none-found.no-tags': {
    en: 'no run here has a tag, so none has {tag}',
    zh: '没有带标签 {tag} 的 run；这里的 run 都没有标签',
  },
  'none-found.where': {
    en: '{condition}: the values of {key} here are {known}',
    zh: '{condition}：这里 {key} 的取值有 {known}',
  },
  'none-found.search': {
    en: '"{search}" is in no name, id or tag; similar names: {known}',
    zh: '名称、id 和标签中都没有“{search}”；相近的名称：{known}',
  },
  'none-found.together': {
    en: 'each condition alone matches some run, but no run matches all of them',
    zh: '每个条件单独都有符合的 run，但没有 run 同时符合全部条件',
  },
  'none-found.many': { en: '{first} … {last} ({count} value{count||s})', zh: '{first} … {last}（共 {count} 个值）' },
})

interface Filters {
  readonly status?: string | undefined
  readonly tag: readonly string[]
  readonly where: readonly RunCondition[]
  readonly search?: string
  readonly isWanted?: (entry: RunEntry) => boolean
}

export function whyNone({ found, looked, entries, meant }: ChosenRuns, filters: Filters): readonly Message[] {
  if (found.length > 0 || entries.length === 0) return []
  const { status, tag, where, search = '', isWanted = () => true } = filters
  const names = [...new Set(entries.map(({ name }) => name))].sort()
  const reasons: readonly Message[] = [
    ...(status === undefined || entries.some(entry => entry.status === status)
      ? []
      : [say('none-found.status', { status, known: known(entries.map(entry => entry.status)) })]),
    ...tag
      .filter(wanted => entries.every(({ tags }) => !tags.includes(wanted)))
      .map(wanted => {
        const tags = entries.flatMap(entry => entry.tags)
        return tags.length === 0
          ? say('none-found.no-tags', { tag: wanted })
          : say('none-found.tag', { tag: wanted, known: known(tags) })
      }),
    ...where.flatMap(({ key, operator, value }) => {
      const condition = { key: meant(key), operator, value }
      if (looked.length === 0 || looked.some(run => fits(run, condition))) return []
      const values = looked.map(run => conditionValue(run, condition))
      return [
        say('none-found.where', { condition: `${key}${operator}${value}`, key: condition.key, known: known(values) }),
      ]
    }),
    ...(search === '' || entries.some(isWanted)
      ? []
      : [say('none-found.search', { search, known: namesNear(search, names, MOST_NAMED).join(', ') })]),
  ]
  return reasons.length === 0 ? [say('none-found.together', {})] : reasons
}

const MOST_NAMED = 8

/** The different values, numbers by size; of many the first and the last. */
function known(values: readonly (Json | undefined)[]): Message | string {
  const given = values.filter(value => value !== undefined && value !== null)
  const numbers = given.filter(value => typeof value === 'number')
  const texts =
    numbers.length === given.length
      ? [...new Set(numbers)].sort((a, b) => a - b).map(value => figure(value, 4))
      : [...new Set(given.map(value => (typeof value === 'string' ? value : JSON.stringify(value))))].sort()
  if (texts.length <= MOST_NAMED) return texts.join(', ') || '–'
  return say('none-found.many', { first: texts[0], last: texts[texts.length - 1], count: texts.length })
}
