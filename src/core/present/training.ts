import type { StartedTraining, TrainedAnswer, TrialsAnswer } from '../../app/ask/training-answers.js'
import { count } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { type Block, note, paragraph, section } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'

/** How a training begins and what it came to; its epochs are shown as they come. */

export function startedBlocks(about: StartedTraining, resumedAfter: number | null, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { id, name, queries, parameters, baselines, byConstruction, changes, damaged } = about
  if (resumedAfter !== null) {
    const lines = [
      ...(changes.length === 0 ? [] : [say('train.changed', { changes: changes.join(', ') })]),
      ...damaged.map(file => say('train.damaged', { file, epoch: resumedAfter })),
    ]
    return [section(resumedText(about, resumedAfter, speaker), ...lines.map(line => paragraph(line)))]
  }
  const rivals = baselines.map(({ name: rival, score }) => `${rival} ${shortNumber(score)}`).join(', ')
  const lines = [
    ...(rivals === '' ? [] : [say('train.baseline', { baselines: rivals })]),
    ...byConstruction.map(speaker.say),
  ]
  const title = say('train.started', { name, id, queries, parameters: count(parameters) })
  return [section(title, ...lines.map(line => paragraph(line)))]
}

export function resumedText({ id, name }: StartedTraining, epoch: number, { say }: Speaker): string {
  return say(words('train.resumed', { name, id, epoch }))
}

export function trainedBlocks(answer: TrainedAnswer | TrialsAnswer, speaker: Speaker): readonly Block[] {
  if ('runs' in answer) return trialsBlocks(answer, speaker)
  const { run: id, status, lastEpoch: epoch, volatile } = answer
  return status === 'killed'
    ? [note('info', speaker.say(words('train.stopped', { epoch })))]
    : [paragraph(speaker.say(words('train.done', { id, folder: volatile.folder })))]
}

function trialsBlocks({ runs, known, stopped }: TrialsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const failed = runs.filter(({ status }) => status === 'failed').length
  const names = `${commonStart(runs.map(({ trial }) => trial ?? ''))}*`
  return [
    ...(known === 0 ? [] : [paragraph(say('train.grid-skipped', { count: known }))]),
    stopped
      ? note('info', say('train.grid-stopped', {}))
      : failed > 0
        ? note('warning', say('train.grid-failed', { failed, trials: runs.length }))
        : paragraph(say('train.grid-done', { names })),
  ]
}

function commonStart(names: readonly string[]): string {
  const [first = '', ...others] = names
  let length = first.length
  while (others.some(name => !name.startsWith(first.slice(0, length)))) length -= 1
  return first.slice(0, length)
}
