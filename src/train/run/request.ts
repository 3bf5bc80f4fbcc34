/** Into which run a training is written. */
export type Begin =
  /** Goes on where this very training was interrupted, else begins a run. */
  | { readonly kind: 'auto' }
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: string; readonly allowChanges: boolean }
