/** Works until the process that started this one closes its standard input, dies, or says stop; then ends at once. */
export async function whileAsked(work: (gone: AbortSignal) => Promise<unknown>): Promise<void> {
  const gone = new AbortController()
  const end = (): void => gone.abort()
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, end)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  await work(gone.signal).catch(error => {
    if (!gone.signal.aborted) throw error
  })
  process.exit(0)
}
