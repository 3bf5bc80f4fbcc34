import type { ShowAnswer } from '../../app/ask/show.js'
import { sentences } from '../../text/sentences.js'
import { type Block, code, fold, list, pairs, paragraph, strong, type Tone, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** The objective card in words: in front of a launch, with a run, and on its page. */

type Card = NonNullable<ShowAnswer['objective']>
type Term = NonNullable<Card['kl']>[number]

const words = sentences({
  'card.title': { en: 'Objective', zh: '优化目标' },
  'card.loss': { en: 'loss', zh: 'loss' },
  'card.kl': { en: 'KL gradient', zh: 'KL 的梯度' },
  'card.kl.none': { en: 'no KL term', zh: '没有 KL 项' },
  'card.kl.unknown': { en: 'unknown', zh: '未知' },
  'card.gradient.right': { en: 'correct', zh: '正确' },
  'card.gradient.biased': { en: 'biased', zh: '有偏' },
  'card.gradient.none': { en: 'none', zh: '无' },
  'card.gradient.unknown': { en: 'unknown', zh: '未知' },
  'card.seeds': { en: 'seeds', zh: '随机种子' },
  'card.seed.unset': { en: 'not set', zh: '未设置' },
  'card.stays': { en: 'not fixed by a seed', zh: '种子管不到' },
  'card.normal': { en: 'Looks odd but is normal', zh: '看着奇怪，其实正常' },
  'card.unknown': { en: 'unknown', zh: '未知' },
})

/** The heading stands with whoever shows it: a page has sections of its own. */
export function objectiveTitle(speaker: Speaker): string {
  return speaker.say(words('card.title', {}))
}

export function objectiveBlocks(card: Card, speaker: Speaker, { isFolded = false } = {}): readonly Block[] {
  const say = saying(speaker, words)
  const rows = [
    [say('card.loss', {}), [code(card.loss)]],
    ...card.where.map(({ symbol, meaning }) => ['', [code(symbol), `  ${meaning}`]] as const),
    ...klRows(card, speaker),
    ...card.seeds.map(
      ({ key, value, what }, i) =>
        [
          i === 0 ? say('card.seeds', {}) : '',
          [code(key), ` = ${value === null ? say('card.seed.unset', {}) : String(value)}  `, toned(what, 'quiet')],
        ] as const,
    ),
    ...labelled(say('card.stays', {}), card.stays),
    ...labelled(say('card.unknown', {}), card.unknown),
  ] as const
  const odd = list(card.normal.map(text => [speaker.sentence(text)]))
  return [
    paragraph(strong(card.name)),
    pairs(rows.map(([label, value]) => [label, ...value])),
    ...(card.normal.length === 0
      ? []
      : isFolded
        ? [fold(say('card.normal', {}), odd)]
        : [paragraph(`${say('card.normal', {})}:`), odd]),
  ]
}

const TONES: { readonly [gradient in NonNullable<Term['gradient']>]: Tone } = {
  right: 'good',
  biased: 'warning',
  none: 'bad',
}

function klRows({ kl }: Card, speaker: Speaker) {
  const say = saying(speaker, words)
  const label = say('card.kl', {})
  if (kl === null) return [[label, [say('card.kl.unknown', {})]] as const]
  if (kl.length === 0) return [[label, [say('card.kl.none', {})]] as const]
  return kl.flatMap(({ gradient, reasons }, i) => {
    const verdict =
      gradient === null
        ? toned(say('card.gradient.unknown', {}), 'warning')
        : toned(say(`card.gradient.${gradient}`, {}), TONES[gradient])
    const [first = '', ...rest] = reasons
    return [
      [i === 0 ? label : '', [verdict, first === '' ? '' : `  ${first}`]] as const,
      ...rest.map(text => ['', [text]] as const),
    ]
  })
}

function labelled(label: string, texts: readonly string[]) {
  return texts.map((text, i) => [i === 0 ? label : '', [text]] as const)
}
