/**
 * How klens speaks: languages, numbers, sentences, answers as JSON.
 * This file is what other groups may use of it (`scripts/check-architecture.mjs`); they import the file that is named here, so that nothing else is loaded.
 */
export { encoded, sentence } from './answer-schema.js'
export { compareTexts, comparisonSentences } from './compare.js'
export { type Encoded, encode } from './encode.js'
export { harmless, harmlessText } from './harmless.js'
export {
  clauses,
  closed,
  compareNames,
  fill,
  type Language,
  languageFromLocale,
  listed,
  type ParamsOf,
  type Template,
  type Templates,
} from './language.js'
export {
  chance,
  count,
  decimalsFor,
  figure,
  figuresApart,
  fixed,
  percentage,
  range,
  signed,
  signedFigure,
} from './numbers.js'
export { reportSentences } from './report.js'
export { labelFor, message, say, type TextKey, type TextParams, unfilled } from './say.js'
export {
  type Blanks,
  type Message,
  type MessageParam,
  messageAsString,
  messageFrom,
  render,
  type Say,
  sentences,
} from './sentences.js'
export { forShell, typedForShell } from './shell.js'
export { shortHash } from './short-hash.js'
export { metricLabel, settingLabel, vocabularyTexts } from './vocabulary.js'
