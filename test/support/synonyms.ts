/**
 * Other words of the same sense, as another writer would have put it. Figures, names and the order of words stay, so no
 * finding about numbers may change. Words that a test is asked for (显著, "significant") are left alone: they are judged
 * as words.
 */
const CHINESE: readonly (readonly [string, string])[] = [
  ['提升', '提高'],
  ['下降', '降低'],
  ['降至', '跌至'],
  ['降到', '跌到'],
  ['升至', '涨至'],
  ['增至', '涨至'],
  ['升到', '涨到'],
  ['增加', '增长'],
  ['减少', '降低'],
  ['上升', '升高'],
  ['最高', '最大'],
  ['最低', '最小'],
  ['最佳', '最优'],
  ['最好', '最优'],
  ['最终', '最后'],
  ['达到', '到达'],
  ['更快', '更迅速'],
  ['更早', '更先'],
  ['平均', '均值'],
  ['差异', '差距'],
  ['波动', '起伏'],
  ['高于', '大于'],
  ['低于', '小于'],
  ['优于', '好于'],
  ['不如', '差于'],
  ['超过', '超出'],
  ['大约', '约'],
  ['所有', '全部'],
  ['都是', '均为'],
  ['均为', '都是'],
  ['逐渐', '逐步'],
  ['持续', '一直'],
  ['相同', '一样'],
  ['完全', '彻底'],
  ['训练已完成', '训练已结束'],
  ['仅', '只'],
  ['变为', '变成'],
  ['比例', '占比'],
  ['耗时', '用时'],
  ['时间', '用时'],
]

const ENGLISH: readonly (readonly [string, string])[] = [
  ['rose', 'climbed'],
  ['rises', 'climbs'],
  ['increased', 'grew'],
  ['increases', 'grows'],
  ['decreased', 'dropped'],
  ['decreases', 'drops'],
  ['fell', 'declined'],
  ['falls', 'declines'],
  ['dropped', 'fell'],
  ['improved', 'increased'],
  ['improves', 'increases'],
  ['highest', 'largest'],
  ['lowest', 'smallest'],
  ['largest', 'biggest'],
  ['best', 'top'],
  ['final', 'last'],
  ['earlier', 'sooner'],
  ['faster', 'quicker'],
  ['swing', 'fluctuation'],
  ['average', 'mean'],
  ['difference', 'gap'],
  ['about', 'roughly'],
  ['above', 'over'],
  ['below', 'under'],
  ['higher', 'greater'],
  ['lower', 'smaller'],
  ['exceeds', 'is above'],
  ['outperforms', 'beats'],
  ['beats', 'is better than'],
  ['reaches', 'attains'],
  ['reached', 'attained'],
  ['throughout', 'all along'],
  ['less than', 'under'],
  ['more than', 'over'],
  ['within', 'inside'],
  ['versus', 'against'],
  ['compared with', 'relative to'],
  ['gain', 'improvement'],
  ['total', 'sum'],
  ['all', 'every one of the'],
]

export interface Synonym {
  readonly word: string
  readonly instead: string
}

export const SYNONYMS: readonly Synonym[] = [...CHINESE, ...ENGLISH].map(([word, instead]) => ({ word, instead }))

/** Of all prose; titles and tables keep their names. Each place is reworded once. */
export function reworded(text: string, synonyms: readonly Synonym[] = SYNONYMS): string {
  const instead = new Map(synonyms.map(one => [one.word, one.instead]))
  const words = [...instead.keys()].sort((a, b) => b.length - a.length)
  const any = new RegExp(words.map(word => (/^[a-z ]+$/.test(word) ? `\\b${word}\\b` : word)).join('|'), 'g')
  const rewordedLine = (line: string): string =>
    /^[#|]/.test(line) ? line : line.replace(any, word => instead.get(word) ?? word)
  return text.split('\n').map(rewordedLine).join('\n')
}
