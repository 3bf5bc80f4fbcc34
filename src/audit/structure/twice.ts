import type { Section } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { type Setting, settingsOf } from '../settings.js'

/**
 * One setting with two values, in two forms: a list and a command, a table and a snippet of configuration. Two commands
 * or two tables are of two runs, more than two values are a sweep, and any name above either may be that of another run:
 * so only headings that every report has are allowed between them.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.setting-twice': { en: '“{label}” is {found} here and {expected} in line {at}; only one of the two ran: correct the other', zh: '“{label}”此处是 {found}，第 {at} 行是 {expected}；实际只用了其中之一，应改正另一处' },
})

export function* twice(evidence: Evidence): Generator<Fault> {
  const { text, placeOf } = evidence.document
  const printed = ({ offset, quantity: { from, to } }: Setting): string => text.slice(offset, offset + to - from)
  const byName = new Map<string, Setting[]>()
  for (const setting of settingsOf(evidence)) byName.set(setting.name, [...(byName.get(setting.name) ?? []), setting])
  for (const settings of byName.values()) {
    const pair = contradictionIn(settings)
    if (pair === null) continue
    const [there, here] = pair
    const params = { label: here.label, found: printed(here), expected: printed(there), at: placeOf(there.offset).line }
    yield fault('setting-twice', here.offset, say('audit.setting-twice', params), { also: [there.offset] })
  }
}

const MOST_STATED = 12

function contradictionIn(settings: readonly Setting[]): readonly [Setting, Setting] | null {
  if (settings.length > MOST_STATED || isTried(settings)) return null
  const inOrder = settings.toSorted((a, b) => a.offset - b.offset)
  for (const [i, there] of inOrder.entries()) {
    const here = inOrder.slice(i + 1).find(one => !isSame(one, there) && areOfOne(one, there))
    if (here !== undefined) return [there, here]
  }
  return null
}

const isSame = (a: Setting, b: Setting): boolean => meets(a.quantity.range, b.quantity.range)

/** Two values in one block, or more than two in all. */
function isTried(settings: readonly Setting[]): boolean {
  const values = new Set(settings.map(({ quantity }) => quantity.value))
  return values.size > 2 || settings.some(a => settings.some(b => a.block === b.block && !isSame(a, b)))
}

const GENERIC =
  /config(?:uration)?s?|set-?ups?|settings?|hyper-?param(?:eter)?s?|params?|parameters?|details?|commands?|usage|reproduc\w*|environment|overview|summary|appendix|train(?:ing)?|experiment(?:s|al)?|run(?:ning)?|how to|quick ?start|method(?:ology|s)?|implementation|key|main|model|basic|info(?:rmation)?|introduction|background|data(?:set)?|hardware|the|of|and|for|to|a|in|our|used|full|conclusions?|design|script|files?|code|step|overall|实验|训练|配置|参数|设置|超|命令|附录|概[述览]|环境|复现|方法|基本|信息|背景|数据集?|硬件|总结|结论|说明|设计|详细|细节|主要|模型|摘要|简介|代码|脚本|文件|运行|启动|[与和的及]|[\d一二三四五六七八九十]+|[^\p{L}\p{N}]+/giu

const pathOf = (section: Section | null): readonly Section[] =>
  section === null ? [] : [section, ...pathOf(section.parent)]

function areOfOne(a: Setting, b: Setting): boolean {
  const namesAbove = (one: Setting, other: Setting): readonly string[] => {
    const shared = pathOf(other.section)
    const titles = pathOf(one.section)
      .filter(section => !shared.includes(section))
      .map(({ title }) => title)
    return [...one.leads.filter(lead => !other.leads.includes(lead)), ...titles]
  }
  const names = [...namesAbove(a, b), ...namesAbove(b, a)]
  return (a.form !== b.form || a.form === 'list') && names.every(name => name.replace(GENERIC, '') === '')
}
