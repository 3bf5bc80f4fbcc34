import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { studyFromRuns } from '../study/file/from-runs.js'
import { studyTemplate } from '../study/file/template.js'
import { sentences } from '../text/sentences.js'
import { list, request } from './fields.js'
import { resolveAll } from './names.js'
import { type Asking, question } from './question.js'

/** A study file to begin with. */

const say = sentences({
  'study.init.there': { en: '{file} is there already; give another name', zh: '{file} 已存在；请换一个名字' },
})

export const studyInit = question({
  request: request({
    file: z.string().default('study.yaml'),
    /** Runs that the study is made of; left out, an example. */
    fromRuns: list(z.string()).optional(),
  }),
  answer: z.object({ file: z.string() }),
  async ask(workspace, { file, fromRuns, lang }, asking: Asking) {
    const text =
      fromRuns === undefined
        ? studyTemplate(lang)
        : await studyFromRuns(await resolveAll(workspace, fromRuns, asking), file, lang)
    try {
      await writeFile(file, text, { flag: 'wx' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      throw new Problem('bad-request', say('study.init.there', { file }))
    }
    return { file }
  },
})
