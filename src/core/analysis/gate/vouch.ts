import { sha256 } from '../../../logs/model/id.js'
import { Problem } from '../../../logs/model/problem.js'
import { isSeedKey } from '../../../logs/model/vocabulary/identity.js'
import { sentences } from '../../../text/sentences.js'
import { checksumOfFile } from '../../store/checksum.js'
import type { JudgedRun } from '../../store/loop-ledger.js'
import { shownName } from '../../store/manifest.js'
import { readSeries } from '../../store/series.js'
import { isEvaluation } from '../evaluations/evaluation-run.js'
import type { RunView } from '../run-view.js'

/**
 * Whether a log vouches for a number. A run of a loop must have been trained, and read from a log; and what was judged once
 * must still be there: as many points of its series, and as many bytes of its log, with the same content. A run that has
 * grown is the same run.
 */

const say = sentences({
  'gate.no-log': {
    en: '{run} has no log: its figures come from a {source}, and nothing shows that they were measured; give runs with the logs of their training',
    zh: '{run} 没有训练日志：数值来自{source}，无从证明确实测得；请提供带训练日志的 run',
  },
  'gate.report': { en: 'table in a report', zh: '报告中的表格' },
  'gate.evaluation': { en: 'file of an evaluation', zh: '评测文件' },
  'gate.changed': {
    en: 'the log of {run} has been changed since try {try} judged it: its figures are not those that were judged; put the log back, or train anew under another name',
    zh: '自第 {try} 次尝试判定之后，{run} 的日志被改动，数值已与当时不同；请恢复日志，或换名重新训练',
  },
})

export function refuseWithoutLog(run: RunView): void {
  const { manifest } = run
  const isReport = manifest.source === 'report' || manifest.files.some(({ source }) => source === 'report')
  if (!isReport && !isEvaluation(run)) return
  const source = say(isReport ? 'gate.report' : 'gate.evaluation', {})
  throw new Problem('not-enough', say('gate.no-log', { run: shownName(manifest), source }))
}

/** `before`: the run as an earlier look judged it, and in which try. */
export async function vouchedRun(
  run: RunView,
  metric: string,
  score: number,
  before: { readonly run: JudgedRun; readonly try: number } | null,
): Promise<JudgedRun> {
  const { manifest, config } = run
  const changed = (): Problem =>
    new Problem('damaged', say('gate.changed', { run: shownName(manifest), try: before?.try ?? 0 }))
  const points = (await readSeries(run, [metric])).get(metric)
  const values = Array.from(points?.steps ?? [], (step, i) => `${step}:${points?.values[i]}`)
  const dataOf = (count: number): string => `${count}:${sha256(values.slice(0, count).join()).slice(0, 32)}`
  if (before !== null && dataOf(Number.parseInt(before.run.data, 10)) !== before.run.data) throw changed()
  const logs: { [path: string]: string } = {}
  for (const { path, size, role } of manifest.files) {
    // A database holds other runs too, which come and go.
    if (role !== 'log' || /\.(?:db|sqlite3?)$/i.test(path)) continue
    const known = before?.run.logs[path]
    const sum = await logSum(path, size)
    if (sum === null) continue
    if (known !== undefined && (await logSum(path, Number.parseInt(known, 10))) !== known) throw changed()
    logs[path] = sum
  }
  const seed = Object.entries(config).find(([key]) => isSeedKey(key))?.[1]
  return {
    id: manifest.id,
    name: shownName(manifest),
    seed: seed === undefined || seed === null ? null : String(seed),
    score,
    data: dataOf(values.length),
    logs,
  }
}

/** Null where the log lies elsewhere by now: what was read of it is in the store. */
async function logSum(path: string, bytes: number): Promise<string | null> {
  const sum = await checksumOfFile(path, bytes)
  return sum === null ? null : `${sum.size}:${sum.hash.slice(0, 32)}`
}
