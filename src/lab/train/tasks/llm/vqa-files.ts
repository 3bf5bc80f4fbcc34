import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../../../logs/model/problem.js'
import { sentences } from '../../../../text/sentences.js'
import { readTaskFile, type Split, textOf } from '../task.js'

/**
 * The two files of the VQA challenge (VQA v1, v2, OK-VQA) as items: questions with the number of their image, and
 * annotations with ten answers each. Images are COCO's, and named by their number and the part of COCO that the files
 * name. A question without answers or without its image is left out and counted.
 */
const say = sentences({
  'vqa.bad-file': {
    en: '{file} is no {kind} file of the VQA challenge: {field} is missing or malformed',
    zh: '{file} 不是 VQA challenge 的 {kind} 文件：{field} 缺失或格式不对',
  },
  'vqa.no-images': { en: 'there is no folder of images {folder}', zh: '没有图片文件夹 {folder}' },
  'vqa.nothing': {
    en: 'none of {questions} questions has both answers and an image: {unanswered} without answers, {imageless} without an image in {folder} (looked for {example})',
    zh: '{questions} 个问题都不同时具备答案与图片：{unanswered} 个没有答案，{imageless} 个在 {folder} 中没有图片（查找的是 {example}）',
  },
})

const id = z.union([z.int(), z.string()]).transform(String)

const questionsSchema = z.object({
  data_subtype: z.string().default(''),
  questions: z.array(z.object({ question_id: id, image_id: z.int(), question: z.string() })).min(1),
})

const annotationsSchema = z.object({
  annotations: z.array(z.object({ question_id: id, answers: z.array(z.object({ answer: z.string() })) })).min(1),
})

export interface VqaItem {
  readonly id: string
  readonly text: string
  readonly image?: string
  readonly answers: readonly string[]
  readonly split?: Split
}

interface VqaFiles {
  readonly questions: string
  readonly annotations: string
  /** Null: plain questions. */
  readonly images: string | null
  readonly split: Split | null
}

export async function vqaItems({ questions: file, annotations, images, split }: VqaFiles) {
  const { data_subtype: subtype, questions } = await read(file, 'questions', questionsSchema)
  const answered = await read(annotations, 'annotations', annotationsSchema)
  const answers = new Map(
    answered.annotations.map(each => [each.question_id, each.answers.map(({ answer }) => answer)]),
  )
  const find = images === null ? null : await imageFinder(images, subtype)
  const items: VqaItem[] = []
  let [unanswered, imageless] = [0, 0]
  for (const { question_id, image_id, question } of questions) {
    const given = answers.get(question_id) ?? []
    const image = find?.(image_id)
    if (given.length === 0) unanswered += 1
    else if (image === null) imageless += 1
    else {
      items.push({
        ...{ id: question_id, text: question, answers: given },
        ...(image !== undefined && { image }),
        ...(split !== null && { split }),
      })
    }
  }
  if (items.length === 0) {
    const [example] = namesOf(questions[0].image_id, subtype)
    const counts = { questions: questions.length, unanswered, imageless }
    throw new Problem('not-enough', say('vqa.nothing', { ...counts, folder: images ?? '–', example }))
  }
  return { items, unanswered, imageless }
}

async function read<Schema extends z.ZodType>(file: string, kind: string, schema: Schema): Promise<z.output<Schema>> {
  const text = textOf(file, await readTaskFile(file))
  const parsed = schema.safeParse(jsonIn(text))
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') || 'JSON'
  throw new Problem('unreadable', say('vqa.bad-file', { file, kind, field }))
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** COCO 2014 names its images by part and number, 2017 by number alone. */
function namesOf(image: number, subtype: string): readonly string[] {
  const number = String(image).padStart(12, '0')
  return [`COCO_${subtype}_${number}.jpg`, `${number}.jpg`]
}

/** A folder of images, or one that has a folder for each part of COCO. Names are below it. Listed once. */
async function imageFinder(folder: string, subtype: string): Promise<(image: number) => string | null> {
  const within = /^\w+$/.test(subtype) ? subtype : null
  const own = await readdir(folder).catch(() => {
    throw new Problem('not-found', say('vqa.no-images', { folder }))
  })
  const below = within === null ? [] : await readdir(join(folder, within)).catch(() => [])
  const found = new Map([
    ...below.map(name => [name, `${within}/${name}`] as const),
    ...own.map(name => [name, name] as const),
  ])
  return image => namesOf(image, subtype).flatMap(name => found.get(name) ?? [])[0] ?? null
}
