import { sentences } from '../../text/sentences.js'

/** What the readers of Lever-Plus's files have to say. */
export const say = sentences({
  'lever.unreadable': {
    en: '{file} looks like a result of Lever-Plus, but could not be read: it is no whole JSON, or too large',
    zh: '{file} 看起来是 Lever-Plus 的结果文件，但无法读取：JSON 不完整，或文件过大',
  },
  'lever.evaluated-twice': {
    en: 'the checkpoint of epoch {step} was evaluated more than once with different accuracies (shot {shots}): the last one counts. Which checkpoint was loaded, and was decoding deterministic?',
    zh: 'epoch {step} 的 checkpoint 被多次评测且准确率不一致（shot {shots}），以最后一次为准。请确认加载的是哪个 checkpoint，以及解码是否确定',
  },
})
