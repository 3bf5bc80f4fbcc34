import type { IntentionDetail, IntentionTask } from '../task.js'
import { ASPECTS } from './aspects.js'
import { KIND_NAMES, kindsIn } from './kinds.js'
import { cosine, type Direction, directionOf, likeness, positionOf, weightOf } from './vectors.js'
import { stemOf } from './words.js'

/**
 * Which detail an English question asks for, by meaning: words that are used alike (word vectors), words in common, and what
 * kind of thing a question wants to know (aspects: money, time, place …). How these are weighed was fitted to questions
 * written for the purpose and to model questions of UserRL's training file (docs/gym.md).
 */

/** Positions with how sure it is, of one clause; the rest to 1 is that it asks for nothing here. */
export function likelihoods(task: IntentionTask, clause: string): readonly number[] {
  const { features, beside } = featuresOf(task, clause)
  const scores = features.map(each => inner(each, WEIGHTS))
  const none = inner(beside, NONE)
  const most = Math.max(none, ...scores)
  const powers = scores.map(score => Math.exp(score - most))
  const sum = powers.reduce((total, power) => total + power, Math.exp(none - most))
  return powers.map(power => power / sum)
}

/** Of `featuresOf`, in its order. */
const WEIGHTS = [1.17, 2.16, 2.15, 0.61, 0.93, 1.58, 2.3, -0.8, 1.38]
const NONE = [3, -0.43, 0.41, -0.84, -0.14, 0.66]

function inner(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * other[i], 0)
}

interface Known {
  /** Words that say what the task is about tell little about what is asked. */
  readonly topic: ReadonlySet<string>
  readonly placed: KnownDetail['placed']
  readonly details: readonly KnownDetail[]
}

interface KnownDetail {
  /** Its words, with how much each counts, at most 1. */
  readonly words: ReadonlyMap<string, number>
  readonly placed: readonly (readonly [position: number, word: string, worth: number])[]
  readonly options: readonly (readonly [position: number, word: string, worth: number])[]
  readonly direction: Direction
  /** Per aspect: 1 named in the description, 0.5 in the model question. */
  readonly aspects: readonly number[]
  /** Of words that were asked before, the nearest of the words and of the options. */
  readonly nearest: Map<string, readonly [word: number, option: number]>
}

const known = new WeakMap<IntentionTask, Known>()

function knownOf(task: IntentionTask): Known {
  const before = known.get(task)
  if (before !== undefined) return before
  const topic = new Set(contentOf(`${task.task} ${task.category}`))
  const placed = [...topic].map(word => [positionOf(word), word, 1] as const)
  const made = { topic, placed, details: task.missing_details.map(detail => knownDetail(detail, topic)) }
  known.set(task, made)
  return made
}

const IN_DESCRIPTION = 1
const IN_INQUIRY = 0.85
const IN_OPTIONS = 0.9
const OF_TOPIC = 0.4
const ASKED_OF_TOPIC = 0.35

function knownDetail({ description, inquiry, options }: IntentionDetail, topic: ReadonlySet<string>): KnownDetail {
  const words = new Map<string, number>()
  const add = (text: string, worth: number): void => {
    for (const word of contentOf(text)) {
      if ((words.get(word) ?? 0) < worth) words.set(word, worth * (topic.has(word) ? OF_TOPIC : 1))
    }
  }
  add(description, IN_DESCRIPTION)
  add(inquiry, IN_INQUIRY)
  for (const option of options) add(option, IN_OPTIONS)
  const placed = [...words].map(([word, worth]) => [positionOf(word), word, worth] as const)
  const named = new Set(options.flatMap(option => contentOf(option)).filter(word => !topic.has(word)))
  const [told, asked] = [description.toLowerCase(), inquiry.toLowerCase()]
  return {
    words,
    placed,
    options: [...named].map(word => [positionOf(word), word, 1] as const),
    direction: directionOf(placed.map(([position, , worth]) => [position, worth * weightOf(position)])),
    aspects: [
      ...ASPECTS.map(({ described }) => (described.test(told) ? 1 : described.test(asked) ? 0.5 : 0)),
      ...kindWorths(told, asked),
    ],
    nearest: new Map(),
  }
}

/** klens's own kinds of detail are aspects as well. */
function kindWorths(told: string, asked: string): readonly number[] {
  const [inTold, inAsked] = [new Set(kindsIn(told, 'en')), new Set(kindsIn(asked, 'en'))]
  return KIND_NAMES.map(kind => (inTold.has(kind) ? 1 : inAsked.has(kind) ? 0.5 : 0))
}

