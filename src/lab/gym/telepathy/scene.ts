import { z } from 'zod'
import { answerFrom, type InstantJudge } from '../judged/judge.js'
import { type HeardText, hear, unitsHeard, unitsOf } from '../judged/lexical.js'
import { probesIn } from '../judged/probes.js'
import { judgedScene, type OwnTasks } from '../judged/scene.js'
import { entitySchema, type TelepathyTask, telepathyGym, telepathyPrompts } from './telepathy.js'

const inBoth = <Schema extends z.ZodType>(schema: Schema) => z.object({ en: schema, zh: schema })

const ownSchema = z.object({
  traits: z.record(z.string(), inBoth(z.string())),
  entities: z.array(
    z.object({
      id: z.string(),
      ...inBoth(z.array(z.string())).shape,
      category: inBoth(z.string()),
      traits: z.array(z.string()),
      about: z.string(),
    }),
  ),
})

async function own(): Promise<OwnTasks<TelepathyTask>> {
  const { traits, entities } = ownSchema.parse(
    (await import('./own/entities.json', { with: { type: 'json' } })).default,
  )
  const probes = (await import('./own/probes.json', { with: { type: 'json' } })).default
  const tasksIn = (language: 'en' | 'zh'): readonly TelepathyTask[] =>
    entities.map(({ id, category, traits: known, about, [language]: names }) =>
      entitySchema.parse({
        ...{ id, title: names[0], category: category[language] },
        ...{ target_entity: `${names[0]} - ${about}`, names, traits: known },
      }),
    )
  const units = Object.entries(traits).map(([name, { en, zh }]) => ({ name, units: unitsOf(`${en}|${zh}`) }))
  return { tasks: { en: tasksIn('en'), zh: tasksIn('zh') }, judge: traitJudge(units), probes: probesIn(probes) }
}

type Trait = { readonly name: string; readonly units: ReturnType<typeof unitsOf> }

/** Answers by the traits that a question names; a thing whose traits are unknown is neither this nor that. */
function traitJudge(traits: readonly Trait[]): InstantJudge<TelepathyTask> {
  return ({ task, isAnswer, content }) => {
    const heard = hear(content)
    if (isAnswer) {
      const isRight = !heard.isNegated && isNamed(task, heard)
      const feedback = isRight ? 'Yes, that is it.' : 'No, that is not it.'
      return { kind: 'judged', answer: answerFrom({ judgment: isRight ? 'Yes' : 'No', feedback }) }
    }
    return { kind: 'judged', answer: answerFrom({ response: answerTo(task, heard, traits) }) }
  }
}

/** The words of a guess are those of one of the names, no more and no fewer. */
function isNamed({ title, names }: TelepathyTask, guess: HeardText): boolean {
  return [title, ...names].some(name => {
    const { stems, text } = hear(name)
    if (stems.size === 0 || /[\u4e00-\u9fff]/.test(text))
      return guess.text.replace(/[^\u4e00-\u9fff]|^是/g, '') === text
    return stems.size === guess.stems.size && [...stems].every(stem => guess.stems.has(stem))
  })
}

function answerTo(task: TelepathyTask, question: HeardText, traits: readonly Trait[]): 'Yes' | 'No' | 'Maybe' {
  if (task.traits === undefined) return 'Maybe'
  let most = 0
  let meant: readonly string[] = []
  for (const { name, units } of traits) {
    const fit = unitsHeard(units, question)
    if (fit > most) [most, meant] = [fit, [name]]
    else if (fit === most && fit > 0) meant = [...meant, name]
  }
  const holding = meant.filter(name => task.traits?.includes(name)).length
  // Several things asked for at once, some true and some not: neither answer is right.
  if (meant.length === 0 || (holding > 0 && holding < meant.length)) return 'Maybe'
  return holding > 0 === question.isNegated ? 'No' : 'Yes'
}

/** UserRL's `all_entities_refined.json`; its Parquet names titles, and has all that a task needs. */
export const telepathyScene = judgedScene<TelepathyTask>({
  name: 'telepathy',
  form: {
    schema: entitySchema,
    namesOf: ({ id, title }) => [title, id],
    row: ({ title, category, ground_truth: target }) => ({
      name: title,
      record: { id: title, title, category, target_entity: target },
    }),
  },
  own,
  gym: telepathyGym,
  judgePrompts: telepathyPrompts,
  facts: ({ title }) => ({ wanted: title, ceiling: 1, details: 1 }),
  oracle: ({ title }) => [['answer', title]],
})
