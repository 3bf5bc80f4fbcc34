import { z } from 'zod'
import { answerFrom, type InstantJudge } from '../judged/judge.js'
import { hear, sharedPart } from '../judged/lexical.js'
import { probesIn } from '../judged/probes.js'
import { judgedScene, type OwnTasks } from '../judged/scene.js'
import { claimSchema, type PersuadeTask, persuadeGym, persuadePrompts, STANCE_NAMES } from './persuade.js'

const held = z.record(z.string(), z.unknown())
const ownSchema = z.array(z.object({ id: z.string(), en: held, zh: held }))

async function own(): Promise<OwnTasks<PersuadeTask>> {
  const claims = ownSchema.parse((await import('./own/claims.json', { with: { type: 'json' } })).default)
  const probes = (await import('./own/probes.json', { with: { type: 'json' } })).default
  const tasksIn = (language: 'en' | 'zh'): readonly PersuadeTask[] =>
    claims.map(({ id, [language]: claim }) => claimSchema.parse({ id, ...claim }))
  return { tasks: { en: tasksIn('en'), zh: tasksIn('zh') }, judge: wordJudge, probes: probesIn(probes) }
}

const SAID = 0.5
/** So far does an argument move that is known and new. */
const LEVELS = 2

/** Known arguments by their words. What an argument is worth, or whose side it takes, it cannot tell. */
const wordJudge: InstantJudge<PersuadeTask> = ({ task, content, history, stance }) => {
  const known = task.against.map(hear)
  const matching = (said: string): number => {
    const heard = hear(said)
    return known.findIndex(each => sharedPart(each, heard) >= SAID)
  }
  const argument = matching(content)
  const isNew = argument >= 0 && !history.some(({ said }) => matching(said) === argument)
  const level = typeof stance === 'string' ? STANCE_NAMES.indexOf(stance) : 0
  const next = STANCE_NAMES[Math.min(STANCE_NAMES.length - 1, level + (isNew ? LEVELS : 0))]
  const response = isNew ? 'That is a point.' : argument >= 0 ? 'You have said so.' : 'That does not convince me.'
  return { kind: 'judged', answer: answerFrom({ response, stance: next }) }
}

/** UserRL's `all_statements_refined.json`; its Parquet has all that a task needs. */
export const persuadeScene = judgedScene<PersuadeTask>({
  name: 'persuade',
  form: {
    schema: claimSchema,
    namesOf: ({ id }) => [id],
    row: ({ id, claim, argument }) => ({ name: id, record: { id, claim, argument } }),
  },
  own,
  gym: persuadeGym,
  judgePrompts: persuadePrompts,
  facts: () => ({ wanted: 'Strongly Disagree', ceiling: 1, details: STANCE_NAMES.length - 1 }),
  oracle: ({ against, claim }) =>
    (against.length > 0 ? against : [`I disagree: ${claim}`]).map(each => ['answer', each]),
})
