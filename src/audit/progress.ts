import type { AuditDocument, Statement } from './document.js'
import { titlesAbove } from './table-view.js'

/** What a report says about how far the training is. */
const DONE =
  /训练(?:已经?|全部)?(?:完成|结束)|(?<![a-z])(?:training|the run|all runs?) (?:is |are |was |has |have )?(?:now |been )?(?:complete[d]?|finished|done)(?![a-z])/i
const TRAINED = /已训练\s?\d|(?<![a-z])trained for \d/i
const NOT_DONE = /未完成|没有完成|尚未|如果|若|(?<![a-z])(?:not|once|when|after|until|if|before)(?![a-z])/i
const TOTAL_LABEL =
  /^(?:总?训练步数|总步数|total[_ ](?:training[_ ])?steps|training steps|max[_ ]steps|steps trained)$/i

export interface Progress {
  /** The first sentence that says the training is over. */
  readonly done: Statement | null
  /** The largest number of steps that the report says were trained or planned; null where it says none. */
  readonly total: number | null
}

const known = new WeakMap<AuditDocument, Progress>()

/** Read once, since several rules ask. */
export function progressOf(document: AuditDocument): Progress {
  const before = known.get(document)
  if (before !== undefined) return before
  const progress = readProgress(document)
  known.set(document, progress)
  return progress
}

function readProgress(document: AuditDocument): Progress {
  const done = document.statements.filter(({ kind, text }) => kind !== 'cell' && kind !== 'code' && isSaid(text, DONE))
  const trained = document.statements.filter(({ text, quantities }) => quantities.length > 0 && isSaid(text, TRAINED))
  const said = [...done, ...trained].flatMap(({ quantities }) =>
    quantities.filter(({ unit, ends }) => unit === 'step' && ends === null),
  )
  const tabled = document.tables.flatMap(({ rows }) =>
    rows
      .filter(([label]) => TOTAL_LABEL.test(label.text))
      .flatMap(row => row.slice(1).flatMap(({ quantities }) => quantities)),
  )
  const totals = (said.length > 0 ? said : tabled).map(({ value }) => value).filter(Number.isInteger)
  return {
    done: done[0] ?? null,
    total: done.length === 0 || totals.length === 0 ? null : totals.reduce((a, b) => Math.max(a, b)),
  }
}

/** Nothing before it turns the sentence round. */
function isSaid(text: string, pattern: RegExp): boolean {
  const found = pattern.exec(text)
  return found !== null && !NOT_DONE.test(text.slice(0, found.index + found[0].length))
}

const ADVICE =
  /建议|计划|下一步|后续|展望|待办|(?<![a-z])(?:next|future|recommend\w*|plan(?:s|ned)?|to ?do|suggest\w*|outlook)(?![a-z])/i

/** What stands under advice is wanted, not claimed. */
export function isAdvice({ section, leads }: Statement): boolean {
  return [...titlesAbove(section).slice(0, 2), ...leads].some(words => ADVICE.test(words))
}
