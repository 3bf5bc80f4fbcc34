import type { Trap, Version } from '../frameworks/framework.js'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Message } from '../run.js'
import type { Framework } from './framework.js'
import { frameworksThatSay } from './metric-index.js'
import { looseName, trackerName, withoutTrainingPrefix } from './names.js'
import { note, plainNote } from './notes.js'

/** Where the numbers of a framework mislead: what the tables of the frameworks say of a name in a run. */

/** Said with the number of steps where the config tells. */
const WINDOW_MEANS = 'trap.trl-window-means'

const TRAPS: ReadonlyMap<Framework, readonly Trap[]> = new Map(FRAMEWORK_DATA.map(({ id, traps = [] }) => [id, traps]))

/**
 * `versions` as a run's log tells them: `{ verl: '0.4.0' }`; `loggedEvery`: how many steps a row of the log stands for,
 * where the config tells.
 */
export function trapsFor(
  rawName: string,
  framework: Framework | null,
  versions: { readonly [tool: string]: string },
  loggedEvery: number | null = null,
): readonly Message[] {
  // klens's own trainer logs under verl's names what they say.
  if ('klens' in versions) return []
  const name = trackerName(rawName)
  const speakers = framework === null ? frameworksThatSay(name) : [framework]
  const [speaker, another] = speakers
  if (speaker === undefined || another !== undefined) return []
  const told = versions[speaker]
  const said = new Map<string, Message>()
  for (const trap of trapsOf(speaker, name)) {
    const message = trap.key === WINDOW_MEANS ? windowMeans(loggedEvery) : messageOf(trap, told)
    if (message !== null) said.set(message.key, message)
  }
  return [...said.values()]
}

/** Of one step the mean is its value. TRL takes a share of all steps too, which says no number. */
function windowMeans(steps: number | null): Message | null {
  if (steps === 1) return null
  if (steps === null || steps < 1) return note(WINDOW_MEANS, {})
  return note(`${WINDOW_MEANS}-of`, { steps })
}

const LOOSE_NAMES = new Map([...TRAPS.values()].flat().map(trap => [trap, new Set(trap.names.map(looseName))]))

function trapsOf(framework: Framework, name: string): readonly Trap[] {
  const spellings = [looseName(name), looseName(withoutTrainingPrefix(name))]
  return (TRAPS.get(framework) ?? []).filter(trap => spellings.some(spelling => LOOSE_NAMES.get(trap)?.has(spelling)))
}

function messageOf(trap: Trap, told: string | undefined): Message | null {
  // Only a trap of certain releases names the version: logging-trap is silent about the others unless a finding needs them.
  if (trap.from === undefined && trap.before === undefined) return { ...noted(trap.key, told), params: {} }
  const release = releaseOf(told, [trap.from, trap.before])
  if (release === null) return trap.unknown === undefined ? null : plainNote(trap.unknown)
  const inside = !isBefore(release, trap.from) && (trap.before === undefined || isBefore(release, trap.before))
  return inside ? noted(trap.key, told) : null
}

/** A note without blanks ignores the version. */
function noted(key: Trap['key'], version = ''): Message {
  return note(key, { version })
}

/**
 * The release, or null where it does not decide: unknown, or a development version of a release at which the
 * behaviour changed, since such a version may come from before the change or after it.
 */
function releaseOf(told: string | undefined, changes: readonly (Version | undefined)[]): Version | null {
  const found = /^\D*(\d+)\.(\d+)(.*)$/s.exec(told ?? '')
  if (found === null) return null
  const release: Version = [Number(found[1]), Number(found[2])]
  const developing = /dev|alpha|beta|[0-9](?:a|b|rc)[0-9]/.test(found[3] ?? '')
  const atChange = changes.some(change => change?.[0] === release[0] && change[1] === release[1])
  return developing && atChange ? null : release
}

/** Whether a version comes before a release; null where it does not decide. */
export function isReleasedBefore(told: string | null, limit: Version): boolean | null {
  const release = releaseOf(told ?? undefined, [limit])
  return release === null ? null : isBefore(release, limit)
}

function isBefore(release: Version, limit: Version | undefined): boolean {
  if (limit === undefined) return false
  return release[0] < limit[0] || (release[0] === limit[0] && release[1] < limit[1])
}
