import { rememberedText } from '../logs/document/remembered.js'

/**
 * A name as words, so that `val_acc`, "val acc" and "Val-Acc" are one name; a Chinese character is a word, and what both
 * languages call the common quantities is one.
 */
export interface NameWord {
  readonly text: string
  readonly from: number
  readonly to: number
}

const WORD =
  /准确率|正确率|精确率|召回率|奖励|损失|熵|得分|分数|延迟|耗时|时间|显存|内存|长度|吞吐量?|验证|训练|测试|平均|[A-Za-z\u00C0-\u024F\u0370-\u03FF0-9]+(?:\.[0-9]+[A-Za-z]*)*|\p{Script=Han}/gu

export const wordsOf = rememberedText((text: string): readonly NameWord[] => {
  const words: NameWord[] = []
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const [word] = match
    const isLetter = LETTER.test(word) && !ARTICLE.test(text.slice(Math.max(0, match.index - 2), match.index + 24))
    words.push({ text: isLetter ? word : stem(word), from: match.index, to: WORD.lastIndex })
  }
  return words
})

/** Arms are called A, B and C; "A model" begins with an article. */
const LETTER = /^[A-Z]$/
const ARTICLE =
  /^(?:.?[.:!?]\s|\s|)A (?!(?:is|was|can|could|did|does|had|has|gets?|and|vs|or|[a-z]+(?:s|ed|er))(?![a-z]))[a-z]/

/** Plurals are the same word; so are what both languages call the common quantities. */
function stem(word: string): string {
  const lower = word.toLowerCase()
  const single = lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower
  return SYNONYMS.get(single) ?? single
}

const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    accuracy: 'acc 准确率 正确率',
    precision: '精确率',
    recall: '召回率',
    reward: '奖励',
    loss: '损失',
    entropy: '熵',
    score: '得分 分数',
    latency: '延迟',
    time: '耗时 时间',
    memory: '显存 内存',
    length: '长度 len',
    throughput: '吞吐 吞吐量',
    val: 'validation valid 验证',
    train: 'training 训练',
    test: '测试',
    mean: 'avg average averaged 平均',
  }).flatMap(([word, others]) => others.split(' ').map((other): [string, string] => [other, word])),
)
