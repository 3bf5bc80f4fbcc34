import { type Statement, titlesAbove } from '../../document/document.js'
import { readTokens } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { stanceOf } from '../stance.js'
import { hitOn, once } from './hits.js'

/**
 * Differences that so many samples cannot show. Two standard errors of a difference of two shares near one half are what
 * chance does in one comparison of twenty. The number of questions is the one that the sentence, its section or the whole
 * report names: "800 samples".
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sampling-error': { en: '“{quote}”: with {n} samples only a difference of {expected} points is more than chance (lines {lines}); write “not distinguishable”, or evaluate on more', zh: '“{quote}”：{n} 个样本时，两个分数相差 {expected} 个百分点才不是偶然（第 {lines} 行）；应写“分不出高下”，或增加样本' },
})

/** Two standard errors of the difference of two shares near one half, in points. */
const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

const CLAIMED =
  /有效|成功|最优|最佳|最好|更优|更好|优于|优势|提升|改善|下降|不如|变差|退化|推荐|明显|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|effective|worse|drop(?:s|ped)?|degrad(?:es|ed|ation)|wins?|beats?|movement)(?![a-z])/i

/** Gains in points, where the number of questions is known. */
export function* resolution(evidence: Evidence): Generator<Fault> {
  const common = commonSize(evidence)
  const weak = evidence.document.statements.filter(isClaim).flatMap(statement => {
    const [n, gap] = [sizeNear(statement) ?? common ?? Number.POSITIVE_INFINITY, gapIn(statement)]
    return gap < chanceOf(n) ? [{ n, statement }] : []
  })
  const n = weak[0]?.n ?? 1
  const hits = weak.map(({ statement }) => hitOn(statement))
  const expected = `≥ ${chanceOf(n).toFixed(1)}`
  yield* once(evidence, 'sampling-error', hits, said => say('audit.sampling-error', { ...said, n, expected }))
}

function isClaim(statement: Statement): boolean {
  const { text } = statement
  return CLAIMED.test(text) && !BARE.test(text) && stanceOf(statement, 0, text.length) !== 'planned'
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The difference that a sentence rests on, signed and in percent; other scores are compared in percent of themselves. */
function gapIn({ quantities }: Statement): number {
  const gaps = quantities.filter(one => one.unit === '%' && one.signed && one.ends === null)
  const isOfScores = quantities.some(one => one.unit === null && !one.signed && one.decimals > 1)
  if (gaps.length === 0 || isOfScores) return Number.POSITIVE_INFINITY
  return Math.max(...gaps.map(({ value }) => Math.abs(value)))
}

const FEWEST = 20

/** How many questions the scores of a place rest on. */
function sizeNear({ text, leads, section }: Statement): number | null {
  const around = [text, ...leads, ...titlesAbove(section).slice(0, 2)]
  return around.map(sampleSize).find(size => size !== null) ?? null
}

/** The one size that a text names; the rollouts or the training data of a run are none. */
const sampleSize = (text: string): number | null => sizeAmong({ text, ...readTokens(text) })

function sizeAmong({ text, quantities }: Pick<Statement, 'text' | 'quantities'>): number | null {
  const sizes = quantities.filter(({ unit, ends }) => unit === 'sample' && ends === null).map(({ value }) => value)
  const [only = 0, more] = new Set(sizes)
  return only < FEWEST || more !== undefined || /rollout|train|训练|generations?/i.test(text) ? null : only
}

/** The only size that the report names. */
function commonSize({ document }: Evidence): number | null {
  const [size = null, other] = new Set(document.statements.flatMap(one => sizeAmong(one) ?? []))
  return other === undefined ? size : null
}
