import type { origin } from '../../app/ask/origin.js'
import { sentences } from '../../text/sentences.js'
import { type Block, headline, paragraph, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortStep } from './terminal-text.js'

/** A number and the line of the log that it was read from. */

type OriginAnswer = Awaited<ReturnType<(typeof origin)['ask']>>

const words = sentences({
  'origin.at': { en: 'step {step}: {value}', zh: 'step {step}：{value}' },
  'origin.place': { en: '{file}, {unit} {number}', zh: '{file}，{unit} {number}' },
})

export function originBlocks({ name, run, metric, points }: OriginAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  return [
    headline(metric, `${name} (${run})`),
    ...points.flatMap(({ step, value, file, place, lines, why }): readonly Block[] => {
      const at = say('origin.at', { step: shortStep(step), value: String(value) })
      const { path = '' } = file ?? {}
      const where =
        place === null ? path : say('origin.place', { file: path, unit: place.unit, number: String(place.number) })
      return [
        paragraph(at, ...(where === '' ? [] : ['   ', where])),
        ...(why === null ? [] : [paragraph(toned(why, 'quiet'))]),
        ...(lines.length === 0
          ? []
          : [
              {
                kind: 'texts' as const,
                items: lines.map(line => ({ title: `${path}:${line.number}`, text: line.text })),
              },
            ]),
      ]
    }),
  ]
}
