import type { FrameworkData } from '../frameworks/framework.js'
import { FRAMEWORK_DATA, type Framework } from '../frameworks/registry.js'
import { memoByText } from '../util/memo.js'

export type { Framework }

/** Also the order in which a name is read when nothing says whose it is. */
export const FRAMEWORKS: readonly Framework[] = FRAMEWORK_DATA.map(({ id }) => id)

/** Those whose names are read in anybody's log. */
export const COPIED: readonly Framework[] = FRAMEWORK_DATA.filter(({ isCopied }) => isCopied === true).map(
  ({ id }) => id,
)

/** Whose names a framework speaks besides its own. */
export const BASE_OF: { readonly [F in Framework]?: Framework } = Object.fromEntries(
  FRAMEWORK_DATA.flatMap(({ id, base }) => FRAMEWORKS.filter(other => other === base).map(other => [id, other])),
)

/** A framework and all that it builds on, nearest first. */
export function lineageOf(framework: Framework | null): readonly Framework[] {
  const line: Framework[] = []
  for (let near = framework ?? undefined; near !== undefined; near = BASE_OF[near]) line.push(near)
  return line
}

/** Whose names are read in its logs besides. A framework that others do not copy has a file that is meant to be complete. */
export function othersReadIn(framework: Framework | null): readonly Framework[] {
  return framework === null || COPIED.includes(framework) ? COPIED : []
}

/** Proper names, the same in every language. */
export const FRAMEWORK_NAMES = Object.fromEntries(FRAMEWORK_DATA.map(({ id, name }) => [id, name])) as {
  readonly [F in Framework]: string
}

/**
 * What each framework calls a thing, preferred name first. `any` holds names that belong to nobody: own training loops,
 * and the headings of written reports.
 */
export type Aliases = { readonly [F in Framework | 'any']?: readonly string[] }

/** What the frameworks call a metric or a setting; a fork's names stand behind those of the framework it runs as. */
export function namesIn(part: Part, canonical: string): Aliases {
  return aliasesIn(part).get(canonical) ?? {}
}

type Part = 'metrics' | 'also' | 'settings'

const aliasesIn = memoByText((part: Part): ReadonlyMap<string, Aliases> => {
  const found = new Map<string, { [F in Framework]?: readonly string[] }>()
  for (const data of FRAMEWORK_DATA) {
    const id = runsAs(data)
    for (const [canonical, names = []] of Object.entries(data[part] ?? {})) {
      const aliases = found.get(canonical) ?? {}
      found.set(canonical, aliases)
      aliases[id] = [...(aliases[id] ?? []), ...names]
    }
  }
  return found
})

/** Under which framework a run is read. */
export function runsAs({ id, runsAs: other }: FrameworkData<Framework>): Framework {
  return FRAMEWORKS.find(name => name === other) ?? id
}
