import type { Command } from 'commander'
import type { StudySearchAnswer } from '../model/study/answers.js'
import { figure } from '../text/numbers.js'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { interruptible } from './interrupt.js'
import { printCost, printDesign, stoppedText } from './print/study.js'
import { studyPrinter } from './print/study-programs.js'
import { alignTable, count, printable } from './print/style.js'
import { askWithTrust, type StartOptions, startingVerb } from './study-verb.js'

/** `klens study search FILE`. */

const say = sentences({
  'study.search.about': {
    en: 'search over continuous knobs: the settings that cannot be told from the best, and the one to take',
    zh: '在连续参数上搜索：给出与最优无法区分的设置，以及应采用的一个',
  },
  'study.search.head': { en: 'setting', zh: '设置' },
  'study.search.scores': { en: 'scores', zh: '分数' },
  'study.search.believed': { en: 'believed', zh: '估计水平' },
  'study.search.set': { en: 'not separable from the best', zh: '与最优无法区分' },
  'study.search.take': {
    en: 'take {arm}; {n} of {all} settings cannot be told from the best',
    zh: '采用 {arm}；{all} 个设置中有 {n} 个与最优无法区分',
  },
})

export function searchVerb(context: Context): Command {
  return startingVerb('search', context.render(say('study.search.about', {})), context).action(
    async (file: string, options: StartOptions) => {
      const { json = false, workers, executor } = options
      const { studySearch } = await import('../ask/study-run.js')
      const printer = studyPrinter(context, json)
      const answer = await askWithTrust(context, file, options, trust =>
        interruptible(signal =>
          context.ask(studySearch, { file, workers, executor, trust }, { signal, onProgress: printer.hear }),
        ).finally(printer.clear),
      )
      if (json) context.printJson(answer)
      else printSearch(context, answer)
    },
  )
}

function printSearch(context: Context, { design, points, take, stopped, cost }: StudySearchAnswer): void {
  printDesign(context, design)
  const best = points.toSorted((a, b) => Number(b.arm === take) - Number(a.arm === take))
  const head = (['head', 'scores', 'believed'] as const).map(name => context.render(say(`study.search.${name}`, {})))
  const rows = best.map(({ arm, values, believed, spread, isNotSeparable }) => [
    `  ${printable(arm, 60)}`,
    values.map(value => figure(value, 4)).join(' '),
    `${figure(believed, 4)} ± ${figure(spread, 2)}`,
    isNotSeparable ? context.render(say('study.search.set', {})) : '',
  ])
  for (const row of alignTable([[`  ${head[0]}`, head[1], head[2], ''], ...rows])) context.print(row)
  if (stopped !== null) context.remark(context.render(stoppedText(stopped)))
  if (take !== null) {
    const n = points.filter(({ isNotSeparable }) => isNotSeparable).length
    const said = say('study.search.take', { arm: printable(take), n: count(n), all: count(points.length) })
    context.print(context.paint('bold', context.render(said)))
  }
  printCost(context, cost)
}
