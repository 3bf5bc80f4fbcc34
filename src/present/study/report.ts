import { sentences } from '../../text/sentences.js'
import type { ReportContent } from '../report/frame.js'
import { changedBlocks, commandBlocks, type Frame, framed } from '../report/frame.js'
import type { Memory } from '../report/memory.js'
import type { Speaker } from '../speaker.js'
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

export function studyReport(speaker: Speaker, input: StudyFacts & Frame): ReportContent {
  const memory = memoryOf(input)
  return framed(speaker, input, {
    title: speaker.say(say('report.study.title', { name: input.name })),
    memory,
    blocks: [
      answerBlock(speaker, input),
      ...changedBlocks(speaker, input.before, memory),
      ...questionBlocks(speaker, input),
      ...designBlocks(speaker, input),
      ...matrixBlocks(speaker, input),
      ...verdictBlocks(speaker, input),
      ...doseBlocks(speaker, input),
      ...tradeBlocks(speaker, input),
      ...dropBlocks(speaker, input),
      ...costBlocks(speaker, input),
      ...takeBlocks(speaker, input),
      ...lineageBlocks(speaker, input),
      ...commandBlocks(speaker, input.provenance),
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
