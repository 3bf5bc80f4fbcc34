const MOST_LEADS = 3

/**
 * Under which labels a line stands: the less indented lines before it, and lines before it that end with a colon; the
 * innermost first. Open labels are a stack of growing indentation, so a line costs no more than the labels it closes.
 */
export function leadKeeper() {
  const open: { readonly indent: number; readonly text: string; readonly isLabel: boolean }[] = []
  return {
    reset: (): void => {
      open.length = 0
    },
    around: (indent: number): readonly string[] => {
      const found: string[] = []
      for (let at = open.length - 1; at >= 0 && found.length < MOST_LEADS; at -= 1) {
        if (open[at].indent < indent || open[at].isLabel) found.push(open[at].text)
      }
      return found
    },
    see: (text: string, indent: number): void => {
      while (open.length > 0 && open[open.length - 1].indent >= indent) open.pop()
      open.push({ indent, text, isLabel: /[:：]\s*$/.test(text) })
    },
  }
}
