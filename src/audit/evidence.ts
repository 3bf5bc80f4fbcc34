import type { ReportDocument } from '../logs/document/document.js'
import { type Matrix, matrixOf } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'

/** A report as the audit reads it: its document, and its tables as matrices. */
export interface ReportEvidence {
  readonly document: ReportDocument
  readonly matrices: readonly Matrix[]
}

export function evidenceOf(document: ReportDocument): ReportEvidence {
  return { document, matrices: document.tables.map(matrixOf) }
}

/** How many digits are printed, zeros before the first other left out: two of 0.012, four of 1.250. */
export function significantDigits({ value, decimals }: Pick<Quantity, 'value' | 'decimals'>): number {
  const scaled = Math.round(Math.abs(value) * 10 ** Math.min(12, Math.max(0, decimals ?? 0)))
  return scaled === 0 ? 0 : Math.floor(Math.log10(scaled) + 1e-12) + 1
}

/** How many were measured: a column that is compared with no score beside it. */
export const isSizeName = (name: string): boolean =>
  /^(?:n|#|total|size|(?:(?:no\.|number|#) ?(?:of )?)?(?:count|sample|issue|game|task|problem|question|episode|trial|case|item|prompt|quer(?:y|ie))s?|数量|[题样局次条任]?[本务]?数量?|总数|样本)$/i.test(
    name.trim(),
  )
