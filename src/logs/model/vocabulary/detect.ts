import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { memoByText } from '../util/memo.js'
import { type Framework, runsAs } from './framework.js'
import { METRICS } from './metrics.js'
import { looseName, trackerName, withoutTrainingPrefix } from './names.js'

/**
 * Whose run is this? Each framework has names that no other uses (its `tells`); the one with most of them present is it.
 * What a framework builds on or resembles appears in its runs too, and counts only where its own tells are absent.
 */

/** Canonical names of more than one word are klens's own. */
const KLENS = new Set(METRICS.map(row => row.canonical).filter(name => name.includes('.')))

/** A run has thousands of metrics at most; beyond that, more of them tell nothing new. */
const ENOUGH_NAMES = 20_000

export function detectFramework(metricNames: Iterable<string>, configKeys: Iterable<string>): Framework | null {
  const votes = new Map<Framework, number>()
  const count = (speakers: readonly Framework[]) => {
    for (const framework of speakers) votes.set(framework, (votes.get(framework) ?? 0) + 1)
  }
  for (const name of atMost(ENOUGH_NAMES, metricNames)) count(speakersOfMetric(name))
  for (const key of atMost(ENOUGH_NAMES, configKeys)) count(speakersOfKey(key))
  return winner(votes)
}

/** Runs share most of their names, so each is judged once. */
const speakersOfMetric = memoByText(metricSpeakers)
const speakersOfKey = memoByText(keySpeakers)

function metricSpeakers(rawName: string): readonly Framework[] {
  const name = trackerName(rawName)
  const bare = withoutTrainingPrefix(name)
  const loose = looseName(bare)
  const speakers = FRAMEWORK_DATA.filter(({ tells: { metrics, metricPrefixes = [] } }) => {
    const whole = metrics.includes(name) || metrics.includes(loose)
    return whole || metricPrefixes.some(prefix => name.startsWith(prefix) || bare.startsWith(prefix))
  }).map(runsAs)
  return KLENS.has(rawName) ? [...speakers, 'klens'] : speakers
}

function keySpeakers(rawKey: string): readonly Framework[] {
  const key = looseName(rawKey.replace(/^[-+~]+/, ''))
  const last = key.slice(key.lastIndexOf('.') + 1)
  return FRAMEWORK_DATA.filter(({ tells: { keys, keyPrefixes = [] } }) => {
    return keys.includes(last) || keyPrefixes.some(prefix => key.includes(prefix))
  }).map(runsAs)
}

/** Whose names the runs of a framework hold besides its own. */
const COVERED: ReadonlyMap<string, readonly string[]> = new Map(
  FRAMEWORK_DATA.map(({ id, base, resembles = [] }) => [id, base === undefined ? resembles : [base, ...resembles]]),
)

function winner(votes: ReadonlyMap<Framework, number>): Framework | null {
  const told = FRAMEWORK_DATA.filter(({ id, tells }) => (votes.get(id) ?? 0) >= (tells.atLeast ?? 1))
  const covered = new Set(told.flatMap(({ id }) => COVERED.get(id) ?? []))
  const own = told.filter(({ id, tells }) => !covered.has(id) && tells.isLast !== true)
  let best: Framework | null = null
  for (const { id } of own.length > 0 ? own : told) {
    if ((votes.get(id) ?? 0) > (best === null ? 0 : (votes.get(best) ?? 0))) best = id
  }
  return best
}

function* atMost(count: number, items: Iterable<string>): Generator<string> {
  let left = count
  for (const item of items) {
    if (left === 0) return
    left -= 1
    yield item
  }
}
