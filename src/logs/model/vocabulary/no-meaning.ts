import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { BASE_OF, COPIED, FRAMEWORK_NAMES, type Framework } from './framework.js'
import { meaninglessPattern } from './name-pattern.js'
import { trackerName, withoutTrainingPrefix } from './names.js'

/** A name that a framework's file mentions and gives no meaning, on purpose. */
export interface NoMeaning {
  readonly framework: string
  /** As the file has it; null where the file only says that it is no metric of the table. */
  readonly reason: string | null
}

export function noMeaningOf(rawName: string, framework: Framework | null): NoMeaning | null {
  const name = trackerName(rawName)
  const base = framework === null ? undefined : BASE_OF[framework]
  const speakers = framework === null ? COPIED : base === undefined ? [framework] : [framework, base]
  for (const speaker of speakers) {
    const mentioned = meaninglessPattern(name, speaker) ?? meaninglessPattern(withoutTrainingPrefix(name), speaker)
    if (mentioned === null) continue
    return { framework: FRAMEWORK_NAMES[speaker], reason: REASONS.get(speaker)?.[mentioned] ?? null }
  }
  return null
}

const REASONS = new Map(FRAMEWORK_DATA.map(({ id, unknown = {} }) => [id, unknown]))
