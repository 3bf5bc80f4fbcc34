import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { hitOn, once } from './hits.js'

/**
 * How far a training went, against what is said of all of it: a checkpoint of an early epoch shows nothing about the
 * epochs after it, a curve of the first steps is not complete, and what is done need not be asked for.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.checkpoint-vs-schedule': { en: '“{quote}”: the checkpoint taken is that of epoch {epoch}; what came after it cannot have made it better or worse (lines {lines}); speak of epoch {epoch} only', zh: '“{quote}”：采用的是第 {epoch} 轮的 checkpoint，其后的训练与它无关（第 {lines} 行）；只应就第 {epoch} 轮下结论' },
  'audit.complete-but-partial': { en: '“{quote}”: the evaluations shown end at step {last} of {total} (lines {lines}); show the rest, or say how far they go', zh: '“{quote}”：列出的评估只到第 {last} 步，而训练共 {total} 步（第 {lines} 行）；应补全，或说明范围' },
  'audit.progress-contradicted': { en: '“{quote}” asks for training to step {wanted}, but {total} steps are done (line {line}); update one of the two', zh: '“{quote}”要求训练到 {wanted} 步，而已完成 {total} 步（第 {line} 行）；应更新其中之一' },
})

export function* schedule(evidence: Evidence): Generator<Fault> {
  yield* afterCheckpoint(evidence)
  const done = evidence.document.statements.flatMap(({ kind, text, offsetOf }) => {
    const match = kind === 'heading' ? null : DONE.exec(text)
    return match === null ? [] : [{ total: Number(match[1]), offset: offsetOf(match.index) }]
  })[0]
  if (done === undefined) return
  yield* incomplete(evidence, done.total)
  yield* alreadyDone(evidence, done)
}

const TAKEN = /(?:最[优佳]|best|chosen|selected)\s?checkpoint|checkpoint.*(?:最[优佳]|best)/i
/** So many times the epoch of the checkpoint is what a conclusion about the schedule speaks of. */
const FAR = 5

/** "40 epochs work / converged / overfit" where the checkpoint in use is that of an early epoch. */
function* afterCheckpoint(evidence: Evidence): Generator<Fault> {
  const taken = entriesOf(evidence).filter(
    ({ key, steps, value }) => TAKEN.test(key) && steps.length === 1 && /epoch/i.test(value),
  )
  const epochs = new Set(taken.flatMap(({ steps }) => steps))
  if (epochs.size === 0 || epochs.size > 2) return
  const epoch = Math.max(...epochs)
  const hits = evidence.document.statements.filter(({ text, quantities, kind }) => {
    const total = quantities.find(({ unit }) => unit === 'epoch')
    if (kind === 'code' || kind === 'cell' || total === undefined || total.value < FAR * epoch) return false
    return has(text, 'works', 'converged', 'overfit') || /提升有限|更多训练/.test(text)
  })
  const message = (params: { quote: string; lines: string }) =>
    say('audit.checkpoint-vs-schedule', { ...params, epoch })
  yield* once(evidence, 'checkpoint-vs-schedule', hits.map(hitOn), message, { expected: `epoch ${epoch}` })
}

const DONE = /(?:已训练|已完成|训练已完成|trained for|completed)\s?(\d{1,6})\s?(?:步|steps?)/i
const COMPLETE =
  /完整(?:的)?(?:训练)?(?:曲线|评估|过程)|(?:full|complete|entire) (?:training )?(?:curve|evaluation|course|run)s?/i

/** "465 steps are done", and the complete curve ends at 45. */
function* incomplete(evidence: Evidence, total: number): Generator<Fault> {
  const steps = evidence.matrices.flatMap(({ rows }) => rows.flatMap(({ step }) => step ?? []))
  const last = Math.max(0, ...steps)
  if (steps.length < 4 || last === 0 || last >= 0.2 * total) return
  const hits = evidence.document.statements.filter(({ text, kind }) => kind !== 'code' && COMPLETE.test(text))
  const message = (params: { quote: string; lines: string }) =>
    say('audit.complete-but-partial', { ...params, last, total })
  yield* once(evidence, 'complete-but-partial', hits.map(hitOn), message, { expected: `${last} / ${total}` })
}

const ASKED =
  /(?:训练|train)[^\d,，。;；]{0,8}(?:到|至|for|to|until)\s?(?:step\s?)?(\d{1,6})(?:\s?[-–~]\s?(\d{1,6}))?\s?(?:步|steps?)/i

/** An advice to train on to 100. */
function* alreadyDone({ document }: Evidence, done: { readonly total: number; readonly offset: number }) {
  for (const { text, offsetOf } of document.statements) {
    const match = ASKED.exec(text)
    const wanted = Number(match?.[2] ?? match?.[1])
    if (match === null || wanted >= done.total) continue
    const params = { quote: match[0], wanted, total: done.total, line: document.placeOf(done.offset).line }
    const more = { expected: String(done.total), also: [done.offset] }
    yield fault('progress-contradicted', offsetOf(match.index), say('audit.progress-contradicted', params), more)
  }
}
