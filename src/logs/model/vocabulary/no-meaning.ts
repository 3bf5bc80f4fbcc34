import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { BASE_OF, COPIED, FRAMEWORK_NAMES, type Framework } from './framework.js'
import { readPattern } from './name-pattern.js'
import { trackerName, withoutTrainingPrefix } from './names.js'

/** A name that a framework's file mentions and gives no meaning, on purpose. */
export interface NoMeaning {
  readonly framework: string
  /** As the file has it; null where the file only says that it is no metric of the table. */
  readonly reason: string | null
}

export function noMeaningOf(rawName: string, framework: Framework | null): NoMeaning | null {
  const name = trackerName(rawName)
  const spellings = [rawName, name, withoutTrainingPrefix(name)]
  const base = framework === null ? undefined : BASE_OF[framework]
  const speakers = framework === null ? COPIED : base === undefined ? [framework] : [framework, base]
  for (const speaker of speakers) {
    const unknown = UNKNOWN.get(speaker)
    const reason = spellings.map(spelling => unknown?.get(spelling)).find(each => each !== undefined)
    if (reason !== undefined) return { framework: FRAMEWORK_NAMES[speaker], reason }
  }
  const isPassedOver = framework !== null && readPattern(name, framework)?.canonical === null
  return isPassedOver ? { framework: FRAMEWORK_NAMES[framework], reason: null } : null
}

const UNKNOWN: ReadonlyMap<Framework, ReadonlyMap<string, string>> = new Map(
  FRAMEWORK_DATA.map(({ id, unknown = {} }) => [id, new Map(Object.entries(unknown))]),
)
