import type { CompareAnswer } from '../analysis/compare/result.js'
import type { MethodId } from '../model/verdict.js'
import { methodTexts } from '../text/methods.js'
import { sentences } from '../text/sentences.js'
import { type Block, pairs, paragraph, section, table } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'
import { questionText } from './verdict.js'

/** `--explain`: for each verdict the numbers that went in, the formula, and how often the method was wrong when measured. */

const methods = sentences(methodTexts)

export function explanationBlocks({ sides, verdicts }: CompareAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, methods)
  const sources = sides.flatMap(({ label, runs, metric, files }) =>
    runs.map((run, i) => [label, run, metric, files[i].join(', ')]),
  )
  return [
    ...verdicts.flatMap(verdict => {
      if (verdict.method === null) return []
      const { id, numbers } = verdict.method
      const used = [
        ...Object.entries(numbers).map(
          ([name, value]) => [isNumberName(name) ? say(`number.${name}`, {}) : name, shortNumber(value)] as const,
        ),
        ...(verdict.p === null ? [] : [['p', shortNumber(verdict.p)] as const]),
      ]
      const title = `${questionText(verdict, speaker)}, ${verdict.other} − ${verdict.baseline}`
      return [section(title, ...methodTextsOf(id, speaker).map(text => paragraph(text)), pairs(used))]
    }),
    section(say('explain.sources', {}), table([], sources)),
  ]
}

/** The formula, and how often the method was wrong when measured. */
export function methodTextsOf(id: MethodId, speaker: Speaker): readonly [method: string, rate: string] {
  const say = saying(speaker, methods)
  return [say(`method.${id}`, {}), say(`method.${id}.rate`, {})]
}

type NumberName = Extract<keyof typeof methodTexts, `number.${string}`> extends `number.${infer Name}` ? Name : never

function isNumberName(name: string): name is NumberName {
  return Object.hasOwn(methodTexts, `number.${name}`)
}
