import type { Template } from '../../../text/language.js'
import type { Trap, Version } from '../frameworks/framework.js'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Message } from '../run.js'
import { memoByObject } from '../util/memo.js'
import type { Framework } from './framework.js'
import { frameworksThatSay } from './metric-index.js'
import { looseName, trackerName, withoutTrainingPrefix } from './names.js'

/** Where the numbers of a framework mislead: what the tables of the frameworks say of a name in a run. */

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
    const message = messageOf(trap, told, loggedEvery)
    if (message !== null) said.set(message.key, message)
  }
  return [...said.values()]
}

const looseNamesOf = memoByObject((trap: Trap): ReadonlySet<string> => new Set(trap.names.map(looseName)))

function trapsOf(framework: Framework, name: string): readonly Trap[] {
  const spellings = [looseName(name), looseName(withoutTrainingPrefix(name))]
  return (TRAPS.get(framework) ?? []).filter(trap => spellings.some(spelling => looseNamesOf(trap).has(spelling)))
}

function messageOf(trap: Trap, told: string | undefined, steps: number | null): Message | null {
  const { id, says, ofSteps, from, before, unknown } = trap
  const said = (text: Template, params: Message['params'] = {}, key = id): Message => ({
    key: `trap.${key}`,
    text,
    params,
  })
  // Of one step a mean is its value. TRL takes a share of all steps too, which says no number.
  if (ofSteps !== undefined && steps !== null && steps >= 1)
    return steps === 1 ? null : said(ofSteps, { steps }, `${id}-of`)
  // Only a trap of certain releases names the version: logging-trap is silent about the others unless a finding needs them.
  if (from === undefined && before === undefined) return said(says)
  const release = releaseOf(told, [from, before])
  if (release === null) return unknown === undefined ? null : said(unknown.says, {}, unknown.id)
  const inside = !isBefore(release, from) && (before === undefined || isBefore(release, before))
  return inside ? said(says, { version: told ?? '' }) : null
}

/** Of a framework as a launch names it: what its logs will not be, and of which names. */
export function trapsOfRelease(
  framework: Framework,
  version: string,
): readonly { readonly trap: Message; readonly names: readonly string[] }[] {
  return (TRAPS.get(framework) ?? []).flatMap(trap => {
    const message = trap.from === undefined && trap.before === undefined ? null : messageOf(trap, version, null)
    return message === null || !('version' in message.params) ? [] : [{ trap: message, names: trap.names }]
  })
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
