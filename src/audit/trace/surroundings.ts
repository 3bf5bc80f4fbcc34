import { type Statement, type Table, titlesAbove } from '../../logs/document/document.js'
import { lastAtMost } from '../../logs/document/places.js'
import type { Above } from './binding.js'
import { type MetricMention, meaningOf } from './metric-mentions.js'
import { atStep, type PartMention, partsIn } from './part-mentions.js'
import type { RunMention } from './run-mentions.js'
import { type LogNames, masked } from './sentence.js'

/** What stands around a sentence or a table: captions, titles, leads, and stretches that any sentence names. */

const CAPTION = /^[\s*_(（]*(?:table|tab\.|表|以上|上表|注|note)|[:：]\s*$|(?:below|following|下表|如下)/i

/** What is said of a table right before or behind it; a sentence with figures of its own speaks of something else. */
export function captionOf(
  { caption, section, rows, offset }: Table,
  statements: readonly Statement[],
  starts: readonly number[],
): string | null {
  const end = rows.at(-1)?.at(-1)?.offset ?? offset
  const behind = statements[lastAtMost(starts, end) + 1]
  const near = [caption, behind ?? null]
    .filter(one => one !== null)
    .filter(one => one.section === section && one.kind !== 'heading')
  const isBefore = (one: Statement): boolean => one === caption && one.quantities.length === 0
  return (
    near.find(
      one =>
        isBefore(one) ||
        CAPTION.test(one.text) ||
        (one === behind && one.quantities.length === 0 && one.text.length < 60),
    )?.text ?? null
  )
}

export function onlySeed({ runs }: LogNames, caption: string | null): number | null {
  const [one, other] = caption === null ? [] : runs.seedsIn(caption)
  return one === undefined || other !== undefined ? null : one.seed
}

export const MOST_HINTING = 60

/** The stretches and steps that some sentences speak of. */
export function hintsIn(all: readonly Statement[]): readonly PartMention[] {
  const hints = all.flatMap(({ text }) => [...partsIn(text).filter(({ steps }) => steps !== null), ...stepsIn(text)])
  const keyOf = ({ word, steps }: PartMention): string => `${word} ${steps}`
  // Stretches before single steps: there are fewer of them.
  return [...new Map(hints.map(one => [keyOf(one), one])).values()].sort(
    (a, b) => Number(a.word === 'at') - Number(b.word === 'at'),
  )
}

/** Stretches and steps that sentences speak of: what the values of a report are taken over. */
export function spokenIn(statements: readonly Statement[]): readonly PartMention[] {
  const all = statements
    .filter(({ kind }) => kind !== 'cell')
    .flatMap(({ text }) => partsIn(text).filter(({ word }) => word === 'tail' || word === 'over'))
  return all.slice(0, MOST_HINTING)
}

/** Leads, the label before it and the titles, the nearest first. */
export function aboveOf(
  { runs, metrics }: LogNames,
  { leads, section }: Pick<Statement, 'leads' | 'section'>,
  label: string | null,
): Above {
  const near = [...leads, ...(label === null ? [] : [label])].filter(text => text.length < LONGEST)
  const texts = [...near, ...titlesAbove(section)]
  const named = texts.map(text => {
    const exact = runs.namedIn(text).filter(({ refers }) => refers === null)
    return exact.length > 0 ? exact : runs.alikeIn(text.replace(/[.:：。*\s]+$/, ''))
  })
  // The `kl` of `kl-0.1` is no metric.
  const metricIn = (text: string): readonly MetricMention[] =>
    [meaningOf(metrics.namedIn(masked(text, runs.namedIn(text))))].filter(one => one !== null)
  const nearest = <Item>(lists: readonly (readonly Item[])[]): readonly Item[] =>
    lists.find(({ length }) => length > 0) ?? []
  return {
    // Two runs in a title are no address.
    runs: nearest(named).length === 1 ? (nearest(named) as readonly RunMention[]) : [],
    metrics: texts.flatMap(metricIn),
    labels: near.flatMap(metricIn).slice(0, 1),
    // The title of the whole report says what it is about, not which part of a curve.
    parts: nearest(
      [...near, ...titlesAbove(section?.level === 1 ? null : section).slice(0, 1)].map(text => [
        ...partsIn(text),
        ...stepsIn(text),
      ]),
    ),
  }
}

const stepsIn = (text: string) =>
  Array.from(
    text.matchAll(/(?:at |@ ?)?(?:step|epoch)\s?(\d{1,7})(?!\s?[-–~])|第\s?(\d{1,7})\s?[步轮]/gi),
    ({ index: from, 0: found, 1: en, 2: zh }) => {
      const step = Number(en ?? zh)
      return atStep({ from, to: from + found.length, first: step, last: step })
    },
  )

const LONGEST = 300
