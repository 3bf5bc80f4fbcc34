import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { keepArm, keepDrop, readDropLedger } from '../study/drop/ledger.js'
import { sentences } from '../text/sentences.js'
import { list, request } from './fields.js'
import { question } from './question.js'
import { openFrozen } from './studies.js'

/** A person's word on an arm of a study, by the study's name: nothing more is trained of it, or no rule may drop it. */

const say = sentences({
  'study.arm.none': { en: 'the study "{study}" has no arm "{arm}"', zh: '研究“{study}”没有 arm“{arm}”' },
  'study.arm.baseline': {
    en: '"{arm}" is what the other arms are held against; it cannot be dropped',
    zh: '“{arm}”是其余各 arm 的比较基线，不能放弃',
  },
})

export const studyArm = question({
  request: request({ name: z.string(), arm: z.string(), word: z.enum(['drop', 'keep']) }),
  answer: z.object({ study: z.string(), dropped: list(z.string()), kept: list(z.string()) }),
  async ask(workspace, { name, arm, word }) {
    const study = await openFrozen(workspace, name)
    if (!study?.arms.some(each => each.name === arm)) {
      throw new Problem('not-found', say('study.arm.none', { study: name, arm }))
    }
    const baseline = study.file.settle.arms?.[0] ?? study.arms[0].name
    if (word === 'keep') await keepArm(workspace, name, arm)
    else if (arm === baseline) throw new Problem('bad-request', say('study.arm.baseline', { arm }))
    else await keepDrop(workspace, name, { arm, at: Date.now() / 1000, by: 'person', evidence: null })
    const { drops, kept } = await readDropLedger(workspace, name)
    return { study: name, dropped: drops.map(drop => drop.arm), kept }
  },
})
