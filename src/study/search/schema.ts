import { z } from 'zod'
import { fileIssues } from '../file/issue.js'

/** What a study file says of `klens study search`: the knobs with their ranges, how many settings, how many seeds of each. */
const otherwise = fileIssues({
  'study.file.knobs': {
    en: '"{key}" must give each knob a range, log-uniform: [low, high] (above 0) or random: [low, high]; not {given}',
    zh: '“{key}”须为每个参数给出范围，即 log-uniform: [low, high]（须大于 0）或 random: [low, high]；不能是 {given}',
  },
  'study.file.points': {
    en: '"{key}" must be a whole number of at least 1, not {given}',
    zh: '“{key}”必须是不小于 1 的整数，不能是 {given}',
  },
})

const asKnobs = otherwise('study.file.knobs')
const asPoints = otherwise('study.file.points')

const range = z.tuple([z.number(), z.number()], asKnobs).refine(([low, high]) => low < high, asKnobs)
const knob = z
  .union(
    [z.strictObject({ random: range }), z.strictObject({ 'log-uniform': range.refine(([low]) => low > 0, asKnobs) })],
    asKnobs,
  )
  .transform(
    (given): Knob =>
      'random' in given
        ? { scale: 'linear', low: given.random[0], high: given.random[1] }
        : { scale: 'log', low: given['log-uniform'][0], high: given['log-uniform'][1] },
  )

export interface Knob {
  readonly scale: 'linear' | 'log'
  readonly low: number
  readonly high: number
}

export const search = z
  .strictObject({
    knobs: z.record(z.string(), knob, asKnobs).refine(given => Object.keys(given).length > 0, asKnobs),
    /** Settings that are tried, the study's own arms included. */
    points: z.int(asPoints).min(1, asPoints).default(20),
    /** Seeds of each. */
    seeds: z.int(asPoints).min(1, asPoints).default(1),
  })
  .optional()
