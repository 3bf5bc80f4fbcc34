import { sentences } from '../../text/sentences.js'
import type { Told } from '../blocks.js'
import { changedBlocks } from '../changed.js'
import { commandBlocks } from '../evidence.js'
import { type Frame, framed } from '../frame.js'
import type { Memory } from '../memory.js'
import type { Voice } from '../voice.js'
import { answerBlock } from './answer.js'
import { designBlocks, questionBlocks } from './design.js'
import { doseBlocks } from './dose.js'
import { type StudyFacts, scoresOf } from './facts.js'
import { lineageBlocks } from './lineage.js'
import { matrixBlocks, tradeBlocks, verdictBlocks } from './results.js'
import { costBlocks, dropBlocks } from './spending.js'
import { takeBlocks } from './take.js'

/**
 * A study for a colleague: the question and its answer with scope, the design as it was frozen, the matrix, what stability
 * and money the score costs, what was dropped, which setting to take with its config, and where every number comes from.
 */

const say = sentences({ 'report.study.title': { en: 'Study {name}', zh: '研究 {name}' } })

export function studyReport(voice: Voice, input: StudyFacts & Frame): Told {
  const memory = memoryOf(input)
  return framed(voice, input, {
    title: voice.render(say('report.study.title', { name: input.name })),
    memory,
    blocks: [
      answerBlock(voice, input),
      ...changedBlocks(voice, input.before, memory),
      ...questionBlocks(voice, input),
      ...designBlocks(voice, input),
      ...matrixBlocks(voice, input),
      ...verdictBlocks(voice, input),
      ...doseBlocks(voice, input),
      ...tradeBlocks(voice, input),
      ...dropBlocks(voice, input),
      ...costBlocks(voice, input),
      ...takeBlocks(voice, input),
      ...lineageBlocks(voice, input),
      ...commandBlocks(voice, input.provenance),
    ],
  })
}

function memoryOf({ arms, metric, verdicts }: StudyFacts): Memory {
  return {
    runs: arms.flatMap(({ trials }) => trials.flatMap(trial => trial?.run ?? [])).sort(),
    metric,
    evaluations: arms.flatMap(scoresOf).length,
    verdicts: verdicts.map(({ other, verdict }) => ({ question: 'study', other, answer: verdict })),
    findings: [],
  }
}
