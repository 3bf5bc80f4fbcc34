import type { Condition, Evaluation, SampleScores, SampleTexts } from '../../src/logs/model/evaluation.js'
import type { Row, RunEvent } from '../../src/logs/model/events.js'
import { type Message, QUALITIES, type RunAbout } from '../../src/logs/model/run.js'
import type { Belonging } from '../../src/logs/sources/source.js'

/** What every source promises about its events, whatever the file was. A broken promise throws. */

export class Broken extends Error {}

export function demand(holds: boolean, promise: string, shown?: unknown): asserts holds {
  if (!holds) throw new Broken(shown === undefined ? promise : `${promise}: ${show(shown)}`)
}

export function checkBelongings(belongings: readonly Belonging[], bytes: number): void {
  demand(belongings.length <= bytes + 1, 'a file holds no more runs than bytes', belongings.length)
  for (const belonging of belongings) {
    const { run, name, folder, order, trackerId, firstRecord } = belonging
    const texts = [run, name, folder, firstRecord, trackerId ?? '']
    demand(
      texts.every(text => typeof text === 'string'),
      'a belonging is told in texts',
      belonging,
    )
    demand(Number.isFinite(order), 'files of a run have a finite order', order)
  }
}

/** Each event, and that a few bytes do not become millions of events. */
export function checkEvents(events: readonly RunEvent[], bytes: number): void {
  let weight = 0
  for (const event of events) {
    weight += event.type === 'row' ? event.values.length : 1
    if (event.type === 'samples') weight += event.samples.ids.length
    checkEvent(event, bytes)
  }
  demand(weight <= 4 * bytes + 100, 'what a file says is not more than it holds', { weight, bytes })
}

function checkEvent(event: RunEvent, bytes: number): void {
  switch (event.type) {
    case 'row':
      checkRow(event)
      break
    case 'warning':
      demand(JSON.stringify(event).length < 3_000, 'a warning does not quote the whole file', event.message.key)
      checkMessage(event.message)
      break
    case 'tail':
      demand(isCount(event.unreadBytes) && event.unreadBytes <= bytes, 'a tail is part of the file', event)
      break
    case 'cursor':
      demand(isPlainJson(event.cursor), 'a cursor survives JSON', event)
      break
    case 'config':
      demand(isPlainJson(event.config), 'a config survives JSON', event)
      demand(JSON.stringify(event).length <= 100 * bytes + 10_000, 'a config is not a bomb')
      break
    case 'about':
      checkAbout(event.about)
      break
    case 'evaluation':
      checkEvaluation(event.evaluation)
      break
    case 'samples':
      checkSamples(event.samples)
      break
    case 'texts':
      checkTexts(event.texts)
      break
    case 'status':
    case 'restart':
      break
  }
}

function checkEvaluation(evaluation: Evaluation): void {
  const { metric, step, condition, value, n, quality } = evaluation
  demand(typeof metric === 'string' && typeof value === 'number' && isStep(step), 'an evaluation is one', evaluation)
  demand(n === null || isCount(n), 'a number of prompts is a count', evaluation)
  demand(QUALITIES.includes(quality), 'a quality is known', evaluation)
  checkCondition(condition)
}

function checkSamples(samples: SampleScores): void {
  const { metric, step, condition, ids, scores, repeats } = samples
  demand(typeof metric === 'string' && isStep(step), 'samples have a metric and a step', samples)
  demand(
    ids.every(id => typeof id === 'string'),
    'sample ids are texts',
  )
  demand(
    scores.every(score => typeof score === 'number'),
    'scores are numbers',
  )
  demand(repeats?.every(isSmallCount) ?? true, 'repeats are counts', repeats)
  for (const column of [scores, repeats]) {
    demand(column === undefined || column.length === ids.length, 'columns of samples are of equal length', samples)
  }
  checkCondition(condition)
}

function checkTexts(texts: SampleTexts): void {
  const { step, condition, ids, repeats, inputs, outputs, expected, choices } = texts
  demand(isStep(step) && repeats.every(isSmallCount), 'texts have a step and counts of repeats', texts)
  for (const column of [repeats, inputs, outputs, expected, choices]) {
    demand(column.length === ids.length, 'columns of texts are of equal length', texts)
    demand(
      column.every(text => typeof text !== 'string' || text.isWellFormed()),
      'texts are well-formed',
    )
  }
  checkCondition(condition)
}

function checkRow(row: Row): void {
  const { step, time, metrics, values, qualities, decimals } = row
  demand(isStep(step), 'a step is finite and within 2^53', step)
  demand(time === null || Number.isFinite(time), 'a time is finite or null', time)
  for (const column of [values, qualities, decimals]) {
    demand(column === undefined || column.length === metrics.length, 'columns of a row are of equal length', row)
  }
  for (let i = 0; i < metrics.length; i += 1) {
    demand(typeof metrics[i] === 'string' && typeof values[i] === 'number', 'a point is a name and a number', row)
    if (qualities === undefined) continue
    demand(QUALITIES.includes(qualities[i]), 'a quality is known', row)
    demand(qualities[i] !== 'missing' || Number.isNaN(values[i]), 'a missing point has no value', row)
  }
  for (const printed of decimals ?? []) {
    demand(printed === null || isCount(printed), 'decimals are counted', printed)
  }
}

function checkAbout(about: RunAbout): void {
  demand(isPlainJson(about), 'what a tracker says survives JSON', about)
  for (const time of [about.startedAt, about.endedAt]) {
    demand(time === undefined || Number.isFinite(time), 'times are finite', about)
  }
  const { name, trackerId, project, group, notes, host, program, commit, remote, tags = [], args = [] } = about
  const texts = [name, trackerId, project, group, notes, host, program, commit, remote, ...tags, ...args]
  demand(
    texts.every(text => text === undefined || typeof text === 'string'),
    'texts are texts',
    about,
  )
}

/** The store keeps shots in 32 bits. */
export function checkCondition({ dataset, shots, temperature, split, aggregate }: Condition): void {
  const texts = [dataset, split, aggregate]
  demand(
    texts.every(text => text === undefined || typeof text === 'string'),
    'conditions are texts',
    texts,
  )
  demand(shots === undefined || isSmallCount(shots), 'shots are a count', shots)
  demand(temperature === undefined || Number.isFinite(temperature), 'a temperature is finite', temperature)
}

/** The sentence exists in both languages, and every blank in it can be filled. */
export function checkMessage({ key, text, params }: Message): void {
  for (const words of [text.en, text.zh]) {
    for (const [, blank] of words.matchAll(/\{([^{}|]+)/g)) {
      demand(Object.hasOwn(params, blank), `the sentence ${key} has a word for {${blank}}`, params)
    }
  }
}

function isStep(step: unknown): boolean {
  return typeof step === 'number' && Math.abs(step) <= 2 ** 53
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isSmallCount(value: unknown): boolean {
  return isCount(value) && Number(value) < 2 ** 31
}

/** Nothing that JSON would drop or turn into null. */
export function isPlainJson(value: unknown): boolean {
  let plain = true
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'number' ? !Number.isFinite(member) : member === undefined) plain = false
    return member
  })
  return plain && text !== undefined
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 400)
}
