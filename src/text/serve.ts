import type { Templates } from './language.js'

/** What `klens serve` says. */
export const serveTexts = {
  'serve.about': { en: 'runs, verdicts and reports in a browser', zh: '在浏览器中查看 run、判定与报告' },
  'serve.argument.paths': {
    en: 'logs to import and to follow while serving',
    zh: '服务期间导入并持续跟踪的日志',
  },
  'serve.option.port': {
    en: 'port; without it 7117 or the next free one',
    zh: '端口；默认 7117 或其后第一个空闲端口',
  },
  'serve.option.host': {
    en: 'address to listen on; other machines need tokens (KLENS_READ_TOKEN, KLENS_WRITE_TOKEN, or generated)',
    zh: '监听地址；对外开放时需要令牌（KLENS_READ_TOKEN、KLENS_WRITE_TOKEN，否则自动生成）',
  },
  'serve.option.tokens': {
    en: 'file of tokens, one per line: "write alice=TOKEN" or "read bob=TOKEN"; reloaded when it changes',
    zh: '令牌文件，每行一个：“write alice=TOKEN”或“read bob=TOKEN”；改动后即时生效',
  },
  'serve.option.no-open': { en: 'do not open a browser', zh: '不打开浏览器' },
  'mcp.about': {
    en: 'answer an assistant (MCP): the same questions as tools',
    zh: '为助手提供服务（MCP）：同样的问题以工具形式提供',
  },
  'mcp.option.write': {
    en: 'also offer what changes the workspace: import, fill, goal, tags, names',
    zh: '同时提供会改动工作区的工具：导入、填充、目标、标签、改名',
  },
  'serve.stop': { en: 'Ctrl-C stops it.', zh: '按 Ctrl-C 停止。' },
  'serve.read': { en: 'to read:           {url}/#token={token}', zh: '只读：     {url}/#token={token}' },
  'serve.write': { en: 'to read and write: {url}/#token={token}', zh: '可读可写： {url}/#token={token}' },
} as const satisfies Templates
