/** Whether more or less of a quantity is better, by its names, the closest first; null where they do not tell. */
export function goalOf(names: readonly string[]): 'high' | 'low' | null {
  for (const name of names) {
    const [high, low] = [HIGHER.test(name), LOWER.test(name)]
    if (high !== low) return high ? 'high' : 'low'
    if (high) return null
  }
  return null
}

const HIGHER =
  /reward|score|acc(?:uracy)?(?![a-z])|exact|pass@|success|(?<![a-z])win(?:s|.?rate)?(?![a-z])|(?<![a-z])(?:f1|bleu|rouge|performance)|准确率|正确率|奖励|得分|分数|胜率|成功率|解决率|性能/i
const LOWER = /loss|error|perplexity|(?<![a-z])(?:ppl|wer|latency|mse|mae|rmse)(?![a-z])|损失|误差|错误率|困惑度|延迟/i
