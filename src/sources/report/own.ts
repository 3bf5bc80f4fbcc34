import { namedStep } from '../../document/words.js'
import { pack, type Values } from './pack.js'
import type { TableWords } from './table-words.js'
import { assignmentsIn } from './words.js'

/**
 * Values of tables that name no run. They belong to the run that a heading spells out (`KL_BETA=0.12`), else to the
 * one run that the report is about; but where two headings give one metric at one step, each heading is a run.
 */
export interface OwnValues {
  add(values: Values, table: TableWords): void
  named(): Iterable<{ readonly name: string; readonly values: Values }>
}

export function ownValues(ownName: string): OwnValues {
  const kept = pack()
  const owners: Owner[] = []
  const ownerOf: number[] = []
  const headings = new Map<string, Map<number, string>>()
  let latest: TableWords | null = null
  let clash = false
  return {
    add(values, table) {
      if (latest !== table) owners.push(ownerOfTable(table))
      latest = table
      const { spelled, heading } = owners[owners.length - 1]
      kept.add(values)
      ownerOf.push(owners.length - 1)
      if (spelled !== null || clash) return
      for (const metric of values.metrics) {
        const byStep = headings.get(metric) ?? new Map<number, string>()
        headings.set(metric, byStep)
        const first = byStep.get(values.step)
        if (first === undefined) byStep.set(values.step, heading)
        else if (first !== heading) clash = true
      }
    },
    *named() {
      let index = 0
      for (const values of kept.all()) {
        const { spelled, heading } = owners[ownerOf[index]]
        yield { name: spelled ?? ((clash && heading) || ownName), values }
        index += 1
      }
    },
  }
}

interface Owner {
  /** The settings that a heading above the table spells out. */
  readonly spelled: string | null
  readonly heading: string
}

function ownerOfTable({ headings }: TableWords): Owner {
  const assigned = headings.map(assignmentsIn).find(list => list.length > 0)
  const nearest = headings[0] ?? ''
  return {
    spelled: assigned?.map(({ key, value }) => `${key}=${value}`).join(', ') ?? null,
    heading: namedStep(nearest)?.rest ?? nearest,
  }
}
