import { z } from 'zod'
import { fileIssues } from '../file/issue.js'
import { FIRST_LOOK } from './settle-seeds.js'

/** What a study file says of `klens study settle`: which arms, by what, and how much of it may be bought. */
const otherwise = fileIssues({
  'study.file.settled-arms': {
    en: '"{key}" must be two arms or more, the baseline first, none of them twice; not {given}',
    zh: '“{key}”必须是两个或更多互不相同的 arm，基线在前；不能是 {given}',
  },
  'study.file.most': {
    en: '"{key}" must be a whole number of at least 5, the seeds of the first look, not {given}',
    zh: '“{key}”必须是不小于 5（首次查看的种子数）的整数，不能是 {given}',
  },
  'study.file.settle-by': {
    en: '"{key}" must be seeds, which speak about the settings, or prompts, which speak about these checkpoints; not {given}',
    zh: '“{key}”必须是 seeds（说明设置）或 prompts（只说明这些检查点），不能是 {given}',
  },
  'study.file.prompts': {
    en: '"{key}" must say which prompts may be asked, by split (val or test), first and most; not {given}',
    zh: '“{key}”必须说明可以问哪些样本，即 split（val 或 test）、first 与 most；不能是 {given}',
  },
})

const asMost = otherwise('study.file.most')
const asPrompts = otherwise('study.file.prompts')
const asArms = otherwise('study.file.settled-arms')

/** The prompts of a task that runs are asked, in the task's own order: first so many, and so many at most. */
const prompts = z.strictObject(
  {
    split: z.enum(['val', 'test'], asPrompts).default('test'),
    first: z.int(asPrompts).min(10, asPrompts).default(100),
    /** Null: as many as the split has. */
    most: z.int(asPrompts).min(10, asPrompts).nullable().default(null),
  },
  asPrompts,
)

export const settle = z
  .strictObject({
    /** Left out: all arms, the first of them the baseline. */
    arms: z
      .array(z.string(), asArms)
      .min(2, asArms)
      .refine(names => new Set(names).size === names.length, asArms)
      .optional(),
    by: z.enum(['seeds', 'prompts'], otherwise('study.file.settle-by')).default('seeds'),
    /** Seeds a side. */
    most: z.int(asMost).min(FIRST_LOOK, asMost).default(20),
    /** By seeds: where they are named, trials are judged by them, and more are bought where that is the better buy. */
    prompts: prompts.optional(),
  })
  .prefault({})
