/**
 * What a report asserts, held against itself and against the logs.
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */
export { answerFile, auditAnswer, faultKind, faultSeverity, writeLedger, writeMarked } from './answer.js'
export { type AuditOptions, auditReports, auditWithReader, type Logs, type ReportText, readReports } from './audit.js'
export { readBaseline, writeBaseline } from './baseline.js'
export { findAuditConfig, readAuditConfig } from './config.js'
export { type FilledFigure, filledText, type ReferenceSpot, referencesIn } from './fill.js'
export { normalised, readLoggedSeries, readReport } from './inputs.js'
export { parseProposals } from './llm-reader.js'
export { RULE_CARDS } from './registry.js'
export { sarif } from './sarif.js'
export { withLogLines } from './trace/log-lines.js'
export { type ComparedPair, claimsIn, pairsAsked } from './trace/verdict-claims.js'
