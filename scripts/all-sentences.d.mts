export function allSentences(): Promise<readonly (readonly [string, { readonly en: string; readonly zh: string }])[]>