function aspectsAskedIn(text: string): readonly number[] {
  const kinds = kindsIn(text, 'en').map(kind => ASPECTS.length + KIND_NAMES.indexOf(kind))
  return [...ASPECTS.flatMap(({ asked }, aspect) => (asked.test(text) ? [aspect] : [])), ...kinds]
}

const MOST_NEAREST = 512

function nearestIn(detail: KnownDetail, word: string, position: number): readonly [number, number] {
  const before = detail.nearest.get(word)
  if (before !== undefined) return before
  const found = [nearness(word, position, detail.placed), nearness(word, position, detail.options)] as const
  if (detail.nearest.size >= MOST_NEAREST) detail.nearest.clear()
  detail.nearest.set(word, found)
  return found
}

function nearness(word: string, position: number, candidates: KnownDetail['placed']): number {
  let most = 0
  for (const [other, name, worth] of candidates) {
    most = Math.max(most, worth * (name === word ? 1 : likeness(position, other)))
  }
  return Math.max(0, (most - BY_CHANCE) / (1 - BY_CHANCE))
}

/** Any two words are about so alike. */
const BY_CHANCE = 0.3

function featuresOf(
  task: IntentionTask,
  clause: string,
): { readonly features: readonly (readonly number[])[]; readonly beside: readonly number[] } {
  const { topic, placed, details } = knownOf(task)
  const text = clause.toLowerCase()
  const words = contentOf(text).map(word => {
    const position = positionOf(word)
    const ofTopic = topic.has(word) ? ASKED_OF_TOPIC : 1
    return { word, position, weight: weightOf(position) * ofTopic, ofTopic }
  })
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1
  const direction = directionOf(words.map(({ position, ofTopic }) => [position, ofTopic * weightOf(position)] as const))
  const wanted = aspectsAskedIn(text)
  const cosines = details.map(detail => cosine(direction, detail.direction))
  const meanCosine = cosines.reduce((sum, each) => sum + each, 0) / details.length
  const features = details.map((detail, i) => {
    let near = 0
    let nearest = 0
    let nearOptions = 0
    let shared = 0
    for (const { word, position, weight } of words) {
      const [toWord, toOption] = nearestIn(detail, word, position)
      near += weight * toWord
      nearest = Math.max(nearest, weight * toWord)
      nearOptions += weight * toOption
      shared += weight * (detail.words.get(word) ?? 0)
    }
    let best = 0
    let alone = 0
    for (const aspect of wanted) {
      const own = detail.aspects[aspect]
      if (own === 0) continue
      best = Math.max(best, own)
      alone += own / details.filter(other => other.aspects[aspect] >= own).length / Math.sqrt(wanted.length)
    }
    return [
      near / total,
      nearest,
      cosines[i],
      Math.min(1.5, shared),
      nearOptions / total,
      best,
      Math.min(1.5, alone),
      wanted.length > 0 && best === 0 ? 1 : 0,
      cosines[i] - meanCosine,
    ]
  })
  // What neither the task nor any detail has to do with.
  let strange = 0
  for (const { word, position, weight } of words) {
    const toDetails = Math.max(...details.map(detail => nearestIn(detail, word, position)[0]))
    strange += weight * (1 - Math.max(toDetails, nearness(word, position, placed)))
  }
  const beside = [
    1,
    Math.min(4, words.length) / 4,
    wanted.length > 0 ? 1 : 0,
    /\bor\b/.test(text) ? 1 : 0,
    strange / total,
    strange,
  ]
  return { features, beside }
}

/** Words that hold a sentence together, and those that any question about a wish has. */
const EMPTY = new Set(
  `what which how who whom whose when where why is are am was were do does did can could would will should shall may might must
have has had tell let want wants know the a an it its this that these those there they them their he she his her you your yours we
our us i me my of in on at by to for from with about and or if any some be been being get got go going much many long as so not no
yes more else please also too like than then but into out up down over under only just rather such etc eg ie example instance
something anything anyone someone everyone everything one ones prefer preferred preference preferences specific particular
particularly certain looking interested interest kind kinds type types sort need needs needed provide specify share mind help give
details detail describe consider considering aware using used use make sure here thing things re ve ll m s t d don each other
another both either whether all ever very really already able choose think thinking best good better most`.split(/\s+/),
)

export function contentOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9$]+/g) ?? []
  return [...new Set(words.filter(word => !EMPTY.has(word)).map(stemOf))]
}
