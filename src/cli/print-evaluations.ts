import { basename, dirname, extname } from 'node:path'
import { type Agreement, agreementOf } from '../train/agreement.js'
import type { Validation } from '../train/validate.js'
import type { Context } from './context.js'
import type { Evaluated } from './eval.js'
import { alignTable, printable, shortNumber } from './style.js'

/** Scores as a table, what could not be scored, and how far the checkpoints choose alike. */
export function printEvaluations(context: Context, all: readonly Evaluated[], shots: readonly number[]): void {
  const [{ task, split, validation: any }] = all
  context.print(`  ${context.say('eval.scope', { task: task.name, split, n: any.asked.length })}`)
  const rows = [...new Set(all.map(({ checkpoint }) => checkpoint))].map(checkpoint => [
    printable(checkpointName(checkpoint), 50),
    ...shots.map(count => cellOf(all.find(one => one.checkpoint === checkpoint && one.shots === count)?.validation)),
  ])
  const header = ['', ...shots.map(count => context.say('sweep.shots', { shots: count }))]
  for (const line of alignTable([header, ...rows], new Set(shots.map((_, i) => i + 1)))) context.print(`  ${line}`)
  const reasons = new Set(all.flatMap(({ validation }) => validation.reason ?? []).map(context.render))
  for (const reason of reasons) context.print(`  ${context.say('eval.missing', { reason: printable(reason, 300) })}`)
  for (const pair of pairsIn(all)) printPair(context, pair)
}

/** With the number of scores behind it in brackets, where some are missing. */
function cellOf(validation: Validation | undefined): string {
  if (validation === undefined) return ''
  const { ids, missing, metrics } = validation
  const score = ids.length === 0 ? '–' : shortNumber(metrics['val.score'])
  return missing === 0 ? score : `${score} (${ids.length})`
}

function printPair(context: Context, { first, second, agreements }: Pair): void {
  const names = {
    first: printable(checkpointName(first.checkpoint), 50),
    second: printable(checkpointName(second.checkpoint), 50),
  }
  if (agreements.every(({ share }) => share === 1)) {
    const n = Math.max(...agreements.map(agreement => agreement.n))
    const shots = agreements.map(agreement => agreement.shots).join(', ')
    const same = first.loaded.contentHash === second.loaded.contentHash
    context.print(`  ${context.say('eval.identical', { ...names, n, shots })}`)
    context.print(
      same
        ? `    ${context.say('eval.same-weights', {})}`
        : `    ${context.say('eval.other-weights', { first: printable(first.checkpoint, 200), second: printable(second.checkpoint, 200) })}`,
    )
    return
  }
  for (const { shots, n, share, overlap } of agreements) {
    const percents = { percent: percentBelow(share), overlap: percentBelow(overlap) }
    context.print(`  ${context.say('eval.agreement', { ...names, shots, n, ...percents })}`)
  }
}

/** Rounded down, so that 100 is said of nothing less. */
function percentBelow(share: number): string {
  return shortNumber(Math.floor(share * 1000) / 10)
}

/** klens's own lie in `runs/<id>/checkpoints`; the id tells them apart. */
export function checkpointName(path: string): string {
  const file = basename(path, extname(path))
  return basename(dirname(path)) === 'checkpoints' ? `${basename(dirname(dirname(path)))}/${file}` : file
}

interface Pair {
  readonly first: Evaluated
  readonly second: Evaluated
  readonly agreements: readonly (Agreement & { readonly shots: number })[]
}

/** Every two checkpoints that were asked the same; choices from other pools cannot be compared. */
function pairsIn(all: readonly Evaluated[]): readonly Pair[] {
  const checkpoints = [...new Set(all.map(({ checkpoint }) => checkpoint))]
  const of = (checkpoint: string) => all.filter(one => one.checkpoint === checkpoint)
  return checkpoints.flatMap((left, i) =>
    checkpoints.slice(i + 1).flatMap(right => {
      const agreements = of(left).flatMap(first => {
        const second = of(right).find(({ shots }) => shots === first.shots)
        if (second?.task.dataHash !== first.task.dataHash) return []
        const agreement = agreementOf(first.validation.asked, second.validation.asked)
        return agreement === null ? [] : [{ shots: first.shots, ...agreement }]
      })
      return agreements.length === 0 ? [] : [{ first: of(left)[0], second: of(right)[0], agreements }]
    }),
  )
}

/** As JSON has them: one for each pair and number of shots. */
export function agreementsIn(all: readonly Evaluated[]) {
  return pairsIn(all).flatMap(({ first, second, agreements }) =>
    agreements.map(agreement => ({
      first: first.checkpoint,
      second: second.checkpoint,
      sameWeights: first.loaded.contentHash === second.loaded.contentHash,
      ...agreement,
    })),
  )
}
