import { sentences } from '../../text/sentences.js'

/** What the readers of Hugging Face's trainers have to say. */
export const say = sentences({
  'trainer-state.too-large': {
    en: 'trainer_state.json is larger than {limit} MiB and was not read; import the W&B or TensorBoard log of this run instead',
    zh: 'trainer_state.json 超过 {limit} MiB，未读取；请改为导入该 run 的 W&B 或 TensorBoard 日志',
  },
  'trainer-state.unreadable': {
    en: 'trainer_state.json is not whole JSON, perhaps cut while it was saved or copied; import the one of an earlier checkpoint',
    zh: 'trainer_state.json 不是完整的 JSON，可能在保存或复制时被截断；请导入更早的 checkpoint 里的那一份',
  },
})
