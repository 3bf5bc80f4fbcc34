import type { SamplesAnswer, SampleText } from '../../app/ask/samples.js'
import { figure } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { type Block, headline, type Inline, pairs, paragraph, section, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'
import { textsBlock } from './texts.js'
import { verdictBlock } from './verdict.js'

/** Single answers: the counts, the test, why answers fail; on request the answers themselves. */

interface ShownTexts {
  readonly flips?: boolean
  readonly failures?: boolean
}

export function samplesBlocks(answer: SamplesAnswer, speaker: Speaker, shown: ShownTexts = {}): readonly Block[] {
  const say = saying(speaker, words)
  const isHint = !shown.flips && !shown.failures && answer.sides.some(({ hasTexts }) => hasTexts)
  const hint = answer.sides.length === 2 ? 'samples.show-flips' : 'samples.show-failures'
  return [
    ...headBlocks(answer, speaker),
    ...pairedBlocks(answer, speaker),
    failureBlock(answer, speaker),
    ...partBlocks(answer, speaker),
    ...agreementBlocks(answer, speaker),
    ...answer.warnings.map(warning => paragraph(warning)),
    ...flipBlocks(answer, speaker, shown),
    ...(shown.failures ? failureTexts(answer, speaker) : []),
    ...(isHint ? [paragraph(toned(say(hint, {}), 'quiet'))] : []),
  ]
}

/** What is said of the sides before single prompts are shown. */
export function samplesSummary(answer: SamplesAnswer, speaker: Speaker): readonly Block[] {
  return [
    ...headBlocks(answer, speaker),
    ...pairedBlocks(answer, speaker),
    ...partBlocks(answer, speaker),
    ...agreementBlocks(answer, speaker),
    ...answer.warnings.map(warning => paragraph(warning)),
  ]
}

function headBlocks({ sides, n, paired, alternatives }: SamplesAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const counted =
    paired === null
      ? say('samples.head-one', { n, mean: shortNumber(Number(sides[0].mean)) })
      : say('samples.head', { n })
  const isSeveral = sides.some(({ answers, prompts }) => answers > prompts)
  const answers = isSeveral ? [sides.map(side => say('samples.answers', { n: side.answers })).join(' / ')] : []
  const metrics = [...new Set(sides.map(({ metric }) => metric))].join(' / ')
  return [
    headline(metrics, sideNames(sides).join(' → '), counted, ...answers),
    ...alternativeBlocks(alternatives, speaker),
  ]
}

export function alternativeBlocks(alternatives: readonly string[], { say }: Speaker): readonly Block[] {
  if (alternatives.length === 0) return []
  return [paragraph(toned(say(words('samples.also', { metrics: alternatives.slice(0, 8).join(', ') })), 'quiet'))]
}

function sideNames(sides: SamplesAnswer['sides']): readonly string[] {
  return sides.map(({ label, step }) => (label.endsWith(`@${step}`) ? label : `${label}@${step}`))
}

function pairedBlocks({ test, sides, paired }: SamplesAnswer, speaker: Speaker): readonly Block[] {
  if (paired === null) return []
  const say = saying(speaker, words)
  const rows =
    paired.kind === 'binary'
      ? [
          [say('samples.to-right', {}), paired.toRight],
          [say('samples.to-wrong', {}), paired.toWrong],
          [say('samples.both-right', {}), paired.bothRight],
          [say('samples.both-wrong', {}), paired.bothWrong],
        ]
      : [
          [say('samples.up', {}), paired.up],
          [say('samples.down', {}), paired.down],
          [say('samples.equal', {}), paired.equal],
        ]
  const [low, quarter, median, threeQuarters, high] = paired.kind === 'graded' ? paired.quantiles.map(shortNumber) : []
  const [baseline, other] = sideNames(sides)
  return [
    table(
      [],
      rows.map(row => row.map(String)),
    ),
    ...(paired.kind === 'graded'
      ? [paragraph(say('samples.quantiles', { low, quarter, median, threeQuarters, high }))]
      : []),
    ...(test === null ? [] : [verdictBlock({ ...test, baseline, other }, speaker)]),
  ]
}

function failureBlock({ failures, sides }: SamplesAnswer, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const rows = failures.map(({ class: failure, counts, how }): readonly Inline[] => [
    say(`samples.class.${failure}`, {}),
    ...counts.map(String),
    toned(speaker.clauses(how.map(({ reason }) => reason)), 'quiet'),
  ])
  return section(
    say('samples.failures', {}),
    failures.length === 0 ? paragraph(say('samples.no-failures', {})) : table(['', ...sideNames(sides), ''], rows),
  )
}

const MOST_PARTS = 8

/** Which parts of the reward moved with the flips, and how often. */
function partBlocks({ flips }: SamplesAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const names = [...new Set(flips.flatMap(({ parts }) => Object.keys(parts)))]
  if (names.length === 0) return []
  const [lost, gained] = [flips.filter(flip => !flip.gained), flips.filter(flip => flip.gained)]
  const moved = (among: typeof flips, name: string, direction: 1 | -1): number =>
    among.filter(({ parts }) => Object.hasOwn(parts, name) && direction * (parts[name][1] - parts[name][0]) > 0).length
  const lines = names.slice(0, MOST_PARTS).map(part => {
    const counts = { down: moved(lost, part, -1), lost: lost.length, up: moved(gained, part, 1), gained: gained.length }
    return paragraph(say('samples.part-row', { part, ...counts }))
  })
  return [section(say('samples.parts', {}), ...lines)]
}

function agreementBlocks({ agreement }: SamplesAnswer, speaker: Speaker): readonly Block[] {
  if (agreement === null) return []
  const say = saying(speaker, words)
  const { basis, n, identical, asSets } = agreement
  const percent = figure((100 * identical) / n)
  const sets = asSets === null ? '' : say('samples.agreement.sets', { asSets })
  return [
    paragraph(`${say(`samples.agreement.${basis}`, { identical, n, percent })}${sets}`),
    ...(identical === n && n > 1 ? [paragraph(toned(say('samples.agreement.all', {}), 'warning'))] : []),
  ]
}

function flipBlocks({ flips, sides, texts, limit }: SamplesAnswer, speaker: Speaker, shown: ShownTexts) {
  if (flips.length === 0) return []
  const say = saying(speaker, words)
  const lines = flips.slice(0, limit).flatMap(({ id, scores, parts, class: failure }) => {
    const because = failure === null || failure === 'unknown' ? '' : `  ${say(`samples.class.${failure}`, {})}`
    const moved = Object.entries(parts).map(([name, values]) => `${name} ${values.map(shortNumber).join(' → ')}`)
    const head = [`${id}  ${scores.map(shortNumber).join(' → ')}${because}`, toned(`  ${moved.join(', ')}`, 'quiet')]
    const rows = texts.map(side => textOf(side, id))
    const prompt = rows.find(row => row !== null)
    if (!shown.flips || prompt == null) return [paragraph(...head)]
    const answers = rows.map(row => row?.output ?? row?.choice ?? null)
    return [paragraph(...head), ...promptBlocks(prompt, speaker), textsBlock(sideNames(sides), answers, speaker)]
  })
  const more = flips.length - limit
  return [
    section(
      say('samples.flips', {}),
      ...lines,
      ...(more > 0 ? [paragraph(toned(say('samples.more', { count: more }), 'quiet'))] : []),
    ),
  ]
}

function textOf(side: SamplesAnswer['texts'][number], id: string): SampleText | null {
  return Object.hasOwn(side, id) ? side[id] : null
}

const PROMPT_SHOWN = 300

/** The end of a prompt: the question stands behind the instructions, which are the same everywhere. */
function promptBlocks({ input, expected }: SampleText, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  return [
    pairs([
      ...(input === null ? [] : [[say('samples.input', {}), endOf(input)] as const]),
      ...(expected === null ? [] : [[say('samples.expected', {}), oneLine(expected)] as const]),
    ]),
  ]
}

export function endOf(prompt: string): string {
  return oneLine(prompt.length > PROMPT_SHOWN ? `…${prompt.slice(-PROMPT_SHOWN)}` : prompt)
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ⏎ ')
}

function failureTexts({ failures, sides, texts, limit }: SamplesAnswer, speaker: Speaker): readonly Block[] {
  return failures.flatMap(({ class: failure, examples }) =>
    examples.flatMap((ids, at) => {
      if (ids.length === 0) return []
      const title = `${speaker.say(words(`samples.class.${failure}`, {}))}  ${sideNames(sides)[at]}`
      const answers = ids.slice(0, limit).flatMap(id => {
        const row = textOf(texts[at], id)
        const prompt = row === null ? [] : promptBlocks(row, speaker)
        return [paragraph(id), ...prompt, textsBlock([''], [row?.output ?? null], speaker)]
      })
      return [section(title, ...answers)]
    }),
  )
}
