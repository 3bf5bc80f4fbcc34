/** `klens/logs`: reads the logs of any format that klens knows as one stream of events (docs/library.md). */
export type { Evaluation, SampleScores, SampleTexts } from '../../logs/model/evaluation.js'
export type { LogPosition, Row } from '../../logs/model/events.js'
export type { Config, Message, Quality, RunAbout, RunStatus } from '../../logs/model/run.js'
export { type LoggedEvent, type LoggedRun, readRuns } from '../../logs/sources/read-runs.js'
export type { Language } from '../../text/language.js'
export { render } from '../../text/sentences.js'
