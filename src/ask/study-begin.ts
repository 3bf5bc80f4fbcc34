import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { writeFileAtomically } from '../store/atomic.js'
import { frozenStudies } from '../study/file/frozen.js'
import { studyFolder } from '../study/file/kept-file.js'
import { planStudyText } from '../study/plan/plan-study.js'
import { sentences } from '../text/sentences.js'
import { typedValue } from '../train/config/read.js'
import { list, numberWithin, request } from './fields.js'
import { type Asking, question } from './question.js'
import type { StudyStep } from './study-answers.js'
import { stepOf } from './study-control.js'
import { runStudy } from './study-run.js'

/**
 * A study out of a form: a question, what all trials share and what varies. It becomes a study file in the workspace, so
 * that it is frozen, run on and reported like any other, also by the command line.
 */

const say = sentences({
  'study.begin.taken': {
    en: 'there is a study "{name}" already; give this one another name',
    zh: '已有名为“{name}”的研究，请换一个名称',
  },
  'study.begin.nothing-varies': {
    en: 'nothing varies: give at least one setting several values, separated by commas',
    zh: '没有变化的设置：请至少给一个设置填写多个以逗号分隔的值',
  },
})

/** Also becomes the name of a folder. */
const NAME = /^[A-Za-z0-9][\w.-]{0,79}$/

export const studyBegin = question({
  request: request({
    name: z.string().regex(NAME),
    question: z.string().min(1),
    /** Differences smaller than this do not matter. */
    margin: numberWithin({ above: 0 }),
    /** One after the other, as in `1,2,3`. */
    seeds: z.string().regex(/^\d{1,9}(?:,\d{1,9}){0,999}$/),
    task: z.string().default('digits'),
    /** `key=value` of all trials, and `key=a,b` of what varies. */
    set: list(z.string()).default([]),
    over: list(z.string()).default([]),
  }),
  answer: z.object({ study: z.string(), stopped: z.enum(['asked', 'out-of-budget']).nullable() }),
  async ask(workspace, { name, margin, seeds, task, set, over, lang, ...asked }, asking: Asking<StudyStep>) {
    if ((await frozenStudies(workspace)).includes(name)) {
      throw new Problem('bad-request', say('study.begin.taken', { name }))
    }
    if (over.length === 0) throw new Problem('bad-request', say('study.begin.nothing-varies', {}))
    const text = stringify({
      name,
      question: asked.question,
      ...(margin !== null && { margin }),
      base: { task, ...Object.fromEntries(set.map(word => pairOf(word, typedValue))) },
      vary: Object.fromEntries(over.map(word => pairOf(word, words => words.split(',').map(typedValue)))),
      seeds: seeds.split(',').map(Number),
    })
    const folder = studyFolder(workspace, name)
    const study = await planStudyText({ path: join(folder, 'study.yaml'), text, base: null })
    await mkdir(folder, { recursive: true })
    await writeFileAtomically(join(folder, 'study.yaml'), text)
    const { onProgress, ...others } = asking
    const hear = { ...others, onProgress: (told: Parameters<typeof stepOf>[0]) => tell(stepOf(told), onProgress) }
    const { stopped } = await runStudy(workspace, study, { dryRun: false, workers: null, lang }, hear)
    return { study: name, stopped }
  },
})

function tell(step: StudyStep | null, onProgress: Asking<StudyStep>['onProgress']): void {
  if (step !== null) onProgress?.(step)
}

function pairOf<Value>(word: string, read: (words: string) => Value): readonly [key: string, value: Value] {
  const at = word.indexOf('=')
  return [word.slice(0, at).trim(), read(word.slice(at + 1))]
}
