/**
 * States of a trial and of each of its cells. `missing`: it was trained and its run does not have the metric. `dropped`: its arm was,
 * before it was done. `suspicious`: it is done and should not be taken as it is. What was interrupted is pending: it will
 * be resumed.
 */
export const STATES = ['done', 'running', 'pending', 'failed', 'missing', 'suspicious', 'dropped'] as const

export type TrialState = (typeof STATES)[number]
