import type { VocabularyAnswer } from '../../app/ask/vocabulary.js'
import { sentences } from '../../text/sentences.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import { type Block, note, paragraph, section, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** The names that have no meaning yet, with what each may mean, the surest first. */

type Name = VocabularyAnswer['metrics'][number]

const words = sentences({
  'vocabulary.none': {
    en: 'Every metric name in these {runs} run{runs||s} is known, or has no meaning on purpose.',
    zh: '这 {runs} 个 run 中的指标名都有含义，或特意不赋予含义。',
  },
  'vocabulary.proposed': {
    en: 'Proposed by name; not used until accepted',
    zh: '按单词给出的建议；接受之前不会用于任何判断',
  },
  'vocabulary.open': { en: 'Open: several meanings are possible; choose one', zh: '有多种可能：需要指定其一' },
  'vocabulary.without': { en: 'No proposal', zh: '没有建议' },
  'vocabulary.on-purpose': { en: 'Known, without a meaning on purpose', zh: '已知，但特意不赋予含义' },
  'vocabulary.settings': { en: 'Settings, proposed by name', zh: '配置项（按单词给出的建议）' },
  'vocabulary.no-row': { en: 'not a metric of klens', zh: '不属于 klens 的指标表' },
  'vocabulary.column.name': { en: 'name', zh: '名称' },
  'vocabulary.column.runs': { en: 'runs', zh: 'run 数' },
  'vocabulary.column.canonical': { en: 'may be', zh: '可能是' },
  'vocabulary.column.meaning': { en: 'meaning', zh: '含义' },
  'vocabulary.column.sure': { en: 'sure?', zh: '把握' },
  'vocabulary.column.why': { en: 'why', zh: '原因' },
  'vocabulary.column.framework': { en: 'framework', zh: '框架' },
  'vocabulary.clear': { en: 'clear', zh: '明确' },
  'vocabulary.likely': { en: 'likely', zh: '可能' },
  'vocabulary.more': { en: '{names} and {count} more (--all)', zh: '{names} 等另外 {count} 个（--all）' },
  'vocabulary.other-settings': {
    en: '{count} further setting{count||s} {count|has|have} no canonical name and no proposal (--all).',
    zh: '另有 {count} 个配置项没有规范名，也没有建议（--all）。',
  },
  'vocabulary.ignored': { en: 'Rejected by you: {names}', zh: '已被拒绝：{names}' },
  'vocabulary.how': {
    en: 'klens vocabulary --accept NAME accepts the proposal, --accept NAME=CANONICAL another meaning, --reject NAME none; .klens/vocabulary.yaml keeps it.',
    zh: 'klens vocabulary --accept 名称 采用建议，--accept 名称=规范名 指定其他含义，--reject 名称 不要含义；结果保存在 .klens/vocabulary.yaml。',
  },
})

const MOST_NAMED = 20

export function vocabularyBlocks(
  { runs, metrics, settings, onPurpose, ignored }: VocabularyAnswer,
  speaker: Speaker,
  { all = false }: { readonly all?: boolean } = {},
): readonly Block[] {
  const say = saying(speaker, words)
  const column = (names: readonly ('name' | 'runs' | 'canonical' | 'meaning' | 'sure' | 'why' | 'framework')[]) =>
    names.map(name => say(`vocabulary.column.${name}`, {}))
  const rows = (names: readonly Name[], label: typeof metricLabel) =>
    names.flatMap(({ name, runs: count, proposal }) =>
      (proposal?.candidates ?? []).map((canonical, i) => [
        i === 0 ? name : '',
        i === 0 ? String(count) : '',
        canonical,
        label(canonical, speaker.language),
        ...(proposal === null || proposal.certainty === 'open' ? [] : [say(`vocabulary.${proposal.certainty}`, {})]),
        i === 0 ? (proposal?.reason ?? '') : '',
      ]),
    )
  const isOpen = ({ proposal }: Name): boolean => proposal?.certainty === 'open'
  const proposed = metrics.filter(each => each.proposal !== null && !isOpen(each))
  const open = metrics.filter(isOpen)
  const without = metrics.filter(({ proposal }) => proposal === null).map(({ name }) => name)
  const set = settings.filter(({ proposal }) => proposal !== null)
  const others = settings.filter(({ proposal }) => proposal === null).map(({ name }) => name)
  const named = (names: readonly string[]): string =>
    all || names.length <= MOST_NAMED
      ? speaker.listed(names)
      : say('vocabulary.more', {
          names: speaker.listed(names.slice(0, MOST_NAMED)),
          count: names.length - MOST_NAMED,
        })
  const part = (
    key: 'proposed' | 'open' | 'without' | 'on-purpose' | 'settings',
    isThere: boolean,
    ...blocks: Block[]
  ) => (isThere ? [section(say(`vocabulary.${key}`, {}), ...blocks)] : [])
  const sure = column(['name', 'runs', 'canonical', 'meaning', 'sure', 'why'])
  const unsure = column(['name', 'runs', 'canonical', 'meaning', 'why'])
  return [
    ...(metrics.length === 0 ? [note('info', say('vocabulary.none', { runs }))] : []),
    ...part('proposed', proposed.length > 0, table(sure, rows(proposed, metricLabel))),
    ...part('open', open.length > 0, table(unsure, rows(open, metricLabel))),
    ...part('without', without.length > 0, paragraph(named(without))),
    ...part(
      'on-purpose',
      onPurpose.length > 0,
      table(
        column(['name', 'runs', 'framework', 'why']),
        onPurpose.map(({ name, runs: count, framework, reason }) => {
          return [name, String(count), framework, reason ?? say('vocabulary.no-row', {})]
        }),
      ),
    ),
    ...part(
      'settings',
      set.length > 0,
      table(
        sure,
        rows(
          set.filter(each => !isOpen(each)),
          settingLabel,
        ),
      ),
      table(unsure, rows(set.filter(isOpen), settingLabel)),
    ),
    ...(others.length === 0
      ? []
      : [paragraph(toned(all ? named(others) : say('vocabulary.other-settings', { count: others.length }), 'quiet'))]),
    ...(ignored.length === 0 ? [] : [paragraph(toned(say('vocabulary.ignored', { names: named(ignored) }), 'quiet'))]),
    ...(metrics.length + set.length === 0 ? [] : [paragraph(toned(say('vocabulary.how', {}), 'quiet'))]),
  ]
}
