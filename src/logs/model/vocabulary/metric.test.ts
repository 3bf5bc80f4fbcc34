import { expect, test } from 'vitest'
import { goalByName } from './metric.js'

test.each(['my_reward', 'bleu_score', 'accuracy', 'val/exact', 'pass_at_1', 'win_rate', '任务奖励', '通过率'])(
  'more of %s is better',
  name => expect(goalByName(name)).toBe('max'),
)

test.each(['distill_loss', 'format_error_rate', 'perplexity', '重建损失'])('less of %s is better', name =>
  expect(goalByName(name)).toBe('min'),
)

test.each(['temperature', 'tokens', '', 'Reward Std', 'score/std@8', 'context_window', 'accumulated_steps'])(
  '%s has no direction',
  name => expect(goalByName(name)).toBeNull(),
)

test('a name with words of both kinds goes by the last of them', () => {
  expect(goalByName('reward_model_loss')).toBe('min')
  expect(goalByName('loss_aware_score')).toBe('max')
})
