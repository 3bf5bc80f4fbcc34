import type { z } from 'zod'
import type { Encoded } from '../../text/encode.js'
import { percentage, signedFigure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { forecastAnswer } from '../analysis/forecast/answer.js'
import { type Block, list, paragraph, section } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber, shortStep } from './terminal-text.js'

/** Where a training will end: the interval first, then what it gains, and what vouches for it. */

type ForecastAnswer = Encoded<z.infer<typeof forecastAnswer>>

export const forecastWords = sentences({
  'forecast.option.target': { en: 'a score to pass: with which probability?', zh: '要超过的得分：可能性有多大？' },
  'forecast.option.baseline': { en: 'a finished run to pass', zh: '要超过的已完成 run' },
  'forecast.option.until': { en: 'the last step (default: as planned)', zh: '最后一步（默认按计划）' },
  'forecast.option.at': {
    en: 'forecast from this step, to check it on a finished run',
    zh: '假设只看到这一步，可用结局已知的 run 来检验',
  },
  'forecast.head': {
    en: '{metric} at step {until}: {estimate}, {level} % interval {low} to {high}',
    zh: '{metric} 在 step {until}：{estimate}，{level}% 区间 {low} 到 {high}',
  },
  'forecast.none': { en: 'no forecast of {metric}', zh: '无法预测 {metric}' },
  'forecast.now': { en: 'now {level}, at step {step}', zh: '现为 {level}（step {step}）' },
  'forecast.gain': {
    en: 'still to come: {left} ({low} to {high})',
    zh: '预计还有 {left} 的提升（{low} 到 {high}）',
  },
  'forecast.per-hour': {
    en: '{hours} hour{hours||s} {hours|is|are} left: {gain} per hour',
    zh: '还剩 {hours} 小时：每小时 {gain}',
  },
  'forecast.passes': {
    en: 'passes {target} with a probability of {percent} %',
    zh: '超过 {target} 的概率为 {percent}%',
  },
  'forecast.passes-run': {
    en: 'passes {run} ({target}) with a probability of {percent} %',
    zh: '超过 {run}（{target}）的概率为 {percent}%',
  },
})

export function forecastBlocks(answer: ForecastAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, forecastWords)
  const { metric, final, now, gain, passes, until, reasons } = answer
  const seen = say('forecast.now', { level: shortNumber(now.level), step: shortStep(now.step) })
  const notes = list(reasons.map(reason => [speaker.sentence(reason)]))
  if (final === null) return [section(say('forecast.none', { metric }), paragraph(speaker.sentence(seen)), notes)]
  const [low, high] = final.interval.map(shortNumber)
  const head = say('forecast.head', {
    metric,
    until: shortStep(until ?? now.step),
    estimate: shortNumber(final.estimate),
    level: percentage(final.level),
    low,
    high,
  })
  const lines = [
    seen,
    ...(gain === null
      ? []
      : [
          say('forecast.gain', {
            left: signedFigure(gain.left, 2),
            low: signedFigure(gain.interval[0], 2),
            high: signedFigure(gain.interval[1], 2),
          }),
        ]),
    ...(gain?.hours == null || gain.perHour === null
      ? []
      : [say('forecast.per-hour', { hours: shortNumber(gain.hours), gain: signedFigure(gain.perHour, 2) })]),
    ...(passes === null ? [] : [passesText(passes, speaker)]),
  ]
  return [section(head, ...lines.map(line => paragraph(speaker.sentence(line))), ...goalBlocks(answer, speaker)), notes]
}

function passesText({ target, of, probability }: NonNullable<ForecastAnswer['passes']>, speaker: Speaker): string {
  const say = saying(speaker, forecastWords)
  const figures = { target: shortNumber(target), percent: Math.min(99, Math.max(1, Math.round(100 * probability))) }
  return of === null ? say('forecast.passes', figures) : say('forecast.passes-run', { ...figures, run: of })
}
