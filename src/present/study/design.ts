import { figure as short } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import { type Block, code, heading, type Inline, list, paragraph, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import { column } from './columns.js'
import type { StudyFacts } from './facts.js'

/** What was laid down before the first result: the question, what was expected, the design as it was frozen. */

const say = sentences({
  'report.study.head.question': { en: 'The question', zh: '问题' },
  'report.study.head.design': { en: 'The design', zh: '设计' },
  'report.study.judged': {
    en: 'Judged by {metric} ({direction}) at the last evaluation of each run; {margin}',
    zh: '以每个 run 最后一次验证的 {metric} 评判（{direction}）；{margin}',
  },
  'report.study.max': { en: 'higher is better', zh: '越高越好' },
  'report.study.min': { en: 'lower is better', zh: '越低越好' },
  'report.study.margin': { en: 'differences below {margin} do not matter', zh: '小于 {margin} 的差异无关紧要' },
  'report.study.no-margin': {
    en: 'no margin was given, so nothing can be called the same',
    zh: '没有给出等效界限，因此不会判为“相当”',
  },
  'report.study.expected': { en: 'Expected beforehand:', zh: '事先的预期：' },
  'report.study.frozen': {
    en: 'Frozen before the first result, with the hash {hash}. Nothing was changed since.',
    zh: '在首个结果之前冻结，哈希 {hash}。此后没有改动。',
  },
  'report.study.frozen-changed': {
    en: 'Frozen before the first result, with the hash {hash}. Changed since, and therefore no prediction:',
    zh: '在首个结果之前冻结，哈希 {hash}。此后有改动，改动之处不能算作预测：',
  },
  'report.study.not-frozen': { en: 'Not frozen: nothing has been trained.', zh: '尚未冻结：还没有训练。' },
  'report.study.change': { en: '{key}: was {before}, is {now}', zh: '{key}：原为 {before}，现为 {now}' },
})

export function questionBlocks(
  speaker: Speaker,
  { question, metric, direction, margin, expectations }: StudyFacts,
): readonly Block[] {
  const judged = say('report.study.judged', {
    metric,
    direction: speaker.say(say(`report.study.${direction}`, {})),
    margin: speaker.say(
      margin === null ? say('report.study.no-margin', {}) : say('report.study.margin', { margin: short(margin) }),
    ),
  })
  return [
    heading(speaker.say(say('report.study.head.question', {}))),
    paragraph(question),
    paragraph(speaker.sentence(speaker.say(judged))),
    ...(expectations.length === 0
      ? []
      : [paragraph(speaker.say(say('report.study.expected', {}))), list(expectations.map(each => [each]))]),
  ]
}

export function designBlocks(speaker: Speaker, { design: { frozen, changed }, arms }: StudyFacts): readonly Block[] {
  const hash = frozen === null ? '' : shortHash(frozen.hash)
  const said =
    frozen === null
      ? say('report.study.not-frozen', {})
      : changed.length === 0
        ? say('report.study.frozen', { hash })
        : say('report.study.frozen-changed', { hash })
  const changes = changed.map(({ key, before, now }): Inline[] => [
    speaker.say(say('report.study.change', { key, before: JSON.stringify(before), now: JSON.stringify(now) })),
  ])
  return [
    heading(speaker.say(say('report.study.head.design', {}))),
    paragraph(speaker.say(said)),
    ...(changes.length === 0 ? [] : [list(changes)]),
    table(
      [column(speaker, 'arm'), column(speaker, 'settings')],
      arms.map(({ name, settings }) => [
        name,
        code(
          Object.entries(settings)
            .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join(' ') || '–',
        ),
      ]),
    ),
  ]
}
