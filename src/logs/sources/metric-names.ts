import { memoByText } from '../model/util/memo.js'

/** What the name of a metric says when two logs are compared. */

/** What any two trainings with the same settings have in common. `loss_step` and `loss_epoch` are losses, as Lightning names them. */
const UNTELLING =
  /(?:^|[/_.])(?:learning_rate|lr|num_tokens|seconds|time|runtime)$|(?:^|[/.])_?(?:(?:global|env|train|training|trainer|total|num|current|optimizer|update)_)*(?:epoch|step)$/i

/** Whether equal values of the metric say that two logs are of one training. */
export const isTelling = memoByText((metric: string): boolean => !UNTELLING.test(metric))

/**
 * What all trackers leave of a name: `mean@1` is `mean_1` in TensorBoard and `mean_at_1` in MLflow, and what Hugging
 * Face's Trainer prints as `loss` is `train/loss` there, and any name of Ray Tune's begins with `ray/tune/`.
 */
export const plainName = memoByText((metric: string): string =>
  metric.replace(/^(?:train|ray\/tune)\//, '').replaceAll(/_at_(?=\d)|[@/_\-.: ]/g, ''),
)
