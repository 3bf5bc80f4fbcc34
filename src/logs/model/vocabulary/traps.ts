import type { Message } from '../run.js'
import type { Framework } from './framework.js'
import { frameworksThatSay } from './metric-index.js'
import { looseName, trackerName, withoutTrainingPrefix } from './names.js'
import { type NoteKey, note, plainNote, type VersionNoteKey } from './notes.js'

/**
 * Why a logged number may not be what its name says, or may not be comparable with the same name in another run.
 * None of these changes training; all of them have changed conclusions. A trap may hold for some versions only;
 * where the version is not known, the text under `unknown` says what depends on it.
 */
interface Trap {
  readonly framework: Framework
  readonly names: readonly string[]
  readonly key: NoteKey | VersionNoteKey
  /** Releases from `from` on and before `before`; absent: all. */
  readonly from?: Version
  readonly before?: Version
  readonly unknown?: NoteKey
}

type Version = readonly [major: number, minor: number]

const WINDOW_MEANS = 'trap.trl-window-means'
const VERL_LOSSES = ['actor/pg_loss', 'pg_loss', 'actor/kl_loss', 'kl_loss']
const UNKNOWN_LOSSES = 'trap.verl-losses-unknown'
const TRL_LOSS_PATH = `kl entropy policy_loss clip_ratio clip_ratio/region_mean clip_ratio/low_mean clip_ratio/low_min
  clip_ratio/high_mean clip_ratio/high_max cispo_clip_ratio`.split(/\s+/)
const TRL_WINDOWED = `reward reward_std frac_reward_zero_std loss grad_norm completions/mean_length completion_length
  completions/clipped_ratio step_time`.split(/\s+/)

// biome-ignore format: a table is read by its lines
const TRAPS: readonly Trap[] = [
  { framework: 'verl', names: ['actor/kl_loss', 'kl_loss'], before: [0, 5], key: 'trap.verl-kl-last-micro-batch', unknown: UNKNOWN_LOSSES },
  { framework: 'verl', names: VERL_LOSSES, from: [0, 5], before: [0, 7], key: 'trap.verl-losses-scaled', unknown: UNKNOWN_LOSSES },
  { framework: 'verl', names: [...VERL_LOSSES, 'critic/vf_loss'], from: [0, 7], key: 'trap.verl-losses-summed', unknown: UNKNOWN_LOSSES },
  { framework: 'verl', names: ['actor/pg_loss', 'pg_loss'], from: [0, 7], key: 'trap.verl-pg-holds-entropy', unknown: 'trap.verl-pg-holds-entropy-unknown' },
  { framework: 'verl', names: ['actor/entropy', 'actor/entropy_loss'], before: [0, 5], key: 'trap.verl-entropy-misordered', unknown: 'trap.verl-entropy-unknown' },
  { framework: 'trl', names: ['reward_std'], key: 'trap.trl-reward-std' },
  { framework: 'trl', names: TRL_LOSS_PATH, key: 'trap.trl-uneven-windows' },
  { framework: 'trl', names: [...TRL_LOSS_PATH, ...TRL_WINDOWED], key: WINDOW_MEANS },
  { framework: 'trl', names: ['loss'], key: 'trap.trl-loss-near-zero' },
  { framework: 'lever-plus', names: ['kl', 'KL值', 'KL散度', 'KL Divergence', 'mean_ratio'], key: 'trap.lever-plus-reference' },
  { framework: 'lever-plus', names: ['std_advantage', 'Adv Std', 'max_advantage', 'Adv Max'], key: 'trap.lever-plus-advantage-of-data' },
  { framework: 'lever-plus', names: ['kl_beta', 'Beta', 'kl_loss'], key: 'trap.lever-plus-last-beta' },
]

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

const LOOSE_NAMES = new Map(TRAPS.map(trap => [trap, new Set(trap.names.map(looseName))]))

function trapsOf(framework: Framework, name: string): readonly Trap[] {
  const spellings = [looseName(name), looseName(withoutTrainingPrefix(name))]
  return TRAPS.filter(
    trap => trap.framework === framework && spellings.some(spelling => LOOSE_NAMES.get(trap)?.has(spelling)),
  )
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

function isBefore(release: Version, limit: Version | undefined): boolean {
  if (limit === undefined) return false
  return release[0] < limit[0] || (release[0] === limit[0] && release[1] < limit[1])
}
