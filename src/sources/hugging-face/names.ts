/**
 * The Trainer logs `loss` and `eval_loss`; the trackers that it reports to get `train/loss` and `eval/loss`
 * (`rewrite_logs` of transformers).
 */
export const namesElsewhere = {
  outward(metric: string): string {
    const [, stage] = /^(eval|test)_/.exec(metric) ?? []
    return stage === undefined ? `train/${metric}` : `${stage}/${metric.slice(stage.length + 1)}`
  },
  inward(metric: string): string {
    if (metric.startsWith('train/')) return metric.slice('train/'.length)
    return metric.replace(/^(eval|test)\//, '$1_')
  },
}
