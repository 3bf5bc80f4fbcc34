/**
 * Everything that can be asked, by name: a request schema, an answer schema and the function between them. A server, an
 * MCP server or a client in another language needs no more than this. Each is loaded when it is first asked.
 */
export const QUESTIONS = {
  import: async () => (await import('./import.js')).importRuns,
  follow: async () => (await import('./import.js')).follow,
  runs: async () => (await import('./runs.js')).runs,
  'run-table': async () => (await import('./runs.js')).runTable,
  show: async () => (await import('./show.js')).show,
  compare: async () => (await import('./compare.js')).compare,
  checkpoints: async () => (await import('./checkpoints.js')).checkpoints,
  diagnose: async () => (await import('./diagnose.js')).diagnose,
  sweep: async () => (await import('./sweep.js')).sweep,
  plan: async () => (await import('./plan.js')).plan,
  samples: async () => (await import('./samples.js')).samples,
  report: async () => (await import('./report.js')).report,
  audit: async () => (await import('./audit.js')).audit,
  'audit-rules': async () => (await import('./audit.js')).auditRules,
  train: async () => (await import('./train.js')).train,
  eval: async () => (await import('./eval.js')).evaluate,
  'gym-eval': async () => (await import('./gym-eval.js')).gymEval,
  'gym-check': async () => (await import('./gym-check.js')).gymCheck,
  'gym-replay': async () => (await import('./gym-replay.js')).gymReplay,
  weights: async () => (await import('./weights.js')).weights,
  'weights-diff': async () => (await import('./weights.js')).weightsDiff,
  'weights-convert': async () => (await import('./weights.js')).weightsConvert,
  export: async () => (await import('./export.js')).exportRuns,
  remove: async () => (await import('./manage.js')).remove,
  rename: async () => (await import('./manage.js')).rename,
  tag: async () => (await import('./manage.js')).tag,
} as const
