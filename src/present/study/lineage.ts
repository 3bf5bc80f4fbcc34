import { reportSentences as words } from '../../text/report.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import { type Block, code, heading, type Inline, list, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import { column } from './columns.js'
import type { StudyFacts } from './facts.js'
import { scoreOrCross } from './results.js'

/** Where every number comes from: each trial with its run and checkpoint, and what is suspicious about it. */

const say = sentences({
  'report.study.head.lineage': { en: 'Lineage', zh: '来源' },
  'report.study.suspicious': { en: '{trial}: {why}', zh: '{trial}：{why}' },
})

export function lineageBlocks(speaker: Speaker, { arms, metric }: StudyFacts): readonly Block[] {
  const trials = arms.flatMap(({ name, trials }) =>
    trials.flatMap(trial => (trial === null ? [] : [{ name: `${name}/seed${trial.seed}`, ...trial }])),
  )
  const suspicious = trials.flatMap(({ name, suspicious }) =>
    suspicious.map((why): Inline[] => [speaker.say(say('report.study.suspicious', { trial: name, why }))]),
  )
  return [
    heading(speaker.say(say('report.study.head.lineage', {}))),
    table(
      [
        column(speaker, 'trial'),
        column(speaker, 'state'),
        metric,
        speaker.say(words('report.column.run', {})),
        column(speaker, 'checkpoint'),
      ],
      trials.map(({ name, state, value, run, checkpoint }) => [
        code(name),
        state,
        scoreOrCross(speaker, metric, value, [run]),
        run === null ? '–' : code(run),
        checkpoint === null ? '–' : code(shortHash(checkpoint.contentHash)),
      ]),
    ),
    ...(suspicious.length === 0 ? [] : [list(suspicious)]),
  ]
}
