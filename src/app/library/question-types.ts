import type { z } from 'zod'
import type { QUESTIONS } from '../ask/questions.js'

type Schemas<Name extends keyof typeof QUESTIONS> = Awaited<ReturnType<(typeof QUESTIONS)[Name]>>

/**
 * Every question by its name, with what is asked and what is answered. Other programs get this table without zod: the build
 * writes it out from the same schemas (scripts/types.mjs).
 */
export type QuestionTypes = {
  readonly [Name in keyof typeof QUESTIONS]: {
    readonly request: z.input<Schemas<Name>['request']>
    readonly answer: z.output<Schemas<Name>['answer']>
  }
}
