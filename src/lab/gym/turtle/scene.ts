import { z } from 'zod'
import { answerFrom, type InstantJudge } from '../judged/judge.js'
import { type HeardText, hear, sharedPart } from '../judged/lexical.js'
import { probesIn } from '../judged/probes.js'
import { judgedScene, type OwnTasks } from '../judged/scene.js'
import { storySchema, type TurtleTask, turtleGym, turtlePrompts } from './turtle.js'

const told = z.record(z.string(), z.unknown())
const ownSchema = z.array(z.object({ id: z.string(), en: told, zh: told }))

async function own(): Promise<OwnTasks<TurtleTask>> {
  const stories = ownSchema.parse((await import('./own/stories.json', { with: { type: 'json' } })).default)
  const probes = (await import('./own/probes.json', { with: { type: 'json' } })).default
  const tasksIn = (language: 'en' | 'zh'): readonly TurtleTask[] =>
    stories.map(({ id, [language]: story }) => storySchema.parse({ id, ...story }))
  return { tasks: { en: tasksIn('en'), zh: tasksIn('zh') }, judge: wordJudge, probes: probesIn(probes) }
}

/** From this share of a statement's words on it is taken to be said, or half said. */
const SAID = 0.6
const HALF_SAID = 0.4

/** By the words of what is written down about the story. It cannot tell what follows from a story from what does not. */
const wordJudge: InstantJudge<TurtleTask> = ({ task, isAnswer, content }) => {
  const heard = hear(content)
  if (!isAnswer) return { kind: 'judged', answer: answerFrom({ response: answerTo(task, heard) }) }
  const scores = task.evaluation_criteria.map(({ statement }) => {
    const part = sharedPart(hear(statement), heard)
    return { score: part >= SAID ? 1 : part >= HALF_SAID ? 0.5 : 0 }
  })
  return { kind: 'judged', answer: answerFrom({ scores }) }
}

function answerTo({ facts }: TurtleTask, question: HeardText): 'Yes' | 'No' | 'Maybe' {
  let best: { readonly fit: number; readonly answer: 'Yes' | 'No' } | null = null
  for (const [statements, [holds, fails]] of [
    [facts?.yes ?? [], ['Yes', 'No']],
    [facts?.no ?? [], ['No', 'Yes']],
  ] as const) {
    for (const statement of statements) {
      const known = hear(statement)
      const fit = Math.min(sharedPart(known, question), sharedPart(question, known))
      if (fit > (best?.fit ?? 0)) best = { fit, answer: known.isNegated === question.isNegated ? holds : fails }
    }
  }
  return best !== null && best.fit >= HALF_SAID ? best.answer : 'Maybe'
}

/** UserRL's `all_stories_refined.json`, an object by id; its Parquet names titles and lacks the criteria. */
export const turtleScene = judgedScene<TurtleTask>({
  name: 'turtle',
  form: {
    schema: storySchema,
    records: storiesIn,
    namesOf: ({ title }) => [title],
    row: ({ title }) => ({ name: title }),
  },
  own,
  gym: turtleGym,
  judgePrompts: turtlePrompts,
  facts: ({ ground_truth: wanted, evaluation_criteria: criteria }) => ({
    wanted,
    ceiling: criteria.reduce((sum, { score }) => sum + score, 0),
    details: criteria.length,
  }),
  oracle: ({ evaluation_criteria: criteria }) => [['answer', criteria.map(({ statement }) => statement).join(' ')]],
})

/** UserRL leaves out stories without the judgment "Yes". */
function storiesIn(json: unknown): unknown {
  const byId = z.record(z.string(), z.looseObject({ judgment: z.unknown() })).safeParse(json)
  if (Array.isArray(json) || !byId.success) return json
  return Object.entries(byId.data)
    .filter(([, { judgment }]) => judgment === 'Yes')
    .map(([id, story]) => ({
      id,
      title: story.new_title ?? `Story ${id}`,
      description: story.new_surface ?? '',
      ground_truth: story.new_bottom ?? '',
      evaluation_criteria: story.evaluation ?? [],
    }))
}
