import { z } from 'zod'
import { fileIssues } from '../file/issue.js'

/** What a study file says of dropping hopeless arms: at which shares of a run one looks, and what the saving buys. */
const otherwise = fileIssues({
  'study.file.drop': {
    en: '"{key}" must be none, or at which rising shares of a run to look (at) and how many fresh seeds the saving may buy (fresh); not {given}',
    zh: '“{key}”必须是 none，或查看时机（at，递增的比例）与节省下来可买的新种子数（fresh）；不能是 {given}',
  },
})

const asDrop = otherwise('study.file.drop')
const share = z.number(asDrop).gt(0, asDrop).lt(1, asDrop)

export const drop = z
  .union(
    [
      z.literal('none'),
      z.strictObject({
        at: z
          .array(share, asDrop)
          .min(1, asDrop)
          .refine(shares => shares.every((each, i) => i === 0 || each > shares[i - 1]), asDrop)
          .default([0.25, 0.5, 0.75]),
        /** How many fresh seeds the saving may buy for each arm that is left, at most. */
        fresh: z.int(asDrop).min(0, asDrop).default(0),
      }),
    ],
    asDrop,
  )
  .default('none')
