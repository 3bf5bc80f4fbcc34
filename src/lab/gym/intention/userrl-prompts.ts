import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import type { EndpointMessage } from '../../endpoint/endpoint.js'
import { feedbackText } from '../gym.js'
import type { SimulatorPrompts } from './endpoint-simulator.js'
import type { Exchange, Situation } from './simulator.js'

/**
 * The two prompts of UserRL's own gym, read out of the user's checkout: its licence lets them be used there, not shipped here.
 * The file is Python; it is read as text and never run.
 */

const say = sentences({
  'gym.prompts.none': {
    en: 'there are no prompts of UserRL at {path}: name its checkout, or gyms/IntentionGym/intentiongym/env/prompts.py in it',
    zh: '{path} 处没有 UserRL 的提示词：请给出其代码目录，或其中的 gyms/IntentionGym/intentiongym/env/prompts.py',
  },
  'gym.prompts.beside': {
    en: 'the data does not lie in a checkout of UserRL: name its prompts, --prompts CHECKOUT',
    zh: '数据不在 UserRL 的代码目录中：请用 --prompts 目录 指明其提示词',
  },
})

const IN_CHECKOUT = join('gyms', 'IntentionGym', 'intentiongym', 'env', 'prompts.py')
const IN_GYM = join('env', 'prompts.py')

/** `klens` or `userrl`, or where UserRL's are; left out: UserRL's where the tasks come from its checkout. Null: klens's own. */
export function promptsNamed(name: string | null, data: readonly string[]): SimulatorPrompts | null {
  if (name === 'klens') return null
  if (name !== null && name !== 'userrl') return readPrompts(pathOf(name))
  const beside = data.flatMap(path => besideData(path) ?? [])
  if (beside.length > 0) return readPrompts(beside[0])
  if (name === 'userrl') throw new Problem('not-found', say('gym.prompts.beside', {}))
  return null
}

function pathOf(given: string): string {
  const isFolder = existsSync(given) && statSync(given).isDirectory()
  const found = isFolder ? [IN_CHECKOUT, IN_GYM].map(path => join(given, path)).find(existsSync) : given
  return found ?? given
}

const PARENTS = 5

function besideData(path: string): string | null {
  let folder = dirname(path)
  for (let i = 0; i < PARENTS; i += 1) {
    const found = [IN_CHECKOUT, IN_GYM].map(file => join(folder, file)).find(existsSync)
    if (found !== undefined) return found
    folder = join(folder, '..')
  }
  return null
}

function readPrompts(path: string): SimulatorPrompts {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const template = (name: string): string | undefined =>
    new RegExp(`^${name} = """([\\s\\S]*?)"""`, 'm').exec(text)?.[1]
  const [reply, judge] = [template('RESPONSE_GENERATION_PROMPT'), template('EVALUATION_PROMPT')]
  const [first, ...others] = [...text.matchAll(/"role": "system", "content": "([^"\n]*)"/g)].map(([, said]) => said)
  const judging = others.find(said => said !== first)
  const nothing = [...text.matchAll(/context\.strip\(\) else "([^"\n]*)"/g)].map(([, said]) => said)
  const allCovered = /details_list\.strip\(\) else "([^"\n]*)"/.exec(text)?.[1]
  const example = /f"([^"{\n]*)\{detail\['inquiry'\]\}/.exec(text)?.[1]
  if (reply === undefined || judge === undefined || judging === undefined || nothing.length < 2) {
    throw new Problem('unreadable', say('gym.prompts.none', { path }))
  }
  const lines = ({ remaining }: Situation): string =>
    remaining
      .map(({ importance, description, inquiry }, i) => {
        const asked = inquiry === '' ? '' : `${example ?? '   '}${inquiry}\n`
        return `${i}. [${LABELS[importance]}] ${description}\n${asked}\n`
      })
      .join('')
  return {
    name: 'userrl',
    reply: situation =>
      messages(first, reply, {
        ...common(situation),
        conversation_history: shown(situation.history, nothing[0], () => ['Helper', 'You']),
      }),
    judge: situation =>
      messages(judging, judge, {
        ...common({ ...situation, replySeesDetails: true }),
        details_list: lines(situation) || (allCovered ?? ''),
        conversation_history: shown(situation.history, nothing[1], i => [`Q${i}`, `A${i}`]),
      }),
  }
}

const LABELS = { 1: 'LOW', 2: 'MEDIUM', 3: 'HIGH' } as const

function messages(
  system: string,
  template: string,
  values: { readonly [name: string]: string },
): readonly EndpointMessage[] {
  const content = template.replace(/\{\{|\}\}|\{(\w+)\}/g, (found, name?: string) =>
    name === undefined ? found[0] : (values[name] ?? found),
  )
  return [
    { role: 'system', content: system },
    { role: 'user', content },
  ]
}

/** UserRL puts the whole record where its prompts speak of the request; the one who replies may be kept from seeing it. */
function common({ task, question, replySeesDetails }: Situation): { readonly [name: string]: string } {
  return { task: replySeesDetails ? printed(task) : task.task, category: task.category, question }
}

function shown(
  history: readonly Exchange[],
  nothing: string,
  labels: (position: number) => readonly [asked: string, said: string],
): string {
  if (history.length === 0) return nothing
  const lines = history.map(({ question, feedback }, i) => {
    const [asked, said] = labels(i + 1)
    return `${asked}: ${question}\n${said}: ${feedbackText(feedback)}\n`
  })
  return `\n\nPrevious conversation:\n${lines.join('')}`
}

/** As Python prints a record; its importance is a text in UserRL's files. */
function printed(value: unknown, name = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return name === 'importance' ? `'${value}'` : String(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(each => printed(each)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return 'None'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${quoted(key)}: ${printed(member, key)}`).join(', ')}}`
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`
}
