import type { Templates } from './language.js'

/** What the rules about outcomes and logs say: validation, length, environment, evaluations, series. */
export const diagnosisOutcomeTexts = {} as const satisfies Templates
