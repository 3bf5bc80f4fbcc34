import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { studyTemplate } from '../study/file/template.js'
import { sentences } from '../text/sentences.js'
import { request } from './fields.js'
import { question } from './question.js'

/** A study file to begin with. */

const say = sentences({
  'study.init.there': { en: '{file} is there already; give another name', zh: '{file} 已存在；请换一个名字' },
})

export const studyInit = question({
  request: request({ file: z.string().default('study.yaml') }),
  answer: z.object({ file: z.string() }),
  async ask(_, { file, lang }) {
    try {
      await writeFile(file, studyTemplate(lang), { flag: 'wx' })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      throw new Problem('bad-request', say('study.init.there', { file }))
    }
    return { file }
  },
})
